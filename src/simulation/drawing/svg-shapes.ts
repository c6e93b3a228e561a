import type { Mark } from "./grid.ts";

/** The colour of gates' edges and of the lines that join their parts. */
export const BLUE = "#155ec1";
/** The colour of conditions. */
export const VERMILION = "#cb5e35";
/** The colour of loops. */
export const VIOLET = "#8d66bd";
/** The colour of wires and of what is classical. */
export const GREY = "#767676";
/** The colour of labels: the `color` of the picture. */
export const TEXT = "currentColor";
/** The colour of boxes, on every page. */
export const WHITE = "#ffffff";
/** The colour of text in boxes. */
export const INK = "#16181d";

/** The colours of the edges of marks that are boxes. */
export const EDGES: Partial<Record<Mark["kind"], string>> = {
  gate: BLUE,
  composite: "#058158",
  measure: GREY,
  reset: GREY,
  delay: GREY,
  assignment: GREY,
};

/** The height of a gate, in pixels. */
export const BOX = 26;
/** The width of a character of the size 12. */
export const CHARACTER = 7.3;

/** A line, a box or another outline of a drawing. */
export interface Outline {
  /** Its path, as SVG writes it. */
  readonly path: string;
  readonly stroke: string;
  readonly fill: string;
  readonly width: number;
  readonly isDashed: boolean;
  /** Whether it is the box of a gate, which has the colour of its edge in a filled drawing. */
  readonly isBox: boolean;
}

/** A text of a drawing. */
export interface Label {
  readonly text: string;
  readonly x: number;
  /** Height of its baseline. */
  readonly y: number;
  readonly color: string;
  readonly anchor: "start" | "middle" | "end";
  readonly size: number;
}

/** A part of a drawing. */
export type Shape = Outline | Label;

const round = (value: number): number => Math.round(value * 10) / 10;

/** Returns a line through points; gaps between them begin with `M`. */
export const path = (
  steps: readonly (string | number)[],
  stroke: string,
  { width = 1.4, fill = "none", isDashed = false, isBox = false }: Partial<Outline> = {},
): Outline => ({
  path: steps.map(step => (typeof step === "number" ? `${round(step)} ` : step)).join(""),
  ...{ stroke, fill, width, isDashed, isBox },
});

/** Returns a line. */
export const line = (
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  look: Partial<Outline> = {},
): Outline => path(["M", x1, y1, "L", x2, y2], stroke, { width: 1.5, ...look });

/** Returns a circle. */
export const circle = (x: number, y: number, r: number, stroke: string, fill = stroke): Outline =>
  path(["M", x - r, y, "a", r, r, 0, 1, 0, 2 * r, 0, "a", r, r, 0, 1, 0, -2 * r, 0, "Z"], stroke, {
    ...{ width: 1.5, fill },
  });

/** Returns a white rectangle with round corners and a coloured edge. */
export function box(x: number, y: number, width: number, height: number, edge: string): Outline {
  const corner = (dx: number, dy: number) => ["a", 4, 4, 0, 0, 1, dx, dy];
  return path(
    [
      ...["M", x + 4, y, "h", width - 8, ...corner(4, 4), "v", height - 8, ...corner(-4, 4)],
      ...["h", 8 - width, ...corner(-4, -4), "v", 8 - height, ...corner(4, -4), "Z"],
    ],
    edge,
    { fill: WHITE, isBox: true },
  );
}

/** Returns a text whose middle is at the height `y`. */
export const text = (
  x: number,
  y: number,
  content: string,
  color: string,
  anchor: Label["anchor"],
  size = 12,
): Label => ({ text: content, x: round(x), y: round(y + size / 3), color, anchor, size });

/** Returns a shape with gates filled: boxes in the colour of their edges, what is in them in white. */
export function filledShape(shape: Shape): Shape {
  if (!("path" in shape)) return shape.color === INK ? { ...shape, color: WHITE } : shape;
  if (shape.isBox) return { ...shape, fill: shape.stroke };
  return shape.stroke === INK ? { ...shape, stroke: WHITE } : shape;
}

/** Returns a shape as an SVG element; nothing for an empty text. */
export function shapeSvg(shape: Shape): string {
  if ("path" in shape) {
    const dashes = shape.isDashed ? ' stroke-dasharray="4 3"' : "";
    return `<path d="${shape.path}" fill="${shape.fill}" stroke="${shape.stroke}" stroke-width="${shape.width}"${dashes}/>`;
  }
  if (shape.text === "") return "";
  return `<text x="${shape.x}" y="${shape.y}" fill="${shape.color}" text-anchor="${shape.anchor}" font-size="${shape.size}">${escapeXml(shape.text)}</text>`;
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeXml(content: string): string {
  return content
    .replace(/[&<>"']/g, character => ENTITIES[character]!)
    .replace(/[^\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "?");
}
