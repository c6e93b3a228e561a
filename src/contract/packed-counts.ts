import { toBase64 } from "#host/bytes";

/** Counts of outcomes as numbers: of bit strings that are alike but for the bits of a code. */
export interface CodedCounts {
  /** What all outcomes have alike, with `?` where a bit of the code stands, the highest first. */
  readonly pattern: string;
  /** The code of each outcome, ascending. */
  readonly codes: Uint32Array;
  /** How often each outcome was seen. */
  readonly counts: Uint32Array;
}

/** Counts in the form in which many outcomes are stored and sent: about three characters each. */
export interface PackedCounts {
  /** An outcome with `?` where it has a bit of its code, the highest first. */
  pattern: string;
  /** By how much each code exceeds the one before, as LEB128 numbers in base64. */
  codes: string;
  /** How often each outcome was seen, as LEB128 numbers in base64. */
  counts: string;
}

/** What a request prefers that reads packed counts (RFC 7240). */
export const PREFERS_PACKED = "counts=packed";

const MAX_BITS = 32;
/** Bits of a code that one table of strings is for. */
const TABLE_BITS = 8;
const MAX_LENGTH = 65_536;
const MAX_OUTCOMES = 2 ** 22;

/** Packs counts. */
export function packCounts({ pattern, codes, counts }: CodedCounts): PackedCounts {
  const differences = codes.map((code, i) => code - (i > 0 ? codes[i - 1]! : 0));
  return { pattern, codes: toBase64(toVarints(differences)), counts: toBase64(toVarints(counts)) };
}

/** Unpacks counts: bit string to how often it was seen. Returns null for what are no packed counts. */
export function unpackCounts(value: unknown): { [outcome: string]: number } | null {
  const { pattern, codes, counts } = Object(value) as Partial<PackedCounts>;
  if (typeof pattern !== "string" || typeof codes !== "string" || typeof counts !== "string") return null;
  const bits = pattern.split("?").length - 1;
  if (bits > MAX_BITS || pattern.length > MAX_LENGTH) return null;
  const differences = fromVarints(codes);
  const numbers = fromVarints(counts);
  if (!differences || !numbers || differences.length !== numbers.length) return null;
  const write = outcomeWriter(pattern);
  const unpacked: [string, number][] = [];
  let code = 0;
  for (let i = 0; i < numbers.length; i++) {
    code += differences[i]!;
    if (code >= 2 ** bits || (i > 0 && differences[i] === 0)) return null;
    unpacked.push([write(code), numbers[i]!]);
  }
  return Object.fromEntries(unpacked);
}

/** Makes a function that writes a code into a pattern, by tables of what a few of its bits make of a part of it. */
function outcomeWriter(pattern: string): (code: number) => string {
  const parts = pattern.match(new RegExp(`(?:[^?]*\\?){1,${TABLE_BITS}}[^?]*`, "g")) ?? [pattern];
  const tables = parts.map(part => {
    const bits = part.split("?").length - 1;
    return Array.from({ length: 2 ** bits }, (_, value) => {
      let bit = bits;
      return part.replaceAll("?", () => String((value >> --bit) & 1));
    });
  });
  return code => {
    let text = "";
    let rest = code;
    for (let i = tables.length - 1; i >= 0; i--) {
      const table = tables[i]!;
      text = table[rest % table.length]! + text;
      rest = Math.floor(rest / table.length);
    }
    return text;
  };
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
  let characters: string;
  try {
    characters = atob(base64);
  } catch {
    return null;
  }
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
