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
