import { createRequire } from "node:module";
import { type FontFace, facesFor, fontOptions, isBoldTag, type TextFont } from "./fonts.ts";
import type { Theme } from "./theme.ts";
import { fontAt } from "./true-type.ts";
import { textWidth } from "./vega/metrics.ts";

const texts = /<(?:g|svg)\b[^>]*font-family="([^"]*)"|(<text\b[^>]*>)([^<]*(?:<tspan[^>]*>[^<]*<\/tspan>)*)/g;

/**
 * Draws characters that a font lacks with another font, or writes their code points, such as `‹U+1F514›`, and says which
 * and whether fonts of this machine are needed. Each run of a font may have a position, as Resvg draws one in one font.
 */
export function drawableText(svg: string, textFont: Theme["font"] = "Inter", isPlaced: boolean = false) {
  // Fonts of text have these characters.
  if (!/>[^<]*[^\n\t -~·×±°µ<][^<]*</.test(svg)) return { svg, needsSystemFonts: false, missing: [] };
  const missing: string[] = [];
  let inherited = "";
  let needsSystemFonts = false;
  const drawable = svg.replace(texts, (whole, families?: string, tag?: string, body = "") => {
    inherited = families ?? inherited;
    if (!tag) return whole;
    const font: TextFont = {
      families: /font-family="([^"]*)"/.exec(tag)?.[1] ?? inherited,
      isBold: isBoldTag(tag),
      textFont,
    };
    const written = body.replace(/(^|>)([^<]+)/g, (_: string, before: string, text: string) => {
      const runs = fontRuns(text, font);
      missing.push(...runs.flatMap(run => (run.isCodePoint ? run.text : [])));
      needsSystemFonts ||= runs.some(({ family }) => family === systemFamily);
      const isAlone = isPlaced && runs.length > 1 && text === body;
      return before + (isAlone ? placedRuns(runs, tag, font) : flowingRuns(text, runs));
    });
    return tag + written;
  });
  return { svg: drawable, needsSystemFonts, missing };
}

const minShare = 0.6;
const fallbackMargin = 1.15;

/** Font size factor of text that code points make longer, to keep it in its room. */
function shareOf(text: string, runs: readonly FontRun[]): number {
  if (!runs.some(({ isCodePoint }) => isCodePoint)) return 1;
  const after = textWidth({}, runs.map(writtenRun).join("")) * fallbackMargin;
  return Math.min(1, Math.max(minShare, textWidth({}, text) / after));
}

function flowingRuns(text: string, runs: readonly FontRun[]): string {
  const written = runs.map(run =>
    run.family ? `<tspan font-family="${run.family}">${writtenRun(run)}</tspan>` : writtenRun(run),
  );
  const share = shareOf(text, runs);
  return share < 1
    ? `<tspan font-size="${share.toFixed(2)}em">${written.join("")}</tspan>`
    : written.join("");
}

const attributeOf = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

/** Writes each run at its place, as wide as the widths of its letters say. */
function placedRuns(runs: readonly FontRun[], tag: string, font: TextFont): string {
  const share = shareOf(runs.map(({ text }) => text).join(""), runs);
  const size = Number.parseFloat(attributeOf(tag, "font-size") ?? "12") * share;
  const widths = runs.map(run => runWidth(run, font) * size);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const anchor = { middle: 0.5, end: 1 }[attributeOf(tag, "text-anchor") ?? ""] ?? 0;
  let x = Number.parseFloat(attributeOf(tag, "x") ?? "0") - anchor * total;
  return runs
    .map((run, index) => {
      const family = run.family ? ` font-family="${run.family}"` : "";
      const smaller = share < 1 ? ` font-size="${size.toFixed(2)}px"` : "";
      const written = `<tspan x="${x.toFixed(2)}" text-anchor="start" xml:space="preserve"${family}${smaller}>${writtenRun(run)}</tspan>`;
      x += widths[index]!;
      return written;
    })
    .join("");
}

/** Returns a picture of which text that only fonts of this machine have stands as outlines, so it needs none of them. */
export function outlinedText(svg: string, textFont: Theme["font"] = "Inter"): string {
  const { svg: drawable, needsSystemFonts } = drawableText(svg, textFont);
  if (!needsSystemFonts) return drawable;
  const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const font = fontOptions(textFont, true);
  const group = /<g [^>]*font-family="[^>]*>/.exec(drawable)?.[0] ?? "<g>";
  return drawable.replace(/<text\b[^>]*>.*?<\/text>/gs, text => {
    if (!text.includes(`font-family="${systemFamily}"`)) return text;
    const plain = text.replace(/<\/?tspan[^>]*>/g, "");
    const { svg: placed } = drawableText(plain, textFont, true);
    const alone = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000">${group}${placed}</g></svg>`;
    const [, outlines = ""] = /<defs\/>(.*)<\/svg>/s.exec(new Resvg(alone, { font }).toString()) ?? [];
    return outlines.trim();
  });
}

