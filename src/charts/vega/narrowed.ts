import { fieldOf, isPlot, isView, mapPlots, type View } from "../interaction/views.ts";
import { endLabelStyle } from "../roles.ts";
import { textWidth, wrapRemarks } from "./metrics.ts";

const isPart = (value: unknown): value is View => typeof value === "object" && value !== null;

/** Returns the members of a part that differ from those of another one; a list of another length is returned whole. */
export function difference(from: unknown, to: unknown): unknown {
  if (!isPart(from) || !isPart(to) || (Array.isArray(to) && to.length !== from.length)) return to;
  const names = Object.keys(to).filter(name => JSON.stringify(from[name]) !== JSON.stringify(to[name]));
  return Object.fromEntries(names.map(name => [name, difference(from[name], to[name])]));
}

/** Returns a part with the differences of {@link difference}. */
export function patched(part: unknown, change: unknown): unknown {
  if (!isPart(part) || !isView(change)) return change;
  const copy = (Array.isArray(part) ? [...part] : { ...part }) as { [name: string]: unknown };
  for (const [name, value] of Object.entries(change)) copy[name] = patched(copy[name], value);
  return copy;
}

const minWidth = 120;
/** Room that a text at a mark needs, in heights of its letters: `1,963`. */
const wordLength = 2.8;
const lineHeight = 12;

/** Finds a channel in a plot or in a layer of it. */
function channelOf(name: string, { encoding, layer }: View): View | undefined {
  const channel = (Object(encoding) as View)[name];
  if (isView(channel) && (fieldOf(channel) || "scale" in channel)) return channel;
  return Array.isArray(layer) ? layer.map(each => channelOf(name, each)).find(Boolean) : undefined;
}

/** Returns how many marks with a name stand side by side in a plot. */
function countAcross(plot: View): number {
  const names = ["x", "xOffset"].map(name => channelOf(name, plot)).filter(each => each?.type === "nominal");
  return names.reduce((count, each) => count * (Object(each!.scale).domain?.length ?? 1), 1);
}

const axesOf = ({ encoding, layer }: View): unknown[] => {
  const { x } = Object(encoding) as View;
  return [isView(x) && fieldOf(x) ? [x.axis] : [], Array.isArray(layer) ? layer.flatMap(axesOf) : []].flat();
};

const isPicture = (plot: View) => axesOf(plot).every(axis => axis === null);

/** Returns a horizontal channel with fewer ticks, or with labels that stand upright where they would touch. */
function fewerLabels(x: View, ratio: number, width: number): View {
  if (x.axis === null) return x;
  const axis = (x.axis ?? {}) as View;
  const { domain } = Object(x.scale) as View;
  if (Array.isArray(domain) && x.type === "nominal") {
    const shown = (axis.values ?? domain) as unknown[];
    const step = width / shown.length;
    const widest = shown.reduce((most: number, name) => Math.max(most, textWidth({}, name) + 6), 0);
    const isUpright = axis.labelAngle === -90 || (shown === domain && widest > step);
    const every = Math.max(1, Math.ceil((isUpright ? lineHeight : shown === domain ? 0 : widest) / step));
    const values = shown.filter((_, index) => index % every === 0);
    const names = isUpright && { labelAngle: -90, labelExpr: "datum.label", labelLimit: 110 };
    return { ...x, axis: { ...axis, values, ...names, titleLimit: width } };
  }
  if (axis.labelOverlap === false) return x;
  const count = typeof axis.tickCount === "number" ? Math.max(3, Math.round(axis.tickCount * ratio)) : 4;
  return { ...x, axis: { ...axis, tickCount: count, labelOverlap: "greedy", labelSeparation: 6 } };
}

