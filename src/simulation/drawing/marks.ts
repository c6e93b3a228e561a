import type { Item, Mark } from "./grid.ts";
import type { Row } from "./rows.ts";
import {
  box as boxAt,
  circle,
  doubleLine,
  labelWidth,
  line,
  path,
  type Role,
  type Shape,
  text,
} from "./shapes.ts";

export const BOX = 32;
/** Sizes of names of gates, of their parameters, and of names of wires. */
const [NAME, DETAIL, WIRE] = [13.5, 10.5, 13];

/** The colours of the edges of marks that are boxes. */
const EDGES: Partial<Record<Mark["kind"], Role>> = {
  ...{ gate: "gate", composite: "block", measure: "wire", reset: "wire", delay: "wire", assignment: "wire" },
};

const writtenWidth = (name: string, detail = ""): number =>
  Math.max(labelWidth(name, NAME) + 14, labelWidth(detail, DETAIL) + 12);

/** Returns the width of what belongs together in a column. */
export function itemWidth({ marks, box }: Item): number {
  const pins = marks.map(({ kind, text: name }) => (kind === "pin" ? labelWidth(name, 11) : 0));
  const own = box ? writtenWidth(box.text, box.detail) + 2 * Math.max(...pins) + 10 : 0;
  return Math.max(own, ...marks.map(markWidth));
}

function markWidth({ kind, text: label, detail }: Mark): number {
  if (kind === "bit") return Math.max(BOX, 2 * (labelWidth(label, 11) + 9));
  return kind !== "measure" && EDGES[kind] ? Math.max(BOX, writtenWidth(label, detail)) : BOX;
}

/** Draws what belongs together into a column whose middle is `x`. */
export function drawItem(item: Item, x: number, y: (row: number) => number): Shape[] {
  const { marks, box, top, bottom, join } = item;
  const out: Shape[] = [];
  if (join === "dashed") {
    const ends = (row: number) => !marks.some(mark => mark.row === row);
    for (const { row } of marks)
      if (ends(row - 1)) {
        let last = row;
        while (!ends(last + 1)) last++;
        out.push(line(x, y(row) - BOX / 2, x, y(last) + BOX / 2, "lesser", { isDashed: true }));
      }
  } else if (marks.length > 1 && top < bottom) {
    if (join === "double") out.push(...doubleLine(x, y(top), y(bottom) - 5, "lesser"));
    else out.push(line(x, y(top), x, y(bottom), "gate"));
  }
  const width = itemWidth(item);
  const left = x - width / 2;
  if (box) {
    const from = y(box.top) - BOX / 2;
    const aside = Math.max(
      0,
      ...marks.map(({ kind, text: pin }) => (kind === "pin" ? labelWidth(pin, 11) : 0)),
    );
    out.push(
      boxAt(left, from, width, y(box.bottom) + BOX / 2 - from, "block"),
      ...written(x + aside / 2, (y(box.top) + y(box.bottom)) / 2, box),
    );
  }
  for (const mark of marks)
    if (mark.kind === "pin")
      out.push(text(left + 6, y(mark.row), mark.text, { color: "lesser", anchor: "start", size: 11 }));
    else out.push(...drawMark(mark, x, y(mark.row)));
  return out;
}

/** Writes a name, the axis of a rotation lower, and its parameters below it. */
function written(x: number, y: number, { text: name, detail = "" }: Pick<Mark, "text" | "detail">): Shape[] {
  const [, first = "", axis = ""] = /^(R)([xyz])$/.exec(name) ?? [undefined, name];
  const [size, at] = detail === "" ? [NAME, y] : [12.5, y - 6.5];
  const aside = axis === "" ? 0 : (labelWidth(first, size) - labelWidth(axis, size * 0.78)) / 2;
  return [
    ...(axis === ""
      ? [text(x, at, name, { color: "inside", size })]
      : [
          text(x + aside, at, first, { color: "inside", size, anchor: "end" }),
          text(x + aside + 0.3, at + 2.5, axis, { color: "inside", size: 10, anchor: "start" }),
        ]),
    ...(detail === "" ? [] : [text(x, y + 8, detail, { color: "inside", size: DETAIL })]),
  ];
}

function drawMark(mark: Mark, x: number, y: number): Shape[] {
  const { kind, text: label } = mark;
  const width = markWidth(mark);
  switch (kind) {
    case "control":
      return [circle(x, y, 4, "gate")];
    case "open":
      return [circle(x, y, 4.3, "gate", "ground")];
    case "target":
      return [
        circle(x, y, 10, "gate", "ground"),
        path(["M", x - 10, y, "h", 20, "M", x, y - 10, "v", 20], "gate", { width: 1.5 }),
      ];
    case "swap":
      return [path(["M", x - 6, y - 6, "l", 12, 12, "M", x - 6, y + 6, "l", 12, -12], "gate", { width: 2 })];
    case "bit":
      return [
        path(["M", x - 4.5, y - 7, "L", x + 4.5, y - 7, "L", x, y, "Z"], "lesser", {
          width: 0.5,
          fill: "lesser",
        }),
        text(x + 8, y - 10, label, { color: "lesser", anchor: "start", size: 11 }),
      ];
    case "barrier":
      return [];
    case "measure":
      return [boxAt(x - width / 2, y - BOX / 2, width, BOX, "lesser"), ...meter(x, y + 6)];
    default:
      return [boxAt(x - width / 2, y - BOX / 2, width, BOX, EDGES[kind]!), ...written(x, y, mark)];
  }
}

/** Draws the dial of a measurement, whose needle turns round a point. */
const meter = (x: number, y: number): Shape[] => [
  path(["M", x - 9, y, "A", 9, 9, 0, 0, 1, x + 9, y], "inside"),
  path(["M", x, y, "L", x + 6, y - 12], "inside"),
];

export const namesWidth = (rows: readonly Row[]): number =>
  Math.max(0, ...rows.map(row => labelWidth(row.name + (row.isClassical ? "" : row.index), WIRE) * 1.06));

/** Writes the name of a wire to the left of `x`: that of a qubit with its index in grey, a register's size at a slash. */
export function wireName({ name, index, isClassical }: Row, x: number, y: number): Shape[] {
  const look = { anchor: "end", size: WIRE, weight: 600 } as const;
  if (!isClassical) return [text(x, y, name, { ...look, tail: index })];
  const size = index === "" ? [] : sizeMark(index.slice(1, -1), x + 12, y);
  return [text(x, y, name, { ...look, color: "lesser" }), ...size];
}

const sizeMark = (size: string, x: number, y: number): Shape[] => [
  line(x, y + 5, x + 6, y - 5, "lesser", { width: 1 }),
  text(x + 8, y - 9, size, { color: "lesser", anchor: "start", size: DETAIL }),
];

export const drawWire = ({ isClassical }: Row, from: number, to: number, y: number): Shape[] =>
  (isClassical ? [y - 1.5, y + 1.5] : [y]).map(at =>
    line(from, at, to, at, "wire", { width: isClassical ? 1 : 1.25 }),
  );
