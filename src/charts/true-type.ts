import { deflateSync } from "node:zlib";

/** A font file of the TrueType kind: its tables, and the glyphs of characters. */
export interface TrueType {
  tables: ReadonlyMap<string, DataView>;
  /** The glyph of a character; 0 where the font has none. */
  glyphOf(codePoint: number): number;
  /** The advance width of a glyph, as a part of the font size. */
  advanceOf(glyph: number): number;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads a font file. Throws a `RangeError` for what is no TrueType or OpenType font. */
export function readFont(bytes: Uint8Array): TrueType {
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

/** Returns the Unicode maps of a font, the ones for all characters first. */
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
const kept = ["OS/2", "cvt ", "fpgm", "gasp", "hhea", "maxp", "name", "prep"];

const HAS_MORE = 0x20;
const [WORDS, ONE_SCALE, TWO_SCALES, MATRIX] = [0x01, 0x08, 0x40, 0x80];

/**
 * Returns the part of a TrueType font that some characters need, as WOFF: glyphs keep their numbers, and all others are
 * empty, which compresses to nearly nothing. `undefined` for a font without TrueType outlines.
 */
export function subsetFont(bytes: Uint8Array, characters: Iterable<string>): Uint8Array | undefined {
  const font = readFont(bytes);
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
      const part = bytesOf(outline(glyph));
      parts.push(part);
      end += part.length;
    }
    long.setUint32(4 * glyph + 4, end);
  }
  const newHead = bytesOf(head).slice();
  new DataView(newHead.buffer).setInt16(50, 1);
  return woff([
    ...kept.flatMap(tag => (tables.has(tag) ? [[tag, bytesOf(tables.get(tag)!)] as const] : [])),
    ["cmap", characterMap(glyphs)],
    ["glyf", new Uint8Array(Buffer.concat(parts))],
    ["head", newHead],
    ["hmtx", usedMetrics(font, used)],
    ["loca", bytesOf(long)],
    ["post", namelessPost(font)],
  ]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);

/** Returns the widths of glyphs, without those that are not used. */
function usedMetrics({ tables }: TrueType, used: ReadonlySet<number>): Uint8Array {
  const metrics = bytesOf(tables.get("hmtx")!).slice();
  const wide = tables.get("hhea")!.getUint16(34);
  for (let glyph = 0; glyph < wide - 1; glyph++)
    if (!used.has(glyph)) metrics.fill(0, 4 * glyph, 4 * glyph + 4);
  return metrics;
}

/** Glyphs with those that they are composed of. */
function withComponents(glyphs: readonly number[], outline: (glyph: number) => DataView): Set<number> {
  const used = new Set(glyphs);
  for (const glyph of used) {
    const view = outline(glyph);
    if (view.byteLength < 10 || view.getInt16(0) >= 0) continue;
    for (let at = 10, flags = HAS_MORE; flags & HAS_MORE; ) {
      flags = view.getUint16(at);
      used.add(view.getUint16(at + 2));
      at += flags & WORDS! ? 8 : 6;
      at += flags & ONE_SCALE! ? 2 : flags & TWO_SCALES! ? 4 : flags & MATRIX! ? 8 : 0;
    }
  }
  return used;
}

/** Returns a map of characters with a group each (format 12). */
function characterMap(glyphs: readonly (readonly [number, number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(28 + 12 * glyphs.length));
  view.setUint16(2, 1);
  view.setUint16(4, 3);
  view.setUint16(6, 10);
  view.setUint32(8, 12);
  view.setUint16(12, 12);
  view.setUint32(16, 16 + 12 * glyphs.length);
  view.setUint32(24, glyphs.length);
  glyphs.forEach(([codePoint, glyph], index) => {
    for (const [place, value] of [codePoint, codePoint, glyph].entries())
      view.setUint32(28 + 12 * index + 4 * place, value);
  });
  return bytesOf(view);
}

/** Returns the table of glyph names, without names. */
function namelessPost({ tables }: TrueType): Uint8Array {
  const post = new Uint8Array(32);
  const old = tables.get("post");
  if (old) post.set(bytesOf(old).subarray(0, 32));
  new DataView(post.buffer).setUint32(0, 0x00030000);
  return post;
}

const padded = (length: number) => (length + 3) & ~3;

function checksum(bytes: Uint8Array): number {
  const whole = new Uint8Array(padded(bytes.length));
  whole.set(bytes);
  const view = new DataView(whole.buffer);
  let sum = 0;
  for (let at = 0; at < whole.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}

/** Writes tables as a WOFF file (W3C WOFF 1.0). */
function woff(tables: readonly (readonly [tag: string, bytes: Uint8Array])[]): Uint8Array {
  const byTag = [...new Map(tables)].sort(([one], [other]) => (one < other ? -1 : 1));
  const packed = byTag.map(([tag, bytes]) => {
    const deflated = deflateSync(bytes, { level: 9 });
    return { tag, bytes, body: deflated.length < bytes.length ? deflated : bytes };
  });
  const start = 44 + 20 * packed.length;
  const length = packed.reduce((sum, { body }) => sum + padded(body.length), start);
  const file = Buffer.alloc(length);
  file.write("wOFF", 0, "latin1");
  file.writeUInt32BE(0x00010000, 4);
  file.writeUInt32BE(length, 8);
  file.writeUInt16BE(packed.length, 12);
  const size = packed.reduce((sum, { bytes }) => sum + padded(bytes.length), 12 + 16 * packed.length);
  file.writeUInt32BE(size, 16);
  let at = start;
  packed.forEach(({ tag, bytes, body }, index) => {
    const entry = 44 + 20 * index;
    file.write(tag, entry, "latin1");
    [at, body.length, bytes.length, checksum(bytes)].forEach((value, place) => {
      file.writeUInt32BE(value, entry + 4 + 4 * place);
    });
    file.set(body, at);
    at += padded(body.length);
  });
  return new Uint8Array(file);
}
