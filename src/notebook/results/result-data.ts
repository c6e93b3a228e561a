import { KetbookError } from "../../client/index.ts";
import { describeValue, isRecord, type ObservableExpectation } from "../../contract/index.ts";
import {
  areBitStrings,
  areReversedShots,
  countOutcomes,
  type Distribution,
  findFault,
  freezeWithOutcomes,
  isObservable,
  type MutableDistribution,
  mapOutcomes,
  outcomesOf,
  parseNumber,
  put,
  type Register,
  readSolution,
  reverseSymbols,
  type Solution,
  shotOutcome,
  toBitStrings,
} from "../../results/index.ts";

export interface Members {
  readonly [member: string]: unknown;
}

/** A kind of item that a list may hold, and how an error names it. */
export interface Kind<T> {
  wanted: string;
  is(item: unknown): boolean;
  /** Only the type is used. */
  item?: T;
}

/** Is called with what is wrong in a record: it throws, or remembers it; the member then counts as missing. */
type OnProblem = (error: KetbookError) => void;

export type MemberReader = ReturnType<typeof memberReader>;

/** Reads members of a record that no schema describes. Absent and null are the same. */
export function memberReader(onProblem: OnProblem) {
  const refuse = (path: string, wanted: string, value: unknown) =>
    onProblem(new KetbookError(`${path} must be ${wanted}, not ${describeValue(value)}.`));
  return {
    onProblem,
    refuse,
    object(value: unknown, path: string): Members {
      if (isRecord(value)) return value;
      if (value !== undefined && value !== null) refuse(path, "an object", value);
      return {};
    },
    /** A copy of a list of at most `max` items, or null. */
    list<T>(value: unknown, path: string, max: number, { wanted, is }: Kind<T>): T[] | null {
      if (value === undefined || value === null) return null;
      if (!Array.isArray(value)) {
        refuse(path, "a list", value);
        return null;
      }
      if (value.length > max) {
        onProblem(new KetbookError(`${path} has more than ${max} items.`));
        return null;
      }
      const bad = value.findIndex(item => !is(item));
      if (bad < 0) return value.slice();
      refuse(`${path}[${bad}]`, wanted, value[bad]);
      return null;
    },
  };
}

export interface ResultData {
  counts: Distribution;
  probabilities: Distribution | null;
  /** Registers that the service names, in the order of their declaration. */
  registers: readonly Register[];
  measurements: readonly string[] | null;
  statevector: readonly number[] | null;
  /** Expectation values that a simulator computed, with their observables; null where none were asked for. */
  expectations: readonly ObservableExpectation[] | null;
  /** Estimated fidelity of the state, from 0 to 1, where it is approximate; null where it is not. */
  estimatedFidelity: number | null;
  solutions: readonly Solution[] | null;
  /** The service's own record, in which the counts are frozen. */
  raw: Members;
}

export interface ReadDataOptions {
  /** Bits that an outcome shows when they are not all of the program's. */
  shownBits?: number | undefined;
  /** Bits of the program, where something besides the record tells them. */
  width: () => number | undefined;
}

export const outcomeMembers = [
  ...["measurementCounts", "measurement_counts", "counts"],
  ...["measurementProbabilities", "measurement_probabilities"],
  ...["measurements", "statevector", "registers", "solutions", "expectations", "estimatedFidelity"],
];

const maxOutcomes = 2 ** 22;
const maxBits = 65_536;
const maxShots = 10_000_000;
const maxAmplitudes = 2 ** 25;
const maxSolutions = 1_000_000;
const maxExpectations = 100_000;

const numbers: Kind<number> = { wanted: "a number", is: Number.isFinite };
const expectations: Kind<ObservableExpectation> = {
  wanted: "an observable with value, variance and shots",
  is(item) {
    const { observable, value, variance, shots, low, high, standardError } = Object(item) as Members;
    const given = [low, high, standardError].filter(found => found !== undefined);
    const areNumbers = [value, variance, shots, ...given].every(Number.isFinite);
    return areNumbers && isObservable(observable) && Number(variance) >= 0 && Number(shots) >= 0;
  },
};
const anything: Kind<unknown> = { wanted: "anything", is: () => true };
const registers: Kind<Register> = {
  wanted: "a register with name and size",
  is(item) {
    const { name, size } = Object(item) as Partial<Register>;
    const isName = typeof name === "string" && name.length <= maxBits;
    return isName && Number.isSafeInteger(size) && size! >= 0 && size! <= maxBits;
  },
};

