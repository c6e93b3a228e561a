import { flag, stringList, stringValue } from "../../contract/index.ts";
import { singleLine } from "../../display/index.ts";
import { legend } from "../channels.ts";
import { type Chart, drawChart } from "../chart.ts";
import { concatenations, isView, type View } from "../interaction/views.ts";
import { type ChartOptions, chartOptionChecks, pixelLength } from "../options.ts";
import { series, untouched, wordsOf } from "../roles.ts";
import type { Column, Plot } from "../rows/columns.ts";
import { dashed } from "../rows/plot-channels.ts";
import { plotLines } from "../rows/plot-text.ts";
import { checkAxis, checkCharts, combinedData, partsOf } from "./concat.ts";

/** Options of charts on top of each other. */
export interface LayerOptions extends ChartOptions {
  /** Text above the chart. Default: that of the first one. */
  title?: string;
  /** Names of the charts, in order, for a legend; charts with series have their own. Default: no names. */
  names?: readonly string[];
  /** Whether the last chart has a separate vertical axis, on the right. Default: false. */
  secondAxis?: boolean;
  /** Width of the area in pixels, at most 4000. Default: that of the first chart. */
  width?: number;
  /** Height of the area in pixels, at most 4000. Default: that of the first chart. */
  height?: number;
}

const layerChecks = {
  ...{ ...chartOptionChecks, title: stringValue, names: stringList, secondAxis: flag },
  ...{ width: pixelLength, height: pixelLength },
};

/** Draws charts over each other in one area, on the same axes; the first lies below. */
export function layered(charts: readonly Chart[], options: LayerOptions = {}): Chart<LayerOptions> {
  checkCharts(charts);
  return drawChart(layerChecks, options, ({ names, secondAxis = false, ...chosen }) => {
    const apart = charts.find(({ bareSpec }) => concatenations.some(name => name in bareSpec));
    if (apart)
      throw new RangeError(
        `"${apart.source.title}" is made of several charts, and can't lie over another one.`,
      );
    const { views, datasets } = partsOf(charts);
    const { width, height } = charts[0]!.bareSpec;
    const title = singleLine(chosen.title ?? charts[0]!.source.title, 80);
    const shown = names?.map(name => singleLine(name, 60));
    const colored = distinctColors(views, shown);
    return {
      title,
      description: `${title}: ${charts.length} charts over each other. ${charts.map(String).join(" ")}`,
      spec: {
        width: chosen.width ?? width,
        height: chosen.height ?? height,
        ...(datasets && { datasets }),
        ...overEachOther(colored, secondAxis),
      },
      ...combinedData(charts, names),
      text: columns => {
        const joined = secondAxis ? undefined : joinedPlot(charts, names);
        return joined ? plotLines(joined, columns) : charts.map(chart => chart.toText(columns)).join("\n\n");
      },
    };
  });
}

/** Returns the rows of charts as those of one, each chart a series; `undefined` for axes of different kinds. */
function joinedPlot(charts: readonly Chart[], names: readonly string[] = []): Plot | undefined {
  const plots = charts.flatMap(({ source }) => source.plot ?? []);
  const [first] = plots;
  if (!first || plots.length < charts.length || first.columns.color) return undefined;
  if (plots.some(({ columns }) => !columns.x || !columns.y)) return undefined;
  const scaleOf = ({ columns: { x, y } }: Plot) => `${x!.scale} ${y!.scale}`;
  if (plots.some(plot => scaleOf(plot) !== scaleOf(first))) return undefined;
  const values: Plot["values"] = plots.flatMap((plot, index) =>
    plot.values.map(row => ({ ...row, series: row.series ?? names[index] ?? charts[index]!.source.title })),
  );
  const column = (role: "x" | "y" | "series") => values.map(row => row[role]!);
  const { x, y } = first.columns as { x: Column; y: Column };
  const series = { title: "", isUntitled: true, scale: "category" as const, values: column("series") };
  const columns = { x: { ...x, values: column("x") }, y: { ...y, values: column("y") }, series };
  return { ...first, columns, values };
}

/** Returns views as layers on the same axes, or with a separate axis for the last one. */
function overEachOther(views: View[], hasSecondAxis: boolean): View {
  const remedy = "draw them side by side with grid";
  checkAxis(views, "x", remedy);
  checkAxis(hasSecondAxis ? views.slice(0, -1) : views, "y", remedy);
  const bare = (shared: View[]) =>
    shareAxes(shared).map(({ title: _, width: __, height: ___, description: ____, ...view }) => view);
  if (!hasSecondAxis || views.length < 2) return { layer: bare(views) };
  const [last] = bare(views.slice(-1)) as [View];
  for (const channel of channelsOf(last, "y"))
    if (channel.axis) Object.assign(channel.axis, { orient: "right", grid: false, titleAlign: "right" });
  return { layer: [{ layer: bare(views.slice(0, -1)) }, last], resolve: { scale: { y: "independent" } } };
}

