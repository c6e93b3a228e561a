/// <reference path="./pdf/fontkit.d.ts" />
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, constants } from "node:zlib";
import type { Font } from "fontkit";

const chunk = import.meta.url.endsWith(".ts") ? "./pdf/renderer.ts" : "./pdf.js";

let loaded: typeof import("./pdf/renderer.ts") | undefined;

/** Loads what writes PDF and parts of fonts, when it is needed first. */
export function pdfKit() {
  loaded ??= createRequire(import.meta.url)(chunk) as typeof import("./pdf/renderer.ts");
  return loaded;
}

const fonts = new Map<string, Font>();

/** Returns the font of a file. Throws a `RangeError` for anything but a TrueType or OpenType font. */
export function fontAt(path: string): Font {
  const font = fonts.get(path) ?? pdfKit().readFont(readFileSync(path));
  fonts.set(path, font);
  return font;
}

/**
 * Returns the part of a TrueType font that some characters need, as WOFF 2; digits have one width where the font has such.
 * `undefined` for a font without TrueType outlines.
 */
export function subsetFont(path: string, characters: Iterable<string>): Uint8Array | undefined {
  const font = fontAt(path);
  const codePoints = Array.from(new Set(characters), character => character.codePointAt(0)!);
  codePoints.sort((one, other) => one - other);
  const part = pdfKit().fontPart(font, codePoints);
  if (!part) return undefined;
  const whole = pdfKit().tablesOf(font);
  const kept = ["OS/2", "name"].flatMap(tag => (whole.has(tag) ? [[tag, whole.get(tag)!] as const] : []));
  const added = [
    ["cmap", characterMap(part.glyphs)],
    ["post", namelessPost(whole.get("post"))],
  ] as const;
  return woff2([...part.tables, ...kept, ...added]);
}

function characterMap(glyphs: readonly (readonly [number, number])[]): Uint8Array {
  const groups = glyphs.flatMap(([codePoint, glyph]) => [codePoint, codePoint, glyph]);
  /** Version 0 with one table, for Windows and all of Unicode, at byte 12: format 12, its length, and its groups. */
  const words = [1, (3 << 16) | 10, 12, 12 << 16, 16 + 4 * groups.length, 0, glyphs.length, ...groups];
  const view = new DataView(new ArrayBuffer(4 * words.length));
  for (const [place, word] of words.entries()) view.setUint32(4 * place, word);
  return new Uint8Array(view.buffer);
}

function namelessPost(old: Uint8Array = new Uint8Array(32)): Uint8Array {
  const post = Uint8Array.from(old.subarray(0, 32));
  new DataView(post.buffer).setUint32(0, 0x00030000);
  return post;
}

const tagNumbers: { readonly [tag: string]: number } = {
  ...{ cmap: 0, head: 1, hhea: 2, hmtx: 3, maxp: 4, name: 5, "OS/2": 6, post: 7 },
  ...{ "cvt ": 8, fpgm: 9, glyf: 10, loca: 11, prep: 12 },
};
/** Says of glyphs and their places that they stand as in the font. */
const untransformed = 3 << 6;

/** Writes a number in groups of seven bits, the highest first. */
function base128(value: number): number[] {
  const bytes = [value & 127];
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 127) | 128);
  return bytes;
}

const padded = (length: number) => (length + 3) & ~3;

/** Writes tables as a WOFF 2 file (W3C WOFF 2.0). */
function woff2(tables: readonly (readonly [tag: string, bytes: Uint8Array])[]): Uint8Array {
  const sorted = tables.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const directory = sorted.flatMap(([tag, bytes]) => [
    tagNumbers[tag]! | (tag === "glyf" || tag === "loca" ? untransformed : 0),
    ...base128(bytes.length),
  ]);
  const packed = brotliCompressSync(Buffer.concat(sorted.map(([, bytes]) => bytes)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 7 },
  });
  const start = 48 + directory.length;
  const file = Buffer.alloc(padded(start + packed.length));
  file.write("wOF2", 0, "latin1");
  file.writeUInt32BE(0x00010000, 4);
  file.writeUInt32BE(file.length, 8);
  file.writeUInt16BE(sorted.length, 12);
  const unpacked = sorted.reduce((sum, [, bytes]) => sum + padded(bytes.length), 12 + 16 * sorted.length);
  file.writeUInt32BE(unpacked, 16);
  file.writeUInt32BE(packed.length, 20);
  file.set(directory, 48);
  file.set(packed, start);
  return new Uint8Array(file);
}