/** Reads `resultData` in every shape that services were seen to write. What nobody documented stays in `raw`. */
export function readResultData(value: unknown, read: MemberReader, options: ReadDataOptions): ResultData {
  const data = read.object(value, "resultData");
  const given = (...names: [string, ...string[]]) => {
    const name = names.find(name => data[name] != null) ?? names[0];
    return readDistribution(data[name], `resultData.${name}`, read);
  };
  if (data.packedCounts != null) read.refuse("resultData.packedCounts", "packed counts", data.packedCounts);
  if (data.packedMeasurements != null)
    read.refuse("resultData.packedMeasurements", "a packed memory", data.packedMeasurements);
  const counts = given("measurementCounts", "measurement_counts", "counts");
  const probabilities = given("measurementProbabilities", "measurement_probabilities");
  const named = read.list(data.registers, "resultData.registers", maxBits, registers) ?? [];
  const shots = readShots(data.measurements, read, counts);
  const counted = counts && (outcomesOf(counts).length > 0 || !shots) ? counts : undefined;
  const declared = named.reduce((sum, { size }) => sum + size, 0);
  const inBits = (values: Distribution) => {
    const told = options.shownBits ?? (declared || shots?.width);
    const width = told || areBitStrings(values) ? told : options.width();
    return width !== undefined && width <= maxBits ? toBitStrings(values, width) : values;
  };
  const found = {
    counts: inBits(counted ?? (probabilities ? {} : countOutcomes(shots?.outcomes ?? []))),
    probabilities: probabilities ? inBits(probabilities) : null,
  };
  checkWhole(found.counts, "measurementCounts", read);
  if (found.probabilities) checkWhole(found.probabilities, "measurementProbabilities", read);
  return {
    ...found,
    registers: named,
    measurements: shots?.outcomes ?? null,
    statevector: read.list(data.statevector, "resultData.statevector", maxAmplitudes, numbers),
    expectations: read.list(data.expectations, "resultData.expectations", maxExpectations, expectations),
    estimatedFidelity: readFidelity(data.estimatedFidelity, read),
    solutions: readSolutions(data.solutions, read),
    raw: {
      ...data,
      ...(counts && { measurementCounts: counts }),
      ...(probabilities && { measurementProbabilities: probabilities }),
    },
  };
}

function readFidelity(value: unknown, read: MemberReader): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  read.refuse("resultData.estimatedFidelity", "a number from 0 to 1", value);
  return null;
}

function checkWhole(
  values: Distribution,
  name: "measurementCounts" | "measurementProbabilities",
  read: MemberReader,
): void {
  const fault = findFault(values, name === "measurementProbabilities");
  if (fault) read.onProblem(new KetbookError(`resultData.${name} ${fault}`));
}

/** Reads counts or probabilities, frozen: numbers of 0 or more, of outcomes of a bounded length. */
function readDistribution(value: unknown, path: string, read: MemberReader): Distribution | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value)) {
    read.refuse(path, "an object", value);
    return undefined;
  }
  const given = value as Distribution;
  const outcomes = outcomesOf(given);
  if (outcomes.length > maxOutcomes) {
    read.onProblem(new KetbookError(`${path} has more than ${maxOutcomes} outcomes.`));
    return undefined;
  }
  const copy: MutableDistribution = {};
  for (const outcome of outcomes) {
    const found: unknown = given[outcome];
    const count = typeof found === "number" ? found : parseNumber(found);
    if (count === null || !(count >= 0 && count < Number.POSITIVE_INFINITY)) {
      read.refuse(`${path}[${JSON.stringify(outcome.slice(0, 64))}]`, "a number of 0 or more", found);
      return undefined;
    }
    if (outcome.length > maxBits) {
      read.onProblem(new KetbookError(`${path} has an outcome of ${outcome.length} bits.`));
      return undefined;
    }
    put(copy, outcome, count);
  }
  return freezeWithOutcomes(outcomes, copy);
}

/** Reads the outcome of each shot. Lists of bits whose order is the reverse of the counts' are reversed. */
function readShots(value: unknown, read: MemberReader, counts: Distribution | undefined) {
  const path = "resultData.measurements";
  const given = read.list(value, path, maxShots, anything);
  if (!given) return undefined;
  const outcomes: string[] = [];
  for (const [index, shot] of given.entries()) {
    const outcome = shotOutcome(shot);
    if (outcome === undefined || (outcome && outcome.length > maxBits)) {
      read.refuse(`${path}[${index}]`, "a string, a list of bits or a shot of atoms", shot);
      return undefined;
    }
    if (outcome !== null) outcomes.push(outcome);
  }
  const width = outcomes[0]?.length;
  if (!Array.isArray(given[0])) return { outcomes, width: undefined };
  const [key = ""] = counts ? outcomesOf(counts) : [];
  const joined = counts && key.includes(" ") ? mapOutcomes(counts, each => each.replaceAll(" ", "")) : counts;
  const isReversed = joined && areReversedShots(outcomes, joined);
  const turned = outcomes.map(outcome => splitLike(key, isReversed ? reverseSymbols(outcome) : outcome));
  return { outcomes: turned, width: outcomes.every(({ length }) => length === width) ? width : undefined };
}

/** Splits the bits of a shot into registers, as those of a counted outcome are. */
function splitLike(key: string, bits: string): string {
  if (!key.includes(" ") || key.length - key.split(" ").length + 1 !== bits.length) return bits;
  let at = 0;
  return key.replaceAll(/[^ ]+/g, register => {
    at += register.length;
    return bits.slice(at - register.length, at);
  });
}

function readSolutions(value: unknown, read: MemberReader): Solution[] | null {
  const path = "resultData.solutions";
  const given = read.list(value, path, maxSolutions, anything);
  return (
    given?.flatMap((item, index) => {
      const solution = readSolution(item);
      if (!solution) read.refuse(`${path}[${index}]`, "a solution with spin and energy", item);
      return solution ?? [];
    }) ?? null
  );
}
