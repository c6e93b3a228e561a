import { toBase64 } from "#host";
import { attempted } from "../host/attempted.ts";

/** Bit strings that are alike but for the bits of a code. */
interface CodedStrings {
  /** Common pattern of all, with `?` for bits of the code, highest first. */
  readonly pattern: string;
  /** The code of each; one of more than 32 bits takes several words, the highest first. */
  readonly codes: Uint32Array;
}

interface StringReader {
  readonly length: number;
  at(index: number): string;
}

const MAX_PATTERN_LENGTH = 2 ** 22;

/** Maximum number of characters of all that is unpacked at a time. */
const MAX_CHARACTERS = 2 ** 26;

const bitsOfPattern = (pattern: string): number => pattern.split("?").length - 1;

const bytesFor = (bits: number) => Math.max(1, Math.ceil(bits / 8));

/** Packs codes: as many whole bytes for each as its bits take, the highest first, in base64. */
function packCodes({ pattern, codes }: CodedStrings): string {
  const bits = bitsOfPattern(pattern);
  const words = Math.max(1, Math.ceil(bits / 32));
  const width = bytesFor(bits);
  const bytes = new Uint8Array((codes.length / words) * width);
  for (let at = width - 1, last = words - 1; last < codes.length; at += width, last += words)
    for (let byte = 0; byte < width; byte++)
      bytes[at - byte] = codes[last - (byte >> 2)]! >>> (8 * (byte & 3));
  return toBase64(bytes);
}

/** Reads packed codes as strings. Returns null for codes of another pattern. */
function readCodes(pattern: string, codes: string): StringReader | null {
  const bytes = attempted(() => atob(codes));
  const bits = bitsOfPattern(pattern);
  const width = bytesFor(bits);
  if (pattern.length > MAX_PATTERN_LENGTH || bytes === undefined || bytes.length % width > 0) return null;
  const highest = 2 ** (bits - 8 * (width - 1)) - 1;
  for (let at = 0; at < bytes.length; at += width) if (bytes.charCodeAt(at) > highest) return null;
  const write = patternWriter(pattern);
  const at = (index: number) => {
    let digits = "";
    for (let byte = index * width; byte < (index + 1) * width; byte++)
      digits += DIGITS[bytes.charCodeAt(byte)];
    return write(digits);
  };
  return { length: bytes.length / width, at };
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(2).padStart(8, "0"));

/** Makes a function that writes the last binary digits of a code into a pattern. */
function patternWriter(pattern: string): (digits: string) => string {
  const parts = pattern.split(/(\?+)/);
  const bits = bitsOfPattern(pattern);
  return digits => {
    let from = digits.length - bits;
    let text = parts[0]!;
    for (let part = 1; part < parts.length; part += 2) {
      const to = from + parts[part]!.length;
      text += digits.slice(from, to) + parts[part + 1];
      from = to;
    }
    return text;
  };
}

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

/** Unpacks counts by bit string. Returns null for anything but packed counts. */
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
  if (!codes || pattern.length > MAX_PATTERN_LENGTH) return null;
  for (let i = 1; i < codes.length; i++) codes[i]! += codes[i - 1]!;
  const bits = bitsOfPattern(pattern);
  if ((codes.at(-1) ?? 0) >= 2 ** bits) return null;
  const write = patternWriter(pattern);
  return { length: codes.length, at: i => write(codes[i]!.toString(2).padStart(bits, "0")) };
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
  const characters = attempted(() => atob(base64));
  if (characters === undefined) return null;
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

/** Maximum number of outcomes whose lists are shared. */
const MAX_SHARED = 1024;

type OutputRanges = { [variable: string]: [number, number] };

/** The memory of a run in the form in which many shots are stored and sent. */
export interface PackedMeasurements {
  /** An outcome with `?` where it has a bit of its code, the highest first. */
  pattern: string;
  /** The code of each shot, in order: as many whole bytes as its bits take, at least one, the highest first, in base64. */
  codes: string;
  /** Position of each output variable's value in an outcome: its first character (from 0), and the one after its end. */
  outputs?: { [variable: string]: [number, number] } | null;
}

type Values = { [variable: string]: string };

export type MemoryReader = NonNullable<ReturnType<typeof readMeasurements>>;

/** Splits an outcome into its bits, those of all registers together. */
export const toBits = (outcome: string): number[] => Array.from(outcome.replaceAll(" ", ""), Number);

/** Returns a function that splits outcomes into their bits; equal outcomes share a list. */
export function bitSplitter(): (outcome: string) => number[] {
  const known = new Map<string, number[]>();
  return outcome => {
    const bits = known.get(outcome) ?? toBits(outcome);
    if (known.size < MAX_SHARED) known.set(outcome, bits);
    return bits;
  };
}

export const packMeasurements = (coded: CodedStrings, outputs?: OutputRanges): PackedMeasurements => ({
  pattern: coded.pattern,
  codes: packCodes(coded),
  ...(outputs ? { outputs } : {}),
});

export const shotLength = (pattern: string, outputs?: OutputRanges | null): number =>
  pattern.length + 3 + (outputs ? JSON.stringify(valuesOf(pattern, Object.entries(outputs))).length + 1 : 0);

/** Opens a packed memory, to be written shot by shot. Returns null for anything else. */
export function readMeasurements(value: unknown) {
  const { pattern, codes, outputs } = Object(value) as Partial<PackedMeasurements>;
  if (typeof pattern !== "string" || typeof codes !== "string" || !areRanges(outputs, pattern)) return null;
  const outcomes = readCodes(pattern, codes);
  const length = shotLength(pattern, outputs);
  if (!outcomes || outcomes.length * length > MAX_CHARACTERS) return null;
  const variables = outputs && Object.entries(outputs);
  return {
    shots: outcomes.length,
    /** Characters that a shot takes in JSON. */
    shotLength: length,
    measurementAt: outcomes.at,
    /** Undefined where the output variables aren't packed. */
    outputsAt: variables ? (shot: number) => valuesOf(outcomes.at(shot), variables) : undefined,
  };
}

/** Unpacks a memory. Returns null for anything but a packed one. */
export function unpackMeasurements(value: unknown): { measurements: string[]; outputs?: Values[] } | null {
  const memory = readMeasurements(value);
  if (!memory) return null;
  const { shots, measurementAt, outputsAt } = memory;
  const written = <T>(at: (shot: number) => T) => Array.from({ length: shots }, (_, shot) => at(shot));
  return { measurements: written(measurementAt), ...(outputsAt ? { outputs: written(outputsAt) } : {}) };
}

const valuesOf = (outcome: string, variables: readonly [string, readonly [number, number]][]): Values =>
  Object.fromEntries(variables.map(([name, [from, to]]) => [name, outcome.slice(from, to)]));

const areRanges = (outputs: unknown, { length }: string): outputs is OutputRanges | null | undefined =>
  outputs == null ||
  (typeof outputs === "object" &&
    Object.values(outputs).every(range => {
      if (!Array.isArray(range) || range.length !== 2) return false;
      const [from, to] = range;
      return Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from <= to && to <= length;
    }));
