import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, constants } from "node:zlib";

/** A font file of the TrueType kind: its tables, and the glyphs of characters. */
export interface TrueType {
  tables: ReadonlyMap<string, DataView>;
  /** The glyph of a character; 0 where the font has none. */
  glyphOf(codePoint: number): number;
  /** The advance width of a glyph, as a part of the font size. */
  advanceOf(glyph: number): number;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads a font file. Throws a `RangeError` for anything but a TrueType or OpenType font. */
function readFont(bytes: Uint8Array): TrueType {
  const file = viewOf(bytes);
  const kind = file.byteLength > 12 ? file.getUint32(0) : 0;
  if (kind !== 0x00010000 && kind !== 0x4f54544f && kind !== 0x74727565)
    throw new RangeError("A font is a .ttf or .otf file, and this one is neither.");
  const tables = new Map<string, DataView>();
  for (let at = 12; at < 12 + 16 * file.getUint16(4); at += 16) {
    const tag = String.fromCharCode(...bytes.subarray(at, at + 4));
    const [start, length] = [file.getUint32(at + 8), file.getUint32(at + 12)];
    tables.set(tag, viewOf(bytes.subarray(start, start + length)));
  }
  const cmap = tables.get("cmap");
  const maps = cmap ? characterMaps(cmap) : [];
  const [head, hhea, hmtx] = ["head", "hhea", "hmtx"].map(tag => tables.get(tag));
  const last = (hhea?.getUint16(34) ?? 1) - 1;
  return {
    tables,
    advanceOf: glyph => (hmtx?.getUint16(4 * Math.min(glyph, last)) ?? 0) / (head?.getUint16(18) ?? 1000),
    glyphOf: codePoint => maps.reduce((glyph, map) => glyph || map(codePoint), 0),
  };
}

const fonts = new Map<string, TrueType>();

export function fontAt(path: string): TrueType {
  const font = fonts.get(path) ?? readFont(readFileSync(path));
  fonts.set(path, font);
  return font;
}

function characterMaps(cmap: DataView): ((codePoint: number) => number)[] {
  const starts = Array.from({ length: cmap.getUint16(2) }, (_, index) => cmap.getUint32(4 + 8 * index + 4));
  const maps = [...new Set(starts)].map(start => ({ format: cmap.getUint16(start), start }));
  return [
    ...maps.filter(({ format }) => format === 12).map(({ start }) => segmentedCoverage(cmap, start)),
    ...maps.filter(({ format }) => format === 4).map(({ start }) => segmentMapping(cmap, start)),
  ];
}

function segmentedCoverage(cmap: DataView, start: number) {
  const groups = cmap.getUint32(start + 12);
  return (codePoint: number) => {
    for (let at = start + 16; at < start + 16 + 12 * groups; at += 12) {
      const [first, last] = [cmap.getUint32(at), cmap.getUint32(at + 4)];
      if (codePoint >= first && codePoint <= last) return cmap.getUint32(at + 8) + codePoint - first;
    }
    return 0;
  };
}

function segmentMapping(cmap: DataView, start: number) {
  const bytes = cmap.getUint16(start + 6);
  const [ends, firsts] = [start + 14, start + 16 + bytes];
  const [deltas, ranges] = [firsts + bytes, firsts + 2 * bytes];
  return (codePoint: number) => {
    for (let at = 0; at < bytes; at += 2) {
      if (codePoint > cmap.getUint16(ends + at)) continue;
      const first = cmap.getUint16(firsts + at);
      if (codePoint < first) return 0;
      const range = cmap.getUint16(ranges + at);
      const delta = cmap.getUint16(deltas + at);
      if (range === 0) return (codePoint + delta) & 0xffff;
      const glyph = cmap.getUint16(ranges + at + range + 2 * (codePoint - first));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

const chunk = import.meta.url.endsWith(".ts") ? "./pdf/renderer.ts" : "./pdf.js";

let loaded: typeof import("./pdf/renderer.ts") | undefined;

/** Loads what writes PDF and parts of fonts, when it is needed first. */
export function pdfKit() {
  loaded ??= createRequire(import.meta.url)(chunk) as typeof import("./pdf/renderer.ts");
  return loaded;
}

/**
 * Returns the part of a TrueType font that some characters need, as WOFF 2; digits have one width where the font has such.
 * `undefined` for a font without TrueType outlines.
 */
export function subsetFont(path: string, characters: Iterable<string>): Uint8Array | undefined {
  const { tables } = fontAt(path);
  const codePoints = [...new Set(characters)].map(character => character.codePointAt(0)!);
  const part = pdfKit().fontPart(
    readFileSync(path),
    codePoints.sort((one, other) => one - other),
  );
  if (!part) return undefined;
  const kept = ["OS/2", "name"].flatMap(tag => (tables.has(tag) ? [[tag, tables.get(tag)!] as const] : []));
  const all = [...readFont(part.bytes).tables, ...kept].map(([tag, view]) => [tag, bytesOf(view)] as const);
  return woff2([...all, ["cmap", characterMap(part.glyphs)], ["post", namelessPost(tables.get("post"))]]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

function characterMap(glyphs: readonly (readonly [number, number])[]): Uint8Array {
  const groups = glyphs.flatMap(([codePoint, glyph]) => [codePoint, codePoint, glyph]);
  /** Version 0 with one table, for Windows and all of Unicode, at byte 12: format 12, its length, and its groups. */
  const words = [1, (3 << 16) | 10, 12, 12 << 16, 16 + 4 * groups.length, 0, glyphs.length, ...groups];
  const view = new DataView(new ArrayBuffer(4 * words.length));
  for (const [place, word] of words.entries()) view.setUint32(4 * place, word);
  return bytesOf(view);
}

/** Returns a table of names of glyphs without the names. */
function namelessPost(old: DataView | undefined): Uint8Array {
  const post = new Uint8Array(32);
  if (old) post.set(bytesOf(old).subarray(0, 32));
  new DataView(post.buffer).setUint32(0, 0x00030000);
  return post;
}

/** Numbers of the tables in WOFF 2, by their tags. */
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
  file.writeUInt32BE(
    sorted.reduce((sum, [, bytes]) => sum + padded(bytes.length), 12 + 16 * sorted.length),
    16,
  );
  file.writeUInt32BE(packed.length, 20);
  file.set(directory, 48);
  file.set(packed, start);
  return new Uint8Array(file);
}
