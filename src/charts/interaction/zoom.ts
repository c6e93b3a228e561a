import { fieldOf, isPlot, isView, type MarkContext, mapMarks, type View, withSelections } from "./views.ts";

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
export function zoomLines(spec: View): View {
  if (!isPlot(spec)) return spec;
  const { values } = Object(spec.data) as { values?: unknown };
  let field: string | undefined;
  mapMarks(spec, (mark, context) => {
    if (typeOf(mark) === "line" && context.sharesData && isContinuous(context))
      field = fieldOf(context.encoding.x);
    return mark;
  });
  const places = new Set(Array.isArray(values) ? values.map(row => Object(row)[field ?? ""]) : []);
  if (field === undefined || places.size <= manyPoints) return spec;
  const clipped = mapMarks(spec, mark =>
    typeOf(mark) === "text"
      ? mark
      : { ...mark, mark: { ...Object(mark.mark), type: typeOf(mark), clip: true } },
  );
  return withSelections(clipped, [selection], mark => typeOf(mark) === "line");
}
