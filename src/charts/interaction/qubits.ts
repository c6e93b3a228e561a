import {
  fading,
  fieldOf,
  isNested,
  isView,
  mapMarks,
  mapPlots,
  type Surroundings,
  type View,
  withSelections,
} from "./views.ts";

/** The field of the rows that are each of one qubit. */
const qubit = "qubit";

/** The fields of the two qubits of rows that are each of a pair, as the text of a tooltip gives them away. */
function pairFields({ encoding }: Surroundings, mark: View): readonly string[] | undefined {
  const isPair = [encoding.tooltip].flat().some(each => fieldOf(each) === "pair");
  if (isPair) return isView(mark.encoding) && "shape" in mark.encoding ? ["x", "y"] : ["a", "b"];
  return undefined;
}

const fieldsOf = ({ encoding }: Surroundings) => Object.values(encoding).flat().map(fieldOf);

/** Whether a mark stands for one qubit. */
const isOfQubit = (around: Surroundings) => fieldsOf(around).includes(qubit);

/** Whether qubits stand along the horizontal axis, so that a range of them can be brushed. */
const isAlong = ({ encoding: { x } }: Surroundings) =>
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
    mapMarks(plot, (mark, around) => {
      found.qubits ||= isOfQubit(around);
      found.strips ||= isAlong(around) && !isNested(spec);
      return mark;
    }),
  );
  if (!found.qubits) return spec;
  const selections = found.strips ? [hover, brush] : [hover];
  return mapPlots(spec, plot => {
    const linked = mapMarks(plot, (mark, around) => {
      const pair = pairFields(around, mark);
      if (pair)
        return fading(mark, { test: selections.map(({ name }) => `(${isChosen(name, pair)})`).join(" && ") });
      if (!isOfQubit(around) || !around.sharesData) return mark;
      return fading(mark, { test: { and: selections.map(({ name }) => ({ param: name })) } });
    });
    const along = withSelections(linked, found.strips ? [brush] : [], (_, around) => isAlong(around));
    return withSelections(along, [hover], (_, around) => isOfQubit(around));
  });
}
