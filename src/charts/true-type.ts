import { readFileSync } from "node:fs";
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

/** Tables that a page needs to draw with a font. */
const kept = ["OS/2", "hhea", "maxp"];

const [HAS_MORE, HAS_HINTS] = [0x20, 0x100];
const [WORDS, ONE_SCALE, TWO_SCALES, MATRIX] = [0x01, 0x08, 0x40, 0x80];

/**
 * Returns the part of a TrueType font that some characters need, as WOFF 2: glyphs keep their numbers, and all others are
 * empty, which compresses to nearly nothing. Hints are left out. `undefined` for a font without TrueType outlines.
 */
export function subsetFont(font: TrueType, characters: Iterable<string>): Uint8Array | undefined {
  const { tables } = font;
  const [head, loca, glyf] = ["head", "loca", "glyf"].map(tag => tables.get(tag));
  if (!head || !loca || !glyf) return undefined;
  const codePoints = [...new Set(characters)].map(character => character.codePointAt(0)!);
  const glyphs = codePoints
    .map(codePoint => [codePoint, font.glyphOf(codePoint)] as const)
    .filter(([, glyph]) => glyph > 0)
    .sort(([one], [other]) => one - other);
  const isLong = head.getInt16(50) === 1;
  const startOf = (glyph: number) => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph));
  const count = loca.byteLength / (isLong ? 4 : 2) - 1;
  const outline = (glyph: number) =>
    new DataView(glyf.buffer, glyf.byteOffset + startOf(glyph), startOf(glyph + 1) - startOf(glyph));
  const used = withComponents([0, ...glyphs.map(([, glyph]) => glyph)], outline);
  const long = new DataView(new ArrayBuffer(4 * (count + 1)));
  const parts: Uint8Array[] = [];
  let end = 0;
  for (let glyph = 0; glyph < count; glyph++) {
    if (used.has(glyph)) {
      const part = withoutHints(outline(glyph));
      parts.push(part);
      end += part.length;
    }
    long.setUint32(4 * glyph + 4, end);
  }
  const newHead = bytesOf(head).slice();
  new DataView(newHead.buffer).setInt16(50, 1);
  return woff2([
    ...kept.flatMap(tag => (tables.has(tag) ? [[tag, bytesOf(tables.get(tag)!)] as const] : [])),
    ["cmap", characterMap(glyphs)],
    ["glyf", new Uint8Array(Buffer.concat(parts))],
    ["head", newHead],
    ["hmtx", usedMetrics(font, used)],
    ["loca", bytesOf(long)],
    ["name", namesOf(font)],
    ["post", namelessPost(font)],
  ]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

/** Returns an outline without the program that fits it to coarse pixels. */
function withoutHints(outline: DataView): Uint8Array {
  const bytes = bytesOf(outline).slice();
  const contours = outline.byteLength < 10 ? 0 : outline.getInt16(0);
  if (contours > 0) {
    const at = 10 + 2 * contours;
    const hints = outline.getUint16(at);
    bytes.fill(0, at, at + 2);
    return new Uint8Array(Buffer.concat([bytes.subarray(0, at + 2), bytes.subarray(at + 2 + hints)]));
  }
  const view = new DataView(bytes.buffer);
  for (const { at } of contours < 0 ? componentsOf(outline) : [])
    view.setUint16(at, view.getUint16(at) & ~HAS_HINTS);
  return bytes;
}

function usedMetrics({ tables }: TrueType, used: ReadonlySet<number>): Uint8Array {
  const metrics = bytesOf(tables.get("hmtx")!).slice();
  const wide = tables.get("hhea")!.getUint16(34);
  for (let at = 0; at < metrics.length; at += at < 4 * wide ? 4 : 2) {
    const glyph = at < 4 * wide ? at / 4 : wide + (at - 4 * wide) / 2;
    if (glyph !== wide - 1 && !used.has(glyph)) metrics.fill(0, at, at + (glyph < wide ? 4 : 2));
  }
  return metrics;
}

/** Names that a font keeps: its copyright, family, style and the address of its licence. */
const keptNames = [0, 1, 2, 14];

/** Returns the table of names with those that are kept, for Windows, as all pages read them. */
function namesOf({ tables }: TrueType): Uint8Array {
  const names = tables.get("name");
  const [count, storage] = names ? [names.getUint16(2), names.getUint16(4)] : [0, 0];
  const records = Array.from({ length: count }, (_, index) =>
    bytesOf(names!).subarray(6 + 12 * index, 18 + 12 * index),
  )
    .map(record => ({ record: record.slice(), view: new DataView(record.buffer, record.byteOffset) }))
    .filter(({ view }) => view.getUint16(0) === 3 && keptNames.includes(view.getUint16(6)));
  let end = 0;
  const texts = records.map(({ record, view }) => {
    const [length, start] = [view.getUint16(8), storage + view.getUint16(10)];
    new DataView(record.buffer).setUint16(10, end);
    end += length;
    return bytesOf(names!).subarray(start, start + length);
  });
  const head = new DataView(new ArrayBuffer(6));
  head.setUint16(2, records.length);
  head.setUint16(4, 6 + 12 * records.length);
  return new Uint8Array(Buffer.concat([bytesOf(head), ...records.map(({ record }) => record), ...texts]));
}

/** Yields the parts of a composed glyph: where each is in the outline, and its glyph. */
function* componentsOf(outline: DataView): Generator<{ at: number; glyph: number }> {
  for (let at = 10, flags = HAS_MORE; flags & HAS_MORE; ) {
    flags = outline.getUint16(at);
    yield { at, glyph: outline.getUint16(at + 2) };
    at += flags & WORDS! ? 8 : 6;
    at += flags & ONE_SCALE! ? 2 : flags & TWO_SCALES! ? 4 : flags & MATRIX! ? 8 : 0;
  }
}

function withComponents(glyphs: readonly number[], outline: (glyph: number) => DataView): Set<number> {
  const used = new Set(glyphs);
  for (const glyph of used) {
    const view = outline(glyph);
    if (view.byteLength < 10 || view.getInt16(0) >= 0) continue;
    for (const part of componentsOf(view)) used.add(part.glyph);
  }
  return used;
}

function characterMap(glyphs: readonly (readonly [number, number])[]): Uint8Array {
  const groups = glyphs.flatMap(([codePoint, glyph]) => [codePoint, codePoint, glyph]);
  /** Version 0 with one table, for Windows and all of Unicode, at byte 12: format 12, its length, and its groups. */
  const words = [1, (3 << 16) | 10, 12, 12 << 16, 16 + 4 * groups.length, 0, glyphs.length, ...groups];
  const view = new DataView(new ArrayBuffer(4 * words.length));
  for (const [place, word] of words.entries()) view.setUint32(4 * place, word);
  return bytesOf(view);
}

function namelessPost({ tables }: TrueType): Uint8Array {
  const post = new Uint8Array(32);
  const old = tables.get("post");
  if (old) post.set(bytesOf(old).subarray(0, 32));
  new DataView(post.buffer).setUint32(0, 0x00030000);
  return post;
}

/** Numbers of the tables in WOFF 2, by their tags. */
const tagNumbers: { readonly [tag: string]: number } = {
  ...{ cmap: 0, head: 1, hhea: 2, hmtx: 3, maxp: 4, name: 5, "OS/2": 6, post: 7, glyf: 10, loca: 11 },
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