/** Returns a plot, or a layer of one, in an area of another width; texts that would touch each other go. */
function fitted(view: View, ratio: number, area: number, isRows: boolean, step: number): View[] {
  const { mark, encoding = {}, layer, width } = view;
  const { x, color } = encoding as View;
  const { type, width: bar, height: cell, fontSize, style } = Object(mark) as { [member: string]: unknown };
  const isWord = typeof fontSize === "number" && type === "text" && style !== endLabelStyle && !isRows;
  if (isWord && step < fontSize * wordLength) return [];
  const { legend, scale } = Object(color) as { legend?: unknown; scale?: { domain?: unknown[] } };
  const hasColumns = isView(legend) && typeof legend.columns === "number";
  const name = (scale?.domain ?? []).reduce((most: number, each) => Math.max(most, textWidth({}, each)), 60);
  const columns = Math.max(1, Math.min(4, Math.floor(area / (name + 40))));
  return [
    {
      ...view,
      ...(width !== undefined && { width: area }),
      ...(isView(mark) && {
        mark: {
          ...mark,
          ...(typeof bar === "number" && { width: Math.max(1, bar * ratio) }),
          ...(typeof cell === "number" && type === "rect" && { height: Math.max(1, cell * ratio) }),
        },
      }),
      encoding: {
        ...(encoding as View),
        ...(isView(x) && fieldOf(x) && "axis" in x && { x: fewerLabels(x, ratio, area) }),
        ...(hasColumns && { color: { ...(color as View), legend: { ...legend, columns } } }),
      },
      ...(Array.isArray(layer) && {
        layer: layer.flatMap(each => fitted(each as View, ratio, area, isRows, step)),
      }),
    },
  ];
}

/** Returns panels whose axes have labels again, which panels beside them no longer have for them. */
function withLabels(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLabels);
  if (!isView(value)) return value;
  if (value.labels === false && [null, " "].includes(value.title as null)) return { ...value, labels: true };
  const { data, ...rest } = value;
  return {
    ...(data !== undefined && { data }),
    ...Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, withLabels(part)])),
  };
}

/** Whether the bars of a plot lie below each other: what is beside them keeps its size. */
const isBelowEachOther = (plot: View) =>
  ["nominal", "ordinal"].includes(Object(Object(plot.encoding).y).type) && !hasCells(plot);

/** Whether something is coloured as a cell of a grid, which keeps its shape. */
const hasCells = ({ mark, layer }: View): boolean =>
  Object(mark).type === "rect" || (Array.isArray(layer) && layer.some(hasCells));

function broken(title: unknown, width: number): unknown {
  if (!isView(title)) return title;
  const wrap = (given: unknown, fontSize: number) =>
    wrapRemarks([given ?? []].flat().map(String), width, { fontSize });
  const size = title.orient === "bottom" ? 12 : 15;
  return {
    ...title,
    ...(title.text !== undefined && { text: wrap(title.text, size) }),
    ...(title.subtitle !== undefined && { subtitle: wrap(title.subtitle, 12) }),
  };
}

/** Returns a specification of `width` pixels for `room` pixels: concatenations stack, areas shrink. Maps stay. */
export function narrowed(spec: View, room: number, width: number): View {
  const { hconcat, concat = hconcat, columns: given, ...rest } = spec;
  if (Array.isArray(concat)) {
    const columns = Math.floor((Number(given ?? concat.length) * room) / width);
    const labelled = concat.map(view => withLabels(view as View) as View);
    return columns > 1 ? { ...rest, concat: labelled, columns } : { ...rest, vconcat: labelled };
  }
  let widest = 0;
  mapPlots(spec, plot => {
    if (isPicture(plot)) widest = Math.max(widest, Number(plot.width) || 0);
    return plot;
  });
  if (!isPlot(spec) && widest > room) return spec;
  const whole = isPlot(spec) ? spec : { ...spec, title: broken(spec.title, room) };
  return mapPlots(whole, plot => {
    const across = channelOf("x", plot);
    if (typeof plot.width !== "number" || !across || isPicture(plot)) return plot;
    const area = Math.max(minWidth, Math.floor(plot.width + room - width));
    const ratio = area / plot.width;
    const height = hasCells(plot) ? { height: Math.round(Number(plot.height) * ratio) } : {};
    return {
      ...fitted(plot, ratio, area, isBelowEachOther(plot), area / countAcross(plot))[0],
      ...height,
      title: broken(plot.title, area),
    };
  });
}
