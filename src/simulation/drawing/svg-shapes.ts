import type { Mark } from "./grid.ts";

/** The colour of gates' edges and of the lines that join their parts. */
export const BLUE = "#155ec1";
/** The colour of loops and conditions. */
export const VERMILION = "#cb5e35";
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

const round = (value: number): number => Math.round(value * 10) / 10;

/** Returns a line. */
export function line(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  colour: string,
  extra = "",
  width = 1.5,
): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${colour}" stroke-width="${width}"${extra}/>`;
}

/** Returns a circle. */
export const circle = (x: number, y: number, r: number, colour: string, extra = ""): string =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${r}" fill="${colour}"${extra}/>`;

/** Returns a white rectangle with round corners and a coloured edge. */
export const box = (x: number, y: number, width: number, height: number, edge: string): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="4" fill="${WHITE}" stroke="${edge}" stroke-width="1.4"/>`;

/** Returns a line through points; gaps between them begin with `M`. */
export const path = (
  steps: readonly (string | number)[],
  colour: string,
  extra = ' stroke-width="1.4"',
  fill = "none",
): string =>
  `<path d="${steps.map(step => (typeof step === "number" ? `${round(step)} ` : step)).join("")}" fill="${fill}" stroke="${colour}"${extra}/>`;

/** Returns a `<text>` element whose middle is at the height `y`; an empty one is left out. */
export function text(
  x: number,
  y: number,
  content: string,
  colour: string,
  anchor: string,
  size = 12,
): string {
  if (content === "") return "";
  return `<text x="${round(x)}" y="${round(y + size / 3)}" fill="${colour}" text-anchor="${anchor}" font-size="${size}">${escapeXml(content)}</text>`;
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
