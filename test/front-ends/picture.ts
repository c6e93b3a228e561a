import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { indexedPng } from "../../src/charts/png.ts";
import { pixelsOf } from "../charts/png-reader.ts";

const folder = fileURLToPath(new URL("./pictures/", import.meta.url));

/** A channel of a pixel that is further off than this counts as different: edges of letters may be smoothed otherwise. */
const nearChannel = 64;

/** The share of pixels that differ between two pictures; 1 when they are of different size by more than two pixels. */
export function difference(one: Uint8Array, other: Uint8Array): number {
  if (Buffer.compare(one, other) === 0) return 0;
  const [a, b] = [pixelsOf(one), pixelsOf(other)];
  if (Math.abs(a.width - b.width) > 2 || Math.abs(a.height - b.height) > 2) return 1;
  const [width, height] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  let different = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [at, bt] = [4 * (y * a.width + x), 4 * (y * b.width + x)];
      for (let channel = 0; channel < 3; channel++)
        if (Math.abs(a.data[at + channel]! - b.data[bt + channel]!) > nearChannel) {
          different++;
          break;
        }
    }
  return different / (width * height);
}

/**
 * How far a screenshot is from the reference of that name. With `UPDATE_PICTURES` set, the screenshot becomes the
 * reference. Throws when there is none.
 */
export function fromReference(name: string, screenshot: Uint8Array): number {
  const path = `${folder}${name}.png`;
  if (process.env.UPDATE_PICTURES) writeFileSync(path, indexedPng(pixelsOf(screenshot)));
  if (!existsSync(path))
    throw new Error(
      `There is no picture ${path} to compare with: run the test with UPDATE_PICTURES=1, and look at it.`,
    );
  return difference(readFileSync(path), screenshot);
}