const systemFamily = "system-ui";

/** Characters that combine with their neighbours or join them. */
const joiner = /^[\p{M}\u200c\u200d]$/u;

interface FontRun {
  text: string;
  /** The family that it is drawn in; missing for the text's own. */
  family?: string;
  /** Whether the run stands for characters that no font has. */
  isCodePoint?: boolean;
}

const hasGlyphs = (face: FontFace, grapheme: string) =>
  [...grapheme].every(
    each => joiner.test(each) || each < " " || fontAt(face.path).hasGlyphForCodePoint(each.codePointAt(0)!),
  );

const graphemesOf = (text: string) =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** Splits a string into runs of one font each: the theme's where it has the characters, else a fallback. */
function fontRuns(text: string, font: TextFont): FontRun[] {
  if (/^[\n\t -~]*$/.test(text)) return [{ text }];
  const [own, ...others] = facesFor(font);
  const graphemes = graphemesOf(text);
  const familyOf = (grapheme: string) =>
    hasGlyphs(own, grapheme)
      ? undefined
      : (others.find(face => hasGlyphs(face, grapheme))?.family ?? systemFamily);
  const foreign = graphemes.filter(grapheme => familyOf(grapheme) === systemFamily);
  const characters = foreign.flatMap(grapheme => [...grapheme]);
  probeSystemFonts(characters, font.textFont);
  const runs: FontRun[] = [];
  for (const grapheme of graphemes) {
    const run = runOf(grapheme, familyOf(grapheme));
    const last = runs.at(-1);
    if (last && last.family === run.family && last.isCodePoint === run.isCodePoint) last.text += run.text;
    else runs.push(run);
  }
  return joinWords(runs);
}

function runOf(grapheme: string, family: string | undefined): FontRun {
  if (family === undefined) return { text: grapheme };
  const isDrawn =
    family !== systemFamily || [...grapheme].every(each => joiner.test(each) || isDrawnBySystem(each));
  return isDrawn ? { text: grapheme, family } : { text: grapheme, isCodePoint: true };
}

/** Joins runs of one font that only a space is between: words from right to left keep their order. */
function joinWords(runs: readonly FontRun[]): FontRun[] {
  const joined: FontRun[] = [];
  for (const run of runs) {
    const [before, space] = [joined.at(-2), joined.at(-1)];
    if (before && run.family && before.family === run.family && space?.text === " " && !space.family) {
      joined.pop();
      before.text += ` ${run.text}`;
    } else joined.push({ ...run });
  }
  return joined;
}

/** Returns a run as it is written: characters that no font has by the code point of the first, and how many more there are. */
function writtenRun({ text, isCodePoint }: FontRun): string {
  if (!isCodePoint) return text;
  const point = `U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  const others = graphemesOf(text).length - 1;
  return `‹${point}${others > 0 ? ` +${others}` : ""}›`;
}

const entities: { readonly [name: string]: string } = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Returns the characters that a text of SVG stands for. */
export const unescaped = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex, decimal, name) =>
    name ? (entities[name] ?? "") : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  );

function runWidth(run: FontRun, textFont: TextFont): number {
  const faces = facesFor(textFont);
  const face = faces.find(({ family }) => family === run.family) ?? faces[0];
  const font = fontAt(face.path);
  const widthOf = (each: string) =>
    font.glyphForCodePoint(each.codePointAt(0)!).advanceWidth / font.unitsPerEm;
  return [...unescaped(writtenRun(run))].reduce(
    (sum, each) => sum + (joiner.test(each) ? 0 : widthOf(each)),
    0,
  );
}

const unassigned = "\u{10fffd}";
const cell = 24;
const maxKnown = 4096;

const drawn = new Map<string, boolean>();

/** Finds out which characters can be drawn: those that do not look like one that no font has, nor like nothing. */
function probeSystemFonts(characters: readonly string[], textFont: Theme["font"]): void {
  if (drawn.size > maxKnown) drawn.clear();
  const probed = [...new Set(characters)].filter(each => !drawn.has(each)).slice(0, 1024);
  if (probed.length === 0) return;
  const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const texts = [unassigned, " ", ...probed].map(
    (character, row) => `<text x="${cell / 4}" y="${cell * (row + 0.75)}">${character}</text>`,
  );
  const size = `width="${3 * cell}" height="${cell * texts.length}"`;
  const { pixels, width } = new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="Inter" font-size="14">${texts.join("")}</svg>`,
    { font: fontOptions(textFont, true) },
  ).render();
  const look = (row: number) =>
    Buffer.from(pixels.subarray(row * cell * width * 4, (row + 1) * cell * width * 4)).toString("latin1");
  const [missing, nothing] = [look(0), look(1)];
  for (const [index, character] of probed.entries()) {
    const image = look(index + 2);
    drawn.set(character, image !== missing && image !== nothing);
  }
}

const isDrawnBySystem = (character: string) => drawn.get(character) ?? false;
