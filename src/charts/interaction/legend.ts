import {
  fadeUnless,
  fieldOf,
  isView,
  type MarkContext,
  mapMarks,
  mapPlots,
  type View,
  withSelections,
} from "./views.ts";

/** Returns the field of a mark whose names stand in a legend. */
function namedField({ encoding: { color }, sharesData }: MarkContext): string | undefined {
  if (!sharesData || !isView(color) || color.type !== "nominal" || color.legend === null) return undefined;
  return fieldOf(color);
}

/** Returns the field that the legend of a plot names. */
function legendField(plot: View): string | undefined {
  let found: string | undefined;
  mapMarks(plot, (mark, context) => {
    found ??= namedField(context);
    return mark;
  });
  return found;
}

const sharesColors = ({ resolve }: View) =>
  isView(resolve) && isView(resolve.scale) && resolve.scale.color === "shared";

/** Returns a specification in which a click on a name of a legend fades all others; a further click takes it back. */
export function fadeByLegend(spec: View): View {
  const names = new Map<string, string>();
  let plots = 0;
  return mapPlots(spec, plot => {
    const field = legendField(plot);
    if (field === undefined) return plot;
    const key = sharesColors(spec) ? field : `${plots++} ${field}`;
    const isNew = !names.has(key);
    if (isNew) names.set(key, `legend_${names.size}`);
    const name = names.get(key)!;
    const fadedPlot = mapMarks(plot, (mark, { sharesData }) =>
      sharesData ? fadeUnless(mark, { param: name }) : mark,
    );
    if (!isNew) return fadedPlot;
    const selection = { name, select: { type: "point", fields: [field], toggle: "true" }, bind: "legend" };
    return withSelections(fadedPlot, [selection], (_, context) => namedField(context) === field);
  });
}
