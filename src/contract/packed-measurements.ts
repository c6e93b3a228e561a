import { type CodedStrings, MAX_CHARACTERS, packCodes, readCodes } from "./packed-codes.ts";

/** Maximum number of outcomes whose lists are shared. */
const MAX_SHARED = 1024;

type OutputRanges = { [variable: string]: [number, number] };

/** The memory of a run in the form in which many shots are stored and sent. */
export interface PackedMeasurements {
  /** An outcome with `?` where it has a bit of its code, the highest first. */
  pattern: string;
  /** The code of each shot, in order: as many whole bytes as its bits take, at least one, the highest first, in base64. */
  codes: string;
  /** From which character of an outcome, the first 0, up to before which one the value of each output variable stands. */
  outputs?: { [variable: string]: [number, number] } | null;
}

type Values = { [variable: string]: string };

/** A memory that is written when it is read. */
export interface MemoryReader {
  readonly shots: number;
  /** Characters that a shot takes in JSON. */
  readonly shotLength: number;
  measurementAt(shot: number): string;
  /** Undefined where the output variables aren't packed. */
  readonly outputsAt: ((shot: number) => Values) | undefined;
}

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

/** Opens a packed memory, to be written shot by shot. Returns null for what is none. */
export function readMeasurements(value: unknown): MemoryReader | null {
  const { pattern, codes, outputs } = Object(value) as Partial<PackedMeasurements>;
  if (typeof pattern !== "string" || typeof codes !== "string" || !areRanges(outputs, pattern)) return null;
  const outcomes = readCodes(pattern, codes);
  const length = shotLength(pattern, outputs);
  if (!outcomes || outcomes.length * length > MAX_CHARACTERS) return null;
  const variables = outputs && Object.entries(outputs);
  return {
    shots: outcomes.length,
    shotLength: length,
    measurementAt: outcomes.at,
    outputsAt: variables ? shot => valuesOf(outcomes.at(shot), variables) : undefined,
  };
}

/** Unpacks a memory. Returns null for what is no packed one. */
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
