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

/** The field of the rows that are each of one qubit. */
const qubit = "qubit";

/** Returns the fields of the two qubits of rows that are each of a pair, as the text of a tooltip gives them away. */
function pairFields({ encoding }: MarkContext, mark: View): readonly string[] | undefined {
  const isPair = [encoding.tooltip].flat().some(each => fieldOf(each) === "pair");
  if (isPair) return isView(mark.encoding) && "shape" in mark.encoding ? ["x", "y"] : ["a", "b"];
  return undefined;
}

const fieldsOf = ({ encoding }: MarkContext) => Object.values(encoding).flat().map(fieldOf);

/** Whether a mark stands for one qubit. */
const encodesQubit = (context: MarkContext) => fieldsOf(context).includes(qubit);

/** Whether qubits stand along the horizontal axis, so that a range of them can be brushed. */
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

/**
 * Returns a specification in which all that is of the qubit under the pointer, or of a brushed range of qubits, stands
 * out: in the map, and in each strip.
 */
export function linkQubits(spec: View): View {
  const found = { qubits: false, strips: false };
  mapPlots(spec, plot =>
    mapMarks(plot, (mark, context) => {
      found.qubits ||= encodesQubit(context);
      found.strips ||= isQubitAxis(context);
      return mark;
    }),
  );
  if (!found.qubits) return spec;
  const selections = found.strips ? [hover, brush] : [hover];
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
    const along = withSelections(linked, found.strips ? [brush] : [], (_, context) => isQubitAxis(context));
    return withSelections(along, [hover], (_, context) => encodesQubit(context));
  });
}
