export interface View {
  [member: string]: unknown;
}

export const isView = (value: unknown): value is View =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Members that hold views beside each other. */
export const concatenations = ["hconcat", "vconcat", "concat"];

/** Whether a view has its own area: that of one mark, or of several over each other. */
export const isPlot = (view: View) => "mark" in view || "layer" in view;

/** Returns a specification with each of its plots changed. Facets stay, since each of theirs is one of many. */
export function mapPlots(view: View, change: (plot: View) => View): View {
  if (isPlot(view)) return change(view);
  const member = concatenations.find(name => name in view);
  if (member === undefined) return view;
  const views = view[member] as View[];
  return { ...view, [member]: views.map(each => mapPlots(each, change)) };
}

/** Context of a mark: the channels and data that it inherits from the layers around it, or has itself. */
export interface MarkContext {
  encoding: View;
  /** Whether its rows are those of the whole plot. */
  sharesData: boolean;
}

const merged = (outer: View, inner: View): View => ({
  ...outer,
  ...Object.fromEntries(
    Object.entries(inner).map(([name, channel]) => {
      const under = outer[name];
      return [name, isView(under) && isView(channel) ? { ...under, ...channel } : channel];
    }),
  ),
});

/** Whether a part of a plot has inline rows, not those of a name. */
const hasOwnData = ({ data }: View) => data !== undefined && !(isView(data) && "name" in data);

/** Marks that Vega-Lite draws as several others, which cannot hold a selection. */
const compositeMarks = ["boxplot", "errorband", "errorbar"];

const isComposite = ({ mark }: View) =>
  compositeMarks.some(type => mark === type || (isView(mark) && mark.type === type));

/** Returns a plot with each of its marks changed, but for those that are drawn as several. */
export function mapMarks(
  plot: View,
  change: (mark: View, context: MarkContext) => View,
  context: MarkContext = { encoding: {}, sharesData: true },
  isInner = false,
): View {
  const encoding = merged(context.encoding, isView(plot.encoding) ? plot.encoding : {});
  const sharesData = context.sharesData && !(isInner && hasOwnData(plot));
  if (!("layer" in plot)) return isComposite(plot) ? plot : change(plot, { encoding, sharesData });
  const layer = (plot.layer as View[]).map(each => mapMarks(each, change, { encoding, sharesData }, true));
  return { ...plot, layer };
}

/** Returns the marks of a specification that {@link mapMarks} would change, each with its context. */
export function marksOf(spec: View): { mark: View; context: MarkContext }[] {
  const found: { mark: View; context: MarkContext }[] = [];
  mapPlots(spec, plot =>
    mapMarks(plot, (mark, context) => {
      found.push({ mark, context });
      return mark;
    }),
  );
  return found;
}

export const fieldOf = (channel: unknown) =>
  isView(channel) && typeof channel.field === "string" ? channel.field : undefined;

const defaultOpacity = 1;

/** Opacity factor of marks that are not selected. */
const fadedShare = 0.2;

/** Returns a mark that fades where a condition does not hold. What has an opacity for another reason keeps it. */
export function fadeUnless(mark: View, condition: object): View {
  const encoding = isView(mark.encoding) ? mark.encoding : {};
  const { opacity = defaultOpacity } = isView(mark.mark) ? mark.mark : {};
  if (encoding.opacity !== undefined || typeof opacity !== "number" || opacity === 0) return mark;
  const channel = { condition: { ...condition, value: opacity }, value: opacity * fadedShare };
  return { ...mark, encoding: { ...encoding, opacity: channel } };
}

/** Returns a plot whose first fitting mark has a selection besides. */
export function withSelections(
  plot: View,
  selections: readonly object[],
  fits: (mark: View, context: MarkContext) => boolean,
): View {
  let isPlaced = false;
  return mapMarks(plot, (mark, context) => {
    if (isPlaced || !fits(mark, context)) return mark;
    isPlaced = true;
    const params = Array.isArray(mark.params) ? mark.params : [];
    return { ...mark, params: [...params, ...selections] };
  });
}
