import { readFileSync } from "node:fs";
import { type FontFace, fontFaces } from "../fonts.ts";
import type { Theme } from "../theme.ts";
import { isDrawnBySystem, probeSystemFonts } from "./system-fonts.ts";
import { readFont, type TrueType } from "./true-type.ts";

/** The family of text that only fonts of this machine have. */
export const systemFamily = "system-ui";

/** What stands over its neighbours or joins them. */
const joiner = /^[\p{M}\u200c\u200d]$/u;

/** A run of characters that are drawn in one font. */
export interface FontRun {
  text: string;
  /** The family that it is drawn in; missing for the text's own. */
  family?: string;
  /** Whether the run stands for characters that no font has. */
  isCodePoint?: boolean;
}

/** How a string is drawn: font families by preference, the weight, and the font of the theme. */
export interface TextFont {
  families: string;
  isBold: boolean;
  textFont: Theme["font"];
}

const readers = new Map<string, TrueType>();

function readerOf({ path }: FontFace): TrueType {
  const font = readers.get(path) ?? readFont(readFileSync(path));
  readers.set(path, font);
  return font;
}

const isMono = ({ family }: FontFace) => family.includes("Mono");

/** Returns the library's or theme's faces: first the one that a list of families names first, then proportional ones. */
function facesFor({ families, isBold, textFont }: TextFont): [own: FontFace, ...others: FontFace[]] {
  const all = fontFaces(textFont);
  const names = families.split(",").map(name => name.replaceAll(/&quot;|'/g, "").trim());
  const weighed = all.toSorted(
    (one, other) => Number(other.weight >= 600 === isBold) - Number(one.weight >= 600 === isBold),
  );
  const own = names.flatMap(name => weighed.find(({ family }) => family === name) ?? [])[0] ?? weighed[0]!;
  return [own, ...all.toSorted((one, other) => Number(isMono(one)) - Number(isMono(other)))];
}

const hasGlyphs = (face: FontFace, grapheme: string) =>
  [...grapheme].every(
    each => joiner.test(each) || each < " " || readerOf(face).glyphOf(each.codePointAt(0)!) > 0,
  );

const graphemesOf = (text: string) =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** Splits a string into runs of one font each: the theme's where it has the characters, else a fallback. */
export function fontRuns(text: string, font: TextFont): FontRun[] {
  if (/^[\n\t -~]*$/.test(text)) return [{ text }];
  const [own, ...others] = facesFor(font);
  const graphemes = graphemesOf(text);
  const familyOf = (grapheme: string) =>
    hasGlyphs(own, grapheme)
      ? undefined
      : (others.find(face => hasGlyphs(face, grapheme))?.family ?? systemFamily);
  const foreign = graphemes.filter(grapheme => familyOf(grapheme) === systemFamily);
  probeSystemFonts(
    foreign.flatMap(grapheme => [...grapheme]),
    font.textFont,
  );
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
export function writtenRun({ text, isCodePoint }: FontRun): string {
  if (!isCodePoint) return text;
  const point = `U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  const others = graphemesOf(text).length - 1;
  return `‹${point}${others > 0 ? ` +${others}` : ""}›`;
}

const entities: { readonly [name: string]: string } = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
};

/** Returns how wide a run is, as a multiple of the font size. */
export function runWidth(run: FontRun, font: TextFont): number {
  const faces = facesFor(font);
  const face = faces.find(({ family }) => family === run.family) ?? faces[0];
  const characters = writtenRun(run).replace(/&\w+;/g, entity => entities[entity] ?? " ");
  const { glyphOf, advanceOf } = readerOf(face);
  return [...characters].reduce(
    (sum, each) => sum + (joiner.test(each) ? 0 : advanceOf(glyphOf(each.codePointAt(0)!))),
    0,
  );
}
