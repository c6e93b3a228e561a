import { createRequire } from "node:module";
import type { Theme } from "../theme.ts";
import { fontOptions } from "./options.ts";

/** A character that no font has. */
const unassigned = "\u{10fffd}";
const cell = 24;
const maxKnown = 4096;

/** Which characters can be drawn with the fonts of this machine. */
const drawn = new Map<string, boolean>();

/** Finds out which characters can be drawn: those that do not look like one that no font has, nor like nothing. */
export function probeSystemFonts(characters: readonly string[], textFont: Theme["font"]): void {
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

/** Whether a character that was probed can be drawn with the fonts of this machine. */
export const isDrawnBySystem = (character: string) => drawn.get(character) ?? false;