type Channel = { axis?: View | null; title?: unknown } | undefined;

function channelsOf(view: View, name: "x" | "y"): NonNullable<Channel>[] {
  const { [name]: channel } = Object(view.encoding) as { [name: string]: Channel };
  const inner = Array.isArray(view.layer) ? view.layer.flatMap(part => channelsOf(part, name)) : [];
  return [...(channel?.axis || channel?.title !== undefined ? [channel] : []), ...inner];
}

/**
 * Views that share an axis: the first one with a title for it decides; without any, the axis names all columns. The only
 * tick of a single value is left out.
 */
function shareAxes(views: View[]): View[] {
  for (const name of ["x", "y"] as const) {
    const channels = views.flatMap(view => channelsOf(view, name));
    if (views.length > 1)
      for (const { axis } of channels)
        if (Array.isArray(axis?.values) && axis.values.length === 1)
          Object.assign(axis, { values: undefined });
    const title = channels.find(({ axis }) => axis?.title)?.axis?.title;
    if (title === undefined) continue;
    const words = Array.isArray(title) ? title.join(" ") : title;
    for (const channel of channels) {
      delete channel.title;
      channel.axis = { ...channel.axis, title: words };
    }
  }
  return views;
}

type Scale = { domain: readonly unknown[]; range: readonly unknown[] };

const nameColumn = "name of the chart";

/** Returns the scales of a specification that give names colours of the palette. */
export function colorScales(value: unknown): Scale[] {
  if (Array.isArray(value)) return value.flatMap(colorScales);
  if (!isView(value) || value[untouched]) return [];
  const { color, data: _, datasets: __, ...rest } = value;
  const { scale } = Object(color) as { scale?: Scale };
  const isNamed =
    Array.isArray(scale?.domain) &&
    Array.isArray(scale.range) &&
    scale.domain.every(name => typeof name === "string");
  return [...(isNamed ? [scale as Scale] : []), ...Object.values(rest).flatMap(colorScales)];
}

/** Returns the scale on which each of some names has the colour of its place. */
export const scaleOfNames = (names: readonly unknown[]): Scale => ({
  domain: names,
  range: names.map((_, index) => series[index % series.length]),
});

/** Gives a scale the names and colours of another one, for words where it was one of words. */
export function recolorScale(scale: Scale, { domain, range }: Scale): void {
  const isOfWords = String(scale.range[0]).endsWith(wordsOf(""));
  Object.assign(scale, { domain, range: isOfWords ? range.map(color => wordsOf(String(color))) : range });
}

/** Gives views that lie over each other distinct colours, one per name; `names` name views without series in a legend. */
export function distinctColors(views: readonly View[], names: readonly string[] = []): View[] {
  const copies = structuredClone(views) as View[];
  const isPlain = copies.map(view => colorScales(view).length === 0);
  const known = new Set(copies.flatMap(view => colorScales(view).flatMap(({ domain }) => domain)));
  for (const [index, name] of names.entries()) if (isPlain[index]) known.add(name);
  const scale = scaleOfNames([...known]);
  for (const each of copies.flatMap(colorScales)) recolorScale(each, scale);
  const key = copies.every(hasLine) ? { ...legend, ...dashed } : { ...legend, symbolType: "circle" };
  let next = known.size;
  for (const [index, view] of copies.entries()) {
    if (!isPlain[index]) continue;
    const name = names[index];
    if (name === undefined) recolor(view, { value: series[next++ % series.length] });
    else {
      recolor(view, { field: nameColumn, type: "nominal", scale, legend: { ...key, columns: 4 } });
      const named = { calculate: JSON.stringify(name), as: nameColumn };
      view.transform = [named, ...(Array.isArray(view.transform) ? view.transform : [])];
    }
  }
  return copies;
}

const hasLine = ({ mark, layer }: View): boolean =>
  Object(mark).type === "line" || (Array.isArray(layer) && layer.some(hasLine));

function recolor(view: unknown, color: View): void {
  if (Array.isArray(view)) for (const part of view) recolor(part, color);
  if (!isView(view)) return;
  const { mark, encoding, layer } = view;
  if (isView(encoding) && isView(encoding.color) && encoding.color.value === series[0])
    encoding.color = color;
  if (isView(mark) && mark.color === series[0]) {
    delete mark.color;
    view.encoding = { ...(encoding as View), color };
  }
  recolor(layer, color);
}
