import fc from "fast-check";
import { expect, test } from "vitest";
import { murmur2 } from "../../../src/kernels/jupyter/debug/cell-files.ts";

/** MurmurHash2 as it is published, with whole numbers instead of 32-bit arithmetic. */
function published(text: string, seed: number): number {
  const wrap = (value: bigint) => value & 0xffffffffn;
  const m = 0x5bd1e995n;
  const data = Array.from(new TextEncoder().encode(text), BigInt);
  let hash = wrap(BigInt(seed) ^ BigInt(data.length));
  while (data.length >= 4) {
    const [a, b, c, d] = data.splice(0, 4) as [bigint, bigint, bigint, bigint];
    let word = wrap((a | (b << 8n) | (c << 16n) | (d << 24n)) * m);
    word = wrap((word ^ (word >> 24n)) * m);
    hash = wrap(hash * m) ^ word;
  }
  if (data.length > 0) {
    data.forEach((byte, index) => {
      hash ^= byte << BigInt(8 * index);
    });
    hash = wrap(hash * m);
  }
  hash = wrap((hash ^ (hash >> 13n)) * m);
  return Number(hash ^ (hash >> 15n));
}

test("the hash of a cell is MurmurHash2 of its UTF-8, by which a front end finds it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(0xffffffff), (text, seed) => {
      expect(murmur2(text, seed)).toBe(published(text.toWellFormed(), seed));
    }),
  );
});
