import type { VegaLiteSpec } from "../vega-lite.ts";
import {
  fadeUnless,
  fieldOf,
  isPlot,
  isView,
  type MarkContext,
  mapMarks,
  mapPlots,
  marksOf,
  type View,
  withSelections,
} from "./views.ts";

function hasParameters(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasParameters);
  if (!isView(value)) return false;
  const { data: _, datasets: __, config: ___, ...rest } = value;
  return "params" in rest || Object.values(rest).some(hasParameters);
}

/** Makes a specification answer to the pointer: legends, long lines, qubits. One with own parameters stays. */
export function interactive(spec: VegaLiteSpec): VegaLiteSpec {
  if (hasParameters(spec)) return spec;
  return [fadeByLegend, linkQubits, zoomLines].reduce((view, add) => add(view) as VegaLiteSpec, spec);
}

function namedField({ encoding: { color }, sharesData }: MarkContext): string | undefined {
  if (!sharesData || !isView(color) || color.type !== "nominal" || color.legend === null) return undefined;
  return fieldOf(color);
}

const legendField = (plot: View) => marksOf(plot).flatMap(({ context }) => namedField(context) ?? [])[0];

const sharesColors = ({ resolve }: View) =>
  isView(resolve) && isView(resolve.scale) && resolve.scale.color === "shared";

/** Returns a specification in which a click on a name of a legend fades all others; a further click takes it back. */
function fadeByLegend(spec: View): View {
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

/** Lines of more points than these can be moved and enlarged. */
const manyPoints = 60;

const typeOf = ({ mark }: View) => (isView(mark) ? mark.type : mark);

const isContinuous = ({ encoding: { x } }: MarkContext) =>
  isView(x) && (x.type === "temporal" || x.type === "quantitative");

/** A drag moves the axis, the wheel with Shift enlarges it, and a double click takes both back. */
const selection = {
  name: "zoom",
  select: { type: "interval", encodings: ["x"], zoom: "wheel![event.shiftKey]" },
  bind: "scales",
};

/** Returns a plot of a long line whose horizontal axis answers to the pointer; any other specification stays as it is. */
function zoomLines(spec: View): View {
  if (!isPlot(spec)) return spec;
  const { values } = Object(spec.data) as { values?: unknown };
  const line = marksOf(spec).findLast(
    ({ mark, context }) => typeOf(mark) === "line" && context.sharesData && isContinuous(context),
  );
  const field = fieldOf(line?.context.encoding.x);
  const places = new Set(Array.isArray(values) ? values.map(row => Object(row)[field ?? ""]) : []);
  if (field === undefined || places.size <= manyPoints) return spec;
  const clipped = mapMarks(spec, mark =>
    typeOf(mark) === "text"
      ? mark
      : { ...mark, mark: { ...Object(mark.mark), type: typeOf(mark), clip: true } },
  );
  return withSelections(clipped, [selection], mark => typeOf(mark) === "line");
}

const qubit = "qubit";

/** Returns the fields of the two qubits of rows that are each of a pair, as the text of a tooltip gives them away. */
function pairFields({ encoding }: MarkContext, mark: View): readonly string[] | undefined {
  if (![encoding.tooltip].flat().some(each => fieldOf(each) === "pair")) return undefined;
  return isView(mark.encoding) && "shape" in mark.encoding ? ["x", "y"] : ["a", "b"];
}

const fieldsOf = ({ encoding }: MarkContext) => Object.values(encoding).flat().map(fieldOf);

const encodesQubit = (context: MarkContext) => fieldsOf(context).includes(qubit);

/** Whether the horizontal axis has qubits, to brush a range of them. */
const isQubitAxis = ({ encoding: { x } }: MarkContext) =>
  fieldOf(x) === qubit && isView(x) && x.type === "ordinal";

/** The pointer is over a row of a qubit, and not over an axis. */
const onQubit = `event.item && event.item.datum && isValid(event.item.datum.${qubit})`;

const hover = {
  name: "hovered",
  select: { type: "point", fields: [qubit], on: `pointerover[${onQubit}]`, clear: "pointerout" },
};
const brush = { name: "brushed", select: { type: "interval", encodings: ["x"] } };

/** Whether a row of a pair is of a chosen qubit, or none is chosen. */
const isChosen = (selection: string, fields: readonly string[]) =>
  [
    `!isValid(${selection}.${qubit})`,
    ...fields.map(field => `indexof(${selection}.${qubit}, datum.${field}) >= 0`),
  ].join(" || ");

/** Returns a specification in which the qubit under the pointer, or a brushed range, stands out everywhere. */
function linkQubits(spec: View): View {
  const contexts = marksOf(spec).map(({ context }) => context);
  if (!contexts.some(encodesQubit)) return spec;
  const brushes = contexts.some(isQubitAxis) ? [brush] : [];
  const selections = [hover, ...brushes];
  return mapPlots(spec, plot => {
    const linked = mapMarks(plot, (mark, context) => {
      const pair = pairFields(context, mark);
      if (pair)
        return fadeUnless(mark, {
          test: selections.map(({ name }) => `(${isChosen(name, pair)})`).join(" && "),
        });
      if (!encodesQubit(context) || !context.sharesData) return mark;
      return fadeUnless(mark, { test: { and: selections.map(({ name }) => ({ param: name })) } });
    });
    const along = withSelections(linked, brushes, (_, context) => isQubitAxis(context));
    return withSelections(along, [hover], (_, context) => encodesQubit(context));
  });
}
