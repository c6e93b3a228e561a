import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { readFont, type TrueType } from "./fonts/true-type.ts";
import { type FontFace, fontFaces, fontFamily, fontFiles } from "./fonts.ts";
import type { Theme } from "./theme.ts";
import { textWidth } from "./vega/metrics.ts";

/** What stands over its neighbours or joins them. */
const joiner = /^[\p{M}\u200c\u200d]$/u;
/** The family of text that only fonts of this machine have. */
const systemFamily = "system-ui";
/** A character that no font has. */
const unassigned = "\u{10fffd}";
const cell = 24;
const maxKnown = 4096;

/** A picture of which every character can be drawn. */
export interface DrawableSvg {
  svg: string;
  /** Whether some of its text needs fonts of this machine besides those of the library. */
  needsSystemFonts: boolean;
}

/** Returns how Resvg finds fonts: those of the library and of a theme, and those of the machine where they are needed. */
export const fontOptions = (textFont: Theme["font"], loadSystemFonts = false) => ({
  loadSystemFonts,
  fontFiles: fontFiles(textFont),
  defaultFontFamily: fontFamily(textFont),
  sansSerifFamily: fontFamily(textFont),
  monospaceFamily: "DejaVu Sans Mono",
});

/**
 * Makes sure that every character of a picture can be drawn: those that the font of a text lacks with another font of
 * the library, else with one of this machine, and where that has none as their code points, such as `‹U+1F514›`.
 */
export function drawableText(svg: string, textFont: Theme["font"] = "Inter"): DrawableSvg {
  if (!/>[^<]*[^\n\t -~][^<]*</.test(svg)) return { svg, needsSystemFonts: false };
  const faces = fontFaces(textFont);
  let inherited = "";
  let needsSystemFonts = false;
  const drawable = svg.replace(/<(g|svg|text)\b([^>]*)>([^<]*(?:<tspan[^>]*>[^<]*<\/tspan>)*)/g, tagged => {
    const families = /^<[^>]*font-family="([^"]*)"/.exec(tagged)?.[1];
    if (!tagged.startsWith("<text")) {
      inherited = families ?? inherited;
      return tagged;
    }
    const own = faceOf(faces, families ?? inherited);
    return tagged.replace(/>([^<]+)/g, (_, text: string) => {
      const runs = runsOf(text, own, faces, textFont);
      needsSystemFonts ||= runs.some(({ family }) => family === systemFamily);
      return `>${keepWidth(text, runs)}`;
    });
  });
  return { svg: drawable, needsSystemFonts };
}

/** Returns a picture of which text that only fonts of this machine have stands as outlines, so that it needs none of them. */
export function outlinedText(svg: string, textFont: Theme["font"] = "Inter"): string {
  const { svg: drawable, needsSystemFonts } = drawableText(svg, textFont);
  if (!needsSystemFonts) return drawable;
  const { Resvg } = createRequire(import.meta.url)("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const font = fontOptions(textFont, true);
  const group = /<g [^>]*font-family="[^>]*>/.exec(drawable)?.[0] ?? "<g>";
  return drawable.replace(/<text\b[^>]*>.*?<\/text>/gs, text => {
    if (!text.includes(`font-family="${systemFamily}"`)) return text;
    const alone = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000">${group}${text}</g></svg>`;
    const [, outlines = ""] = /<defs\/>(.*)<\/svg>/s.exec(new Resvg(alone, { font }).toString()) ?? [];
    return outlines.trim();
  });
}

/** A run of characters that are drawn in one font; `family` is missing for the text's own. */
interface Run {
  text: string;
  family?: string;
  /** Whether it stands for characters that no font has. */
  isCodePoint?: boolean;
}

/** The face that a list of families names first: of the library's, or else the first one. */
function faceOf(faces: readonly FontFace[], families: string): FontFace {
  const names = families.split(",").map(name => name.replaceAll(/&quot;|'/g, "").trim());
  return names.flatMap(name => faces.find(({ family }) => family === name) ?? [])[0] ?? faces[0]!;
}

function runsOf(text: string, own: FontFace, faces: readonly FontFace[], textFont: Theme["font"]): Run[] {
  if (/^[\n\t -~]*$/.test(text)) return [{ text }];
  const graphemes = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  const proportional = faces.toSorted((one, other) => Number(isMono(one)) - Number(isMono(other)));
  const fallback = (grapheme: string) => proportional.find(face => hasGlyphs(face, grapheme));
  const isForeign = (grapheme: string) => !hasGlyphs(own, grapheme) && !fallback(grapheme);
  probe(
    graphemes.filter(isForeign).flatMap(grapheme => [...grapheme]),
    textFont,
  );
  const runs: Run[] = [];
  for (const grapheme of graphemes) {
    const run = runOf(
      grapheme,
      hasGlyphs(own, grapheme) ? undefined : (fallback(grapheme)?.family ?? systemFamily),
    );
    const last = runs.at(-1);
    if (last && last.family === run.family && last.isCodePoint === run.isCodePoint) last.text += run.text;
    else runs.push(run);
  }
  return joinedRuns(runs);
}

const isMono = ({ family }: FontFace) => family.includes("Mono");

function runOf(grapheme: string, family: string | undefined): Run {
  if (family === undefined) return { text: grapheme };
  const isDrawn =
    family !== systemFamily || [...grapheme].every(each => joiner.test(each) || drawn.get(each));
  return isDrawn ? { text: grapheme, family } : { text: grapheme, isCodePoint: true };
}

/** Joins runs of one font that only a space is between: words from right to left keep their order. */
function joinedRuns(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const [before, space] = [joined.at(-2), joined.at(-1)];
    if (before && run.family && before.family === run.family && space?.text === " " && !space.family) {
      joined.pop();
      before.text += ` ${run.text}`;
    } else joined.push({ ...run });
  }
  return joined;
}

const readers = new Map<string, TrueType>();

function hasGlyphs({ path }: FontFace, grapheme: string): boolean {
  const font = readers.get(path) ?? readFont(readFileSync(path));
  readers.set(path, font);
  return [...grapheme].every(
    each => joiner.test(each) || each < " " || font.glyphOf(each.codePointAt(0)!) > 0,
  );
}

const minShare = 0.6;
/** How much wider letters may be that come from another font. */
const fallbackMargin = 1.15;

/** Writes runs, in a smaller font where code points make them longer than the text was, so that they keep its room. */
function keepWidth(text: string, runs: readonly Run[]): string {
  const written = runs.map(({ text: part, family, isCodePoint }) => {
    if (family) return `<tspan font-family="${family}">${part}</tspan>`;
    return isCodePoint ? codePoint(part) : part;
  });
  const plain = runs.map(({ text: part, isCodePoint }) => (isCodePoint ? codePoint(part) : part)).join("");
  const share = Math.max(minShare, textWidth({}, text) / (textWidth({}, plain) * fallbackMargin));
  return runs.some(({ isCodePoint }) => isCodePoint) && share < 1
    ? `<tspan font-size="${share.toFixed(2)}em">${written.join("")}</tspan>`
    : written.join("");
}

/** Returns the code point of the first character of some, and how many more there are. */
function codePoint(text: string): string {
  const point = `U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  const others = Array.from(new Intl.Segmenter().segment(text)).length - 1;
  return `‹${point}${others > 0 ? ` +${others}` : ""}›`;
}

/** Whether a character can be drawn with the fonts of this machine. */
const drawn = new Map<string, boolean>();

/** Finds out which characters can be drawn: those that do not look like one that no font has, nor like nothing. */
function probe(characters: readonly string[], textFont: Theme["font"]): void {
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
