import { KetbookError } from "../client/errors.ts";
import type { RuntimeJob } from "../contract/job.ts";
import type { RuntimeResult } from "../contract/result.ts";
import { type Distribution, freezeAs, put, type Register, type Tally, totalOf } from "../results/index.ts";

/** The result of a program, or of a part of its bits. */
export interface OutcomeRecord extends RuntimeResult {
  /** The bits that an outcome shows, from right to left, when they are not all of the program's, in order. */
  bits?: number[];
}

/** A result as plain data: what `JSON.stringify(result)` writes, and `Result.from` reads. */
export interface ResultRecord extends OutcomeRecord {
  /** The record of the job that gave the result. */
  job: RuntimeJob;
}

type Members = { readonly [member: string]: unknown };

const maxOutcomes = 2 ** 22;
const maxBits = 65_536;
const maxShots = 10_000_000;
const maxAmplitudes = 2 ** 25;

function wrong(path: string, wanted: string, value: unknown): KetbookError {
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : typeof value;
  const found = value === null || Array.isArray(value) ? (value ? "a list" : "null") : shown;
  return new KetbookError(`This is no saved result: ${path} must be ${wanted}, not ${found}.`);
}

function members(value: unknown, path: string): Members {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Members;
  throw wrong(path, "an object", value);
}

const part = (value: unknown, path: string): Members => members(value ?? {}, path);

function text<T>(value: unknown, path: string, missing: T): string | T {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return missing;
  throw wrong(path, "a string", value);
}

function number<T>(value: unknown, path: string, missing: T): number | T {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (value === undefined || value === null) return missing;
  throw wrong(path, "a number", value);
}

/** A kind of item that a list may hold, and how an error names it. */
interface Kind<T> {
  wanted: string;
  is: (item: unknown) => item is T;
}

function list<T>(value: unknown, path: string, most: number, { wanted, is }: Kind<T>): T[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) throw wrong(path, "a list", value);
  if (value.length > most) throw new KetbookError(`${path} has more than ${most} items.`);
  const bad = value.findIndex(item => !is(item));
  if (bad < 0) return value.slice();
  throw wrong(`${path}[${bad}]`, wanted, value[bad]);
}

/** Reads counts or probabilities, as a frozen copy: numbers of 0 or more, of outcomes of a bounded length. */
function distribution(value: unknown, path: string): Distribution | null {
  if (value === undefined || value === null) return null;
  const given = members(value, path);
  const outcomes = Object.keys(given);
  if (outcomes.length > maxOutcomes) throw new KetbookError(`${path} has more than ${maxOutcomes} outcomes.`);
  const tally: Tally = {};
  for (const outcome of outcomes) {
    const count = given[outcome];
    if (typeof count !== "number" || !Number.isFinite(count) || count < 0)
      throw wrong(`${path}[${JSON.stringify(outcome.slice(0, 64))}]`, "a number of 0 or more", count);
    if (outcome.length > maxBits) throw new KetbookError(`${path} has an outcome of ${outcome.length} bits.`);
    put(tally, outcome, count);
  }
  return freezeAs(outcomes, tally);
}

const texts: Kind<string> = {
  wanted: "a string",
  is: (item): item is string => typeof item === "string" && item.length <= maxBits,
};
const numbers: Kind<number> = {
  wanted: "a number",
  is: (item): item is number => typeof item === "number" && Number.isFinite(item),
};
const places: Kind<number> = {
  wanted: "a whole number",
  is: (item): item is number => Number.isSafeInteger(item) && (item as number) >= 0,
};
const registers: Kind<Register> = {
  wanted: "a register with name and size",
  is: (item): item is Register => {
    const { name, size } = Object(item) as Partial<Register>;
    return texts.is(name) && places.is(size) && size <= maxBits;
  },
};

/** The registers that a result names; none when what is there can't be understood. */
export function registersOf({ registers: named }: RuntimeResult["resultData"]): readonly Register[] {
  return Array.isArray(named) && named.length <= maxBits && named.every(registers.is) ? named : [];
}

function timesOf(value: unknown, path: string) {
  const times = part(value, path);
  return {
    createdAt: text(times.createdAt, `${path}.createdAt`, null),
    endedAt: text(times.endedAt, `${path}.endedAt`, null),
    executionDuration: number(times.executionDuration, `${path}.executionDuration`, null),
  };
}

/** Reads a job's record. A result of no known job gets one that says nothing. */
function jobOf(value: unknown, shots: number): RuntimeJob {
  const job = part(value, "job");
  const textOf = <T>(member: string, missing: T) => text(job[member], `job.${member}`, missing);
  const numberOf = <T>(member: string, missing: T) => number(job[member], `job.${member}`, missing);
  return {
    ...job,
    jobQrn: textOf("jobQrn", ""),
    batchJobQrn: textOf("batchJobQrn", null),
    name: textOf("name", null),
    deviceQrn: textOf("deviceQrn", ""),
    vendor: textOf("vendor", null),
    provider: textOf("provider", null),
    experimentType: textOf("experimentType", "other"),
    status: textOf("status", "COMPLETED") as RuntimeJob["status"],
    statusMsg: textOf("statusMsg", null),
    queuePosition: numberOf("queuePosition", null),
    shots: numberOf("shots", shots),
    numCircuits: numberOf("numCircuits", null),
    groupJobQrn: textOf("groupJobQrn", null),
    estimatedCost: numberOf("estimatedCost", null),
    cost: numberOf("cost", null),
    tags: part(job.tags, "job.tags") as RuntimeJob["tags"],
    metadata: part(job.metadata, "job.metadata"),
    runtimeOptions: part(job.runtimeOptions, "job.runtimeOptions"),
    timeStamps: timesOf(job.timeStamps, "job.timeStamps"),
    createdAt: textOf("createdAt", null),
    updatedAt: textOf("updatedAt", null),
  };
}

/** Checks a result that was saved, or that came from a service as JSON. Unknown members are kept as they are. */
export function readResult(value: unknown): ResultRecord {
  if (typeof value === "string")
    throw new KetbookError("Result.from takes an object: turn the text into one with JSON.parse first.");
  const record = members(value, "it");
  const data = members(record.resultData, "resultData");
  const counts = distribution(data.measurementCounts, "resultData.measurementCounts");
  const probabilities = distribution(data.measurementProbabilities, "resultData.measurementProbabilities");
  if (!counts && !probabilities)
    throw new KetbookError("This is no saved result: resultData has no measurementCounts.");
  const measurements = list(data.measurements, "resultData.measurements", maxShots, texts);
  const statevector = list(data.statevector, "resultData.statevector", maxAmplitudes, numbers);
  const declared = list(data.registers, "resultData.registers", maxBits, registers);
  const bits = list(record.bits, "bits", maxBits, places);
  return {
    ...record,
    status: text(record.status, "status", "COMPLETED"),
    cost: number(record.cost, "cost", null),
    timeStamps: timesOf(record.timeStamps, "timeStamps"),
    resultData: {
      ...data,
      measurementCounts: counts,
      ...(probabilities && { measurementProbabilities: probabilities }),
      ...(measurements && { measurements }),
      ...(statevector && { statevector }),
      ...(declared && { registers: declared }),
    },
    job: jobOf(record.job, totalOf(counts ?? {})),
    ...(bits && { bits }),
  };
}
