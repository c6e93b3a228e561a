import { fieldOf, isPlot, isView, mapMarks, type View } from "./views.ts";

/** More bars than this, or more points of a line, have an overview below them. */
const manyBars = 32;
const manyPoints = 60;

/** Name of the part of an axis that is chosen. */
export const zoom = "zoom";
const overviewShare = 0.16;
const barShare = 0.72;
/** Labels that stand in the area of the bars when a part of them is chosen. */
const labelledBars = 40;

/** What runs along the horizontal axis of a plot. */
interface LongAxis {
  channel: View;
  field: string;
  /** The names of bars, in order; `undefined` where the axis is one of numbers or moments. */
  names?: readonly unknown[];
}

const markOf = ({ mark }: View): View => (isView(mark) ? mark : { type: mark });

const marksOf = (plot: View): { mark: View; encoding: View; sharesData: boolean; whole: View }[] => {
  const marks: { mark: View; encoding: View; sharesData: boolean; whole: View }[] = [];
  mapMarks(plot, (whole, { encoding, sharesData }) => {
    const mark = markOf(whole);
    marks.push({ mark, encoding, sharesData, whole });
    return whole;
  });
  return marks;
};

const rowsOf = ({ data }: View) => (isView(data) && Array.isArray(data.values) ? data.values : []);

/** Returns the axis of a plot that is too long to be read at once; `undefined` for any other. */
function longAxis(plot: View): LongAxis | undefined {
  const main = marksOf(plot).find(
    ({ mark, sharesData }) => sharesData && ["bar", "line"].includes(mark.type as string),
  );
  const channel = main?.encoding.x;
  const field = fieldOf(channel);
  if (!main || !isView(channel) || field === undefined) return undefined;
  const names = isView(channel.scale) ? channel.scale.domain : undefined;
  if (main.mark.type === "bar" && Array.isArray(names))
    return names.length > manyBars ? { channel, field, names } : undefined;
  const isContinuous = channel.type === "temporal" || channel.type === "quantitative";
  const points = new Set(rowsOf(plot).map(row => (isView(row) ? String(row[field]) : "")));
  return main.mark.type === "line" && isContinuous && points.size > manyPoints
    ? { channel, field }
    : undefined;
}

/** Every name is a place on the axis, whether a bar stands there or not. */
const places = ({ channel, field, names = [] }: LongAxis) => ({
  data: { values: names.map(name => ({ [field]: name })) },
  mark: { type: "point", opacity: 0, tooltip: null },
  encoding: { x: { field, type: channel.type, sort: null } },
});

/** Returns the horizontal axis of the part that is chosen: all labels where there is room for them. */
function zoomedChannel({ channel, field, names }: LongAxis): View {
  const { domain: _, ...scale } = isView(channel.scale) ? channel.scale : ({} as View);
  const axis = isView(channel.axis) ? channel.axis : {};
  const chosen = `${zoom}[${JSON.stringify(field)}]`;
  const written = Array.isArray(axis.values)
    ? {
        values: {
          expr: `isValid(${chosen}) && length(${chosen}) <= ${labelledBars} ? ${chosen} : ${JSON.stringify(axis.values)}`,
        },
      }
    : {};
  return {
    ...channel,
    scale: { ...scale, ...(!names && { nice: false }), domain: { param: zoom, encoding: "x" } },
    ...(channel.axis !== null && { axis: { ...axis, ...written } }),
  };
}

/** Returns a plot of the part that is chosen. */
function detail(plot: View, along: LongAxis): View {
  const { names } = along;
  const channel = zoomedChannel(along);
  const zoomed = (view: View): View => {
    const encoding = isView(view.encoding) ? view.encoding : undefined;
    const { mark } = view;
    const isBar = isView(mark) && mark.type === "bar" && typeof mark.width === "number";
    return {
      ...view,
      ...(encoding && {
        encoding: {
          ...encoding,
          ...(fieldOf(encoding.x) && isView(encoding.x) && "type" in encoding.x && { x: channel }),
        },
      }),
      ...(mark !== undefined && {
        mark: {
          ...markOf(view),
          ...(!names && { clip: true }),
          ...(isBar && names && { cornerRadiusEnd: 0, width: { band: encoding?.xOffset ? 0.9 : barShare } }),
        },
      }),
      ...(Array.isArray(view.layer) && { layer: view.layer.map(each => zoomed(each as View)) }),
    };
  };
  const drawn = zoomed(plot);
  if (!names) return drawn;
  const transform = [...(Array.isArray(plot.transform) ? plot.transform : []), { filter: { param: zoom } }];
  const layer = Array.isArray(drawn.layer) ? drawn.layer : [drawn];
  return { ...drawn, transform, layer: [places(along), ...layer] };
}

/** All of the plot, small: its bars or lines alone, without words. */
function overview(plot: View, { channel, names }: LongAxis): View {
  const withoutAxis = (encoding: View, role: "x" | "y") =>
    isView(encoding[role]) ? { [role]: { ...encoding[role], axis: null } } : {};
  const marks = marksOf(plot).filter(
    ({ mark, sharesData }) => sharesData && ["bar", "line"].includes(mark.type as string),
  );
  const layer = marks.map(({ mark, encoding, whole }, index) => {
    const { tooltip: _, ...channels } = encoding;
    const color =
      isView(channels.color) && fieldOf(channels.color) ? { color: { ...channels.color, legend: null } } : {};
    const { strokeDash: __, ...kept } = channels;
    return {
      ...(Array.isArray(whole.transform) && { transform: whole.transform }),
      mark: {
        ...mark,
        ...(mark.type === "line" ? { strokeWidth: 1 } : { cornerRadiusEnd: 0 }),
        ...{ tooltip: null, opacity: 0.6 },
      },
      encoding: {
        ...kept,
        ...withoutAxis(kept, "y"),
        ...color,
        x: {
          ...channel,
          axis: null,
          ...(!names && isView(channel.scale) && { scale: { ...channel.scale, nice: false } }),
        },
      },
      ...(index === 0 && { params: [{ name: zoom, select: { type: "interval", encodings: ["x"] } }] }),
    };
  });
  return {
    width: plot.width,
    height: Math.max(24, Math.round(Number(plot.height) * overviewShare)),
    layer,
  };
}

/** Members of a whole specification, which stay with the whole. */
const ofWhole = ["$schema", "description", "background", "config", "padding", "datasets", "data", "usermeta"];

/**
 * Returns a specification of one long plot with all of it once more below, small: what is brushed there fills the
 * area above. Any other specification stays as it is.
 */
export function withOverview(spec: View): View {
  const along =
    isPlot(spec) && typeof spec.width === "number" && typeof spec.height === "number"
      ? longAxis(spec)
      : undefined;
  if (!along) return spec;
  const [whole, plot] = [true, false].map(isWhole =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => ofWhole.includes(name) === isWhole)),
  ) as [View, View];
  const resolve = { scale: { color: "independent", opacity: "independent", strokeDash: "independent" } };
  return { ...whole, spacing: 12, vconcat: [detail(plot, along), overview(plot, along)], resolve };
}
