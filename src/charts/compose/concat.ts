import { describeValue, must, stringValue, wholeNumber } from "../../contract/index.ts";
import { html, present, raw, singleLine } from "../../display/index.ts";
import { Chart, drawChart, type Figure, recordsOf } from "../chart.ts";
import { isView, type View } from "../interaction/views.ts";
import { type ChartOptions, chartOptionChecks, pixelLength } from "../options.ts";
import { chosen, dataNames } from "../roles.ts";

/** Options of charts side by side. */
export interface ComposeOptions extends ChartOptions {
  /** Text above all charts. Default: none. */
  title?: string;
  /** Channels whose scales the charts have in common, so they can be compared. Default: none. */
  shared?: readonly ("x" | "y" | "color" | "size")[];
  /** Pixels between the charts, at most 400. Default: 24. */
  spacing?: number;
  /** Charts in a row. Default: 3. */
  columns?: number;
  /** Width of each chart's area in pixels, at most 4000. Default: its own. */
  width?: number;
}

const channels = ["x", "y", "color", "size"] as const;
/** Channels that tell the same series apart as colours do. */
const coloredWith: readonly string[] = ["stroke", "strokeDash", "shape"];

const composeChecks = {
  ...chartOptionChecks,
  title: stringValue,
  shared: must(
    `a list of ${channels.map(name => JSON.stringify(name)).join(", ")}`,
    value => Array.isArray(value) && value.every(channel => channels.includes(channel as never)),
  ),
  spacing: must("pixels from 0 to 400", value => typeof value === "number" && value >= 0 && value <= 400),
  columns: wholeNumber(1),
  width: pixelLength,
};

const maxCharts = 64;

export function checkCharts(charts: readonly Chart[]): void {
  if (!Array.isArray(charts) || charts.length === 0)
    throw new RangeError(
      `Charts are given as a list of one and more, such as [first, second], not ${describeValue(charts)}.`,
    );
  const wrong = charts.findIndex(chart => !(chart instanceof Chart));
  if (wrong >= 0)
    throw new RangeError(`Number ${wrong} of the list is ${describeValue(charts[wrong])}, and no chart.`);
  if (charts.length > maxCharts)
    throw new RangeError(`${charts.length} charts are more than the ${maxCharts} that are drawn together.`);
}

function withWidth(charts: readonly Chart[], width: number | undefined): readonly Chart[] {
  if (width === undefined) return charts;
  return charts.map(chart => (chart.area ? chart.with({ width } as never) : chart));
}

/** Puts charts beside each other, in rows of a grid. */
export function concat(charts: readonly Chart[], options: ComposeOptions = {}): Chart<ComposeOptions> {
  checkCharts(charts);
  return drawChart(
    composeChecks,
    options,
    ({ title: given, shared = [], spacing = 24, columns = 3, width }) => {
      const drawn = withWidth(charts, width);
      const across = Math.min(columns, charts.length);
      const title =
        given === undefined ? drawn.map(chart => chart.source.title).join(", ") : singleLine(given, 80);
      const { views, datasets } = partsOf(drawn);
      for (const name of ["x", "y"] as const)
        if (shared.includes(name)) checkAxis(views, name, `leave ${name} out of shared`);
      const resolve = Object.fromEntries(
        [...channels, ...coloredWith].map(channel => {
          const option = coloredWith.includes(channel) ? "color" : channel;
          return [channel, (shared as readonly string[]).includes(option) ? "shared" : "independent"];
        }),
      );
      return {
        title: singleLine(title, 80),
        description: `${given === undefined ? "" : `${title}: `}${charts.length} charts. ${drawn.map(String).join(" ")}`,
        spec: {
          title: { text: title, offset: 20 },
          ...(datasets && { datasets }),
          spacing: Math.round(spacing),
          columns: across,
          concat: views,
          resolve: { scale: resolve },
        },
        area: drawn.every(({ area }) => area)
          ? { width: Math.max(...drawn.map(({ area }) => area!.width)), across }
          : null,
        ...combinedData(drawn),
        text: room =>
          present([given !== undefined && title, ...drawn.map(chart => chart.toText(room))]).join("\n\n"),
      };
    },
  );
}

/** Returns the data of charts as one table after the other, and as records with a column that names the chart. */
export function combinedData(
  charts: readonly Chart[],
  names: readonly string[] = [],
): Pick<Figure, "table" | "records"> {
  return {
    table() {
      const tables = charts.map(chart => chart.source.table());
      return {
        html: html`<div>${tables.map(form => raw(form.html))}</div>`.toString(),
        text: tables.map(form => form.text).join("\n\n"),
      };
    },
    records: () =>
      charts.flatMap(({ source }, index) => {
        const chart = names[index] ?? source.title;
        return recordsOf(source).map(record => ({ chart, ...record }));
      }),
  };
}

/** Throws a `RangeError` for views whose scales along an axis are of different kinds. */
export function checkAxis(views: readonly View[], name: "x" | "y", remedy: string): void {
  const kinds = [...new Set(views.flatMap(view => scalesOf(view, name)))];
  if (kinds.length > 1)
    throw new RangeError(
      `The charts can't share the ${name} axis, which has ${kinds.join(" in one of them and ")} in another. Give them the same scale, or ${remedy}.`,
    );
}

/** Kinds of a view's own scales along an axis; rules and words, whose labels have no separation, take those of others. */
function scalesOf({ encoding, layer }: View, name: "x" | "y"): string[] {
  const { type, scale, axis } = Object(Object(encoding)[name]);
  const kind = type === "nominal" ? "categories" : `a ${scale?.type} scale`;
  const inner = Array.isArray(layer) ? layer.flatMap(part => scalesOf(part, name)) : [];
  return axis && (type === "nominal" || (scale?.type && axis.labelSeparation)) ? [kind, ...inner] : inner;
}

const ofWhole = ["$schema", "background", "config", "padding", "autosize", "datasets", "usermeta"];

/** Returns the specifications of charts as parts of another one: their named data stand together, under names that differ. */
export function partsOf(charts: readonly Chart[]): { views: View[]; datasets?: View } {
  const datasets: View = {};
  const views = charts.map((chart, index) => {
    const spec = markChosen(chart.source.spec, chart.bareSpec) as View;
    const names = new Map<string, string>();
    for (const [name, rows] of Object.entries(isView(spec.datasets) ? spec.datasets : {})) {
      names.set(name, `${name}_${index}`);
      datasets[`${name}_${index}`] = rows;
    }
    const part = Object.fromEntries(Object.entries(spec).filter(([name]) => !ofWhole.includes(name)));
    return names.size > 0 ? renamed(part, names) : part;
  });
  return { views, ...(Object.keys(datasets).length > 0 && { datasets }) };
}

/** Returns an edited specification in which the numbers that differ from the chart's own are marked: no theme scales them. */
function markChosen(own: unknown, edited: unknown, name = ""): unknown {
  if (own === edited || dataNames.includes(name) || name === "title") return edited;
  if (typeof edited === "number") return { [chosen]: edited };
  if (Array.isArray(edited)) return edited.map((entry, index) => markChosen(Object(own)[index], entry));
  if (!isView(edited)) return edited;
  return Object.fromEntries(
    Object.entries(edited).map(([member, value]) => [member, markChosen(Object(own)[member], value, member)]),
  );
}

const renamed = (spec: View, names: ReadonlyMap<string, string>): View =>
  JSON.parse(JSON.stringify(spec), (member, value) => {
    const name = member === "data" ? names.get(Object(value).name) : undefined;
    return name === undefined ? value : { ...value, name };
  });
