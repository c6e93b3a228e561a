import { textWidth } from "./labels.ts";

/** Colours of a circuit on white and on black: a word in each has a contrast of 4.5:1, a line one of 3:1. */
export const circuitColors = {
  light: {
    ...{ gate: "#155ec1", block: "#058158", loop: "#45297c", condition: "#a44a27" },
    ...{ wire: "#868e96", text: "#1b1f24", inside: "#1b1f24", lesser: "#57606a", ground: "#ffffff" },
  },
  dark: {
    ...{ gate: "#5b8ef0", block: "#7fcf9f", loop: "#a98ad2", condition: "#f28a3c" },
    ...{ wire: "#757c84", text: "#ececee", inside: "#ececee", lesser: "#aab0b7", ground: "#111111" },
  },
} as const;

/** A colour of a drawing by what it is for; `inside` is that of what is in boxes. */
export type Role = keyof (typeof circuitColors)["light"];

export type CircuitColors = { readonly [role in Role]: string };

interface Outline {
  readonly path: string;
  readonly stroke: Role | "none";
  readonly fill: Role | "none";
  readonly width: number;
  readonly isDashed?: boolean;
  /** Whether it is only a tint of its colour. */
  readonly isTint?: boolean;
  /** Whether it is the box of a gate, which has the colour of its edge in a filled drawing. */
  readonly isBox?: boolean;
}

interface Label {
  readonly text: string;
  readonly x: number;
  /** Height of its baseline. */
  readonly y: number;
  readonly color: Role;
  readonly anchor: "start" | "middle" | "end";
  readonly size: number;
  readonly weight: 400 | 600;
  /** Grey text that follows it. */
  readonly tail?: string;
}

export type Shape = Outline | Label;

const round = (value: number): number => Math.round(value * 10) / 10;

/** Returns a line through points; gaps between them begin with `M`. */
export const path = (
  steps: readonly (string | number)[],
  stroke: Outline["stroke"],
  look: Partial<Outline> = {},
): Outline => ({
  path: steps.map(step => (typeof step === "number" ? `${round(step)} ` : step)).join(""),
  ...{ stroke, fill: "none", width: 1.4, ...look },
});

export const line = (
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: Role,
  look: Partial<Outline> = {},
): Outline => path(["M", x1, y1, "L", x2, y2], stroke, { width: 1.5, ...look });

/** Returns the two lines of what is classical, downwards. */
export const doubleLine = (x: number, from: number, to: number, stroke: Role): Outline[] =>
  [-1.5, 1.5].map(aside => line(x + aside, from, x + aside, to, stroke, { width: 1 }));

export const circle = (x: number, y: number, r: number, stroke: Role, fill: Role = stroke): Outline =>
  path(["M", x - r, y, "a", r, r, 0, 1, 0, 2 * r, 0, "a", r, r, 0, 1, 0, -2 * r, 0, "Z"], stroke, {
    ...{ width: 1.5, fill },
  });

/** Returns a rectangle with round corners. */
export function box(
  x: number,
  y: number,
  width: number,
  height: number,
  edge: Outline["stroke"],
  look: Partial<Outline> = { fill: "ground", isBox: true },
): Outline {
  const corner = (dx: number, dy: number) => ["a", 4, 4, 0, 0, 1, dx, dy];
  return path(
    [
      ...["M", x + 4, y, "h", width - 8, ...corner(4, 4), "v", height - 8, ...corner(-4, 4)],
      ...["h", 8 - width, ...corner(-4, -4), "v", 8 - height, ...corner(4, -4), "Z"],
    ],
    edge,
    look,
  );
}

/** Returns a text whose middle is at the height `y`. */
export const text = (
  x: number,
  y: number,
  content: string,
  { color = "text", anchor = "middle", size = 13, weight = 400, tail = "" }: Partial<Label> = {},
): Label => ({
  ...{ text: content, x: round(x), y: round(y + size * 0.36), color, anchor, size, weight },
  ...(tail !== "" && { tail }),
});

/** Widths of letters in shares of the size of the font, rather more than those of Inter. */
const LETTERS: readonly (readonly [RegExp, number])[] = [
  [/[ijlI.,:;'|!]/g, 0.29],
  [/[frt()[\] /]/g, 0.39],
  [/[mwMW@%…]/g, 0.93],
  [/[A-Z]/g, 0.7],
];

export function labelWidth(content: string, size: number): number {
  let width = 0;
  let rest = content;
  for (const [letters, share] of LETTERS) {
    const without = rest.replace(letters, "");
    width += (rest.length - without.length) * share;
    rest = without;
  }
  return (width + textWidth(rest) * 0.62) * size;
}

/** Returns a shape with gates filled: boxes in the colour of their edges, what is in them in that of the ground. */
export function filledShape(shape: Shape): Shape {
  if (!("path" in shape)) return shape.color === "inside" ? { ...shape, color: "ground" } : shape;
  if (shape.isBox) return { ...shape, fill: shape.stroke };
  return shape.stroke === "inside" ? { ...shape, stroke: "ground" } : shape;
}

/** Returns a shape as an SVG element; nothing for an empty text. */
export function shapeSvg(shape: Shape, colors: CircuitColors): string {
  const color = (role: Role | "none") => (role === "none" ? role : colors[role]);
  if ("path" in shape) {
    const dashes = shape.isDashed ? ' stroke-dasharray="1.5 4" stroke-linecap="round"' : "";
    const tint = shape.isTint ? ' fill-opacity="0.07"' : "";
    return `<path d="${shape.path}" fill="${color(shape.fill)}"${tint} stroke="${color(shape.stroke)}" stroke-width="${shape.width}"${dashes}/>`;
  }
  if (shape.text === "") return "";
  const tail = shape.tail
    ? `<tspan fill="${colors.lesser}" font-weight="400">${escapeXml(shape.tail)}</tspan>`
    : "";
  const weight = shape.weight === 400 ? "" : ` font-weight="${shape.weight}"`;
  return `<text x="${shape.x}" y="${shape.y}" fill="${color(shape.color)}" text-anchor="${shape.anchor}" font-size="${shape.size}"${weight}>${escapeXml(shape.text)}${tail}</text>`;
}

const ENTITIES: Record<string, string> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};

function escapeXml(content: string): string {
  return content
    .replace(/[&<>"']/g, character => ENTITIES[character]!)
    .replace(/[^\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "?");
}
