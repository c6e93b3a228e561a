import {
  fading,
  fieldOf,
  isView,
  mapMarks,
  mapPlots,
  type Surroundings,
  type View,
  withSelections,
} from "./views.ts";

/** The field of a mark whose names stand in a legend. */
function namedField({ encoding: { color }, sharesData }: Surroundings): string | undefined {
  if (!sharesData || !isView(color) || color.type !== "nominal" || color.legend === null) return undefined;
  return fieldOf(color);
}

/** The field that the legend of a plot names. */
function legendField(plot: View): string | undefined {
  let found: string | undefined;
  mapMarks(plot, (mark, surroundings) => {
    found ??= namedField(surroundings);
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
      sharesData ? fading(mark, { param: name }) : mark,
    );
    if (!isNew) return fadedPlot;
    const selection = { name, select: { type: "point", fields: [field], toggle: "true" }, bind: "legend" };
    return withSelections(fadedPlot, [selection], (_, around) => namedField(around) === field);
  });
}
