import { createRequire } from "node:module";
import { textWidth } from "./vega/metrics.ts";

/** What fonts are looked for, as Resvg has it. */
export type FontOptions = NonNullable<import("@resvg/resvg-js").ResvgRenderOptions["font"]>;

/** Characters that the fonts of the library have: they are not looked at any further. */
const known =
  /^[\n\t\x20-\u017f\u0391-\u03c9\u2010-\u2026\u2030\u2039\u203a\u2070-\u2079\u207b\u2080-\u2089\u2190-\u2193\u2202\u2212\u221a\u2260\u2264\u2265\u2500-\u259f\u25a0\u25b2\u25cb\u25cf\u27e8\u27e9]*$/;
/** A character that no font has. */
const unassigned = "\u{10fffd}";
/** What stands over its neighbours or joins them. */
const joiner = /^[\p{M}\u200c\u200d]$/u;
const cell = 24;
const maxKnown = 4096;

/** Whether a character can be drawn with the fonts of this machine. */
const drawable = new Map<string, boolean>();

/**
 * Makes sure that every character of a picture can be drawn: those that the library's fonts lack with a font of this
 * machine, and where that has none as their code points, such as `‹U+1F514›`.
 */
export function drawableText(svg: string, font: FontOptions): { svg: string; font: FontOptions } {
  const unknown = [...svg.matchAll(/>([^<]+)</g)].filter(([, text]) => !known.test(text!));
  if (unknown.length === 0) return { svg, font };
  if (drawable.size > maxKnown) drawable.clear();
  const system = { ...font, loadSystemFonts: true };
  const characters = new Set(unknown.flatMap(([, text]) => [...text!].filter(each => !isDrawn(each))));
  probe([...characters], system);
  const written = svg.replace(/>([^<]+)</g, (whole, text: string) =>
    known.test(text) ? whole : `>${keepWidth(text)}<`,
  );
  return { svg: written, font: system };
}

const split = (text: string): string[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

const [open, close] = ['<tspan font-family="DejaVu Sans">', "</tspan>"];

/** Whether a font has all parts of a character. */
const isDrawn = (grapheme: string): boolean =>
  [...grapheme].every(each => known.test(each) || joiner.test(each) || drawable.get(each));

/**
 * Writes each run of characters that no font has as the code point of the first, and how many more there are.
 * What fonts of the machine have is a part of its own: else one font is looked for that has all.
 */
function withCodePoints(text: string): string {
  if (known.test(text)) return text;
  const kindOf = (part: string) => (known.test(part) ? "known" : isDrawn(part) ? "drawn" : "none");
  const runs: { kind: string; parts: string[] }[] = [];
  for (const part of split(text)) {
    const kind = kindOf(part);
    if (runs.at(-1)?.kind === kind) runs.at(-1)!.parts.push(part);
    else runs.push({ kind, parts: [part] });
  }
  return runs
    .map(({ kind, parts }) => {
      if (kind === "known") return parts.join("");
      if (kind === "drawn") return `${open}${parts.join("")}${close}`;
      const point = `U+${parts[0]!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
      return `‹${point}${parts.length > 1 ? ` +${parts.length - 1}` : ""}›`;
    })
    .join("")
    .replaceAll(`${close} ${open}`, " ");
}

const minShare = 0.6;
/** How much wider letters may be that come from another font. */
const fallbackMargin = 1.15;

/** Writes a string, in a smaller font where code points make it longer, so that it keeps its room. */
function keepWidth(text: string): string {
  const named = withCodePoints(text);
  const after = textWidth({}, named.replace(/<[^>]*>/g, "")) * fallbackMargin;
  const share = Math.max(minShare, textWidth({}, text) / after);
  return named.includes("‹U+") && share < 1
    ? `<tspan font-size="${share.toFixed(2)}em">${named}</tspan>`
    : named;
}

/** Finds out which characters can be drawn: those that do not look like one that no font has, nor like nothing. */
function probe(characters: readonly string[], font: FontOptions): void {
  if (characters.length === 0) return;
  const probed = characters.slice(0, 1024);
  const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const texts = [unassigned, " ", ...probed].map(
    (character, row) => `<text x="${cell / 4}" y="${cell * (row + 0.75)}">${character}</text>`,
  );
  const size = `width="${3 * cell}" height="${cell * texts.length}"`;
  const { pixels, width } = new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="Inter" font-size="14">${texts.join("")}</svg>`,
    { font },
  ).render();
  const look = (row: number) =>
    Buffer.from(pixels.subarray(row * cell * width * 4, (row + 1) * cell * width * 4)).toString("latin1");
  const [missing, nothing] = [look(0), look(1)];
  for (const [index, character] of probed.entries()) {
    const image = look(index + 2);
    drawable.set(character, image !== missing && image !== nothing);
  }
}
