import { toBase64 } from "#host";
import {
  bitsOfPattern,
  type CodedStrings,
  decodeBase64,
  MAX_CHARACTERS,
  packCodes,
  patternWriter,
  readCodes,
  type StringReader,
} from "./packed-codes.ts";

/** Counts of outcomes as numbers, the codes ascending. */
export interface CodedCounts extends CodedStrings {
  readonly counts: Uint32Array;
}

/** Counts in the form in which many outcomes are stored and sent: about three characters each. */
export interface PackedCounts {
  /** An outcome with `?` where it has a bit of its code, the highest first. */
  pattern: string;
  /** By how much each code exceeds the one before, as LEB128 numbers in base64; those of more than 32 bits as they are, as in a packed memory. */
  codes: string;
  /** Counts of the outcomes, as LEB128 numbers in base64. */
  counts: string;
}

/** Preference of requests that read packed counts and a packed memory (RFC 7240). */
export const PREFERS_PACKED = "outcomes=packed";

/** Bits of codes up to which their differences are packed. */
const MAX_BITS = 32;
const MAX_OUTCOMES = 2 ** 22;

export function packCounts(coded: CodedCounts): PackedCounts {
  const { pattern, codes } = coded;
  const packed =
    bitsOfPattern(pattern) > MAX_BITS
      ? packCodes(coded)
      : toBase64(toVarints(codes.map((code, i) => code - (i > 0 ? codes[i - 1]! : 0))));
  return { pattern, codes: packed, counts: toBase64(toVarints(coded.counts)) };
}

/** Unpacks counts: bit string to how often it was seen. Returns null for what are no packed counts. */
export function unpackCounts(value: unknown): { [outcome: string]: number } | null {
  const { pattern, codes, counts } = Object(value) as Partial<PackedCounts>;
  if (typeof pattern !== "string" || typeof codes !== "string" || typeof counts !== "string") return null;
  const numbers = fromVarints(counts);
  const read = bitsOfPattern(pattern) > MAX_BITS ? readCodes : readDifferences;
  const outcomes = read(pattern, codes);
  if (!numbers || outcomes?.length !== numbers.length) return null;
  if (numbers.length * pattern.length > MAX_CHARACTERS) return null;
  const unpacked: [string, number][] = [];
  let before = "";
  for (let i = 0; i < numbers.length; i++) {
    const outcome = outcomes.at(i);
    if (i > 0 && outcome <= before) return null;
    unpacked.push([outcome, numbers[i]!]);
    before = outcome;
  }
  return Object.fromEntries(unpacked);
}

function readDifferences(pattern: string, differences: string): StringReader | null {
  const codes = fromVarints(differences);
  const write = patternWriter(pattern);
  if (!codes || !write) return null;
  for (let i = 1; i < codes.length; i++) codes[i]! += codes[i - 1]!;
  const bits = bitsOfPattern(pattern);
  if ((codes.at(-1) ?? 0) >= 2 ** bits) return null;
  const last = Math.max(1, Math.ceil(bits / 8)) - 1;
  return { length: codes.length, at: i => write(byte => (codes[i]! >>> (8 * (last - byte))) & 255) };
}

function toVarints(values: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(5 * values.length);
  let length = 0;
  for (let value of values) {
    for (; value >= 128; value >>>= 7) bytes[length++] = (value & 127) | 128;
    bytes[length++] = value;
  }
  return bytes.subarray(0, length);
}

function fromVarints(base64: string): number[] | null {
  const values: number[] = [];
  let value = 0;
  let scale = 1;
  const characters = decodeBase64(base64);
  if (characters === null) return null;
  for (let i = 0; i < characters.length; i++) {
    const byte = characters.charCodeAt(i);
    value += (byte & 127) * scale;
    scale *= 128;
    if (value >= 2 ** 32 || values.length >= MAX_OUTCOMES) return null;
    if (byte >= 128) continue;
    values.push(value);
    [value, scale] = [0, 1];
  }
  return scale === 1 ? values : null;
}
