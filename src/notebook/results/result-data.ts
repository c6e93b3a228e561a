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
  shotOutcome,
  toBitStrings,
} from "../../results/index.ts";

export interface Members {
  readonly [member: string]: unknown;
}

export type MemberReader = ReturnType<typeof memberReader>;

/** Reads members that no schema describes; null is absent. After `onProblem`, which may throw, a wrong member is missing. */
export function memberReader(onProblem: (problem: string) => void) {
  const refuse = (path: string, wanted: string, value: unknown) =>
    onProblem(`${path} must be ${wanted}, not ${describeValue(value)}.`);
  return {
    onProblem,
    refuse,
    object(value: unknown, path: string): Members {
      if (isRecord(value)) return value;
      if (value !== undefined && value !== null) refuse(path, "an object", value);
      return {};
    },
    /** A copy of a list, or null. */
    list<T>(value: unknown, path: string, wanted: string, is: (item: unknown) => boolean): T[] | null {
      const bad = Array.isArray(value) ? value.findIndex(item => !is(item)) : -1;
      if (bad >= 0) refuse(`${path}[${bad}]`, wanted, (value as unknown[])[bad]);
      else if (Array.isArray(value)) return value.slice();
      else if (value !== undefined && value !== null) refuse(path, "a list", value);
      return null;
    },
  };
}

/** Data of a program's result, in one shape for every service. */
export type ResultData = ReturnType<typeof readResultData>;

export const outcomeMembers = [
  ...["measurementCounts", "measurement_counts", "counts"],
  ...["measurementProbabilities", "measurement_probabilities"],
  ...["measurements", "statevector", "registers", "solutions", "expectations", "estimatedFidelity"],
];

const maxBits = 65_536;

function isExpectation(item: unknown): boolean {
  const { observable, value, variance, shots, low, high, standardError } = Object(item) as Members;
  const given = [low, high, standardError].filter(found => found !== undefined);
  const areNumbers = [value, variance, shots, ...given].every(Number.isFinite);
  return areNumbers && isObservable(observable) && Number(variance) >= 0 && Number(shots) >= 0;
}

function isRegister(item: unknown): boolean {
  const { name, size } = Object(item) as Partial<Register>;
  const isName = typeof name === "string" && name.length <= maxBits;
  return isName && Number.isSafeInteger(size) && size! >= 0 && size! <= maxBits;
}

/**
 * Reads `resultData` in every shape that services were seen to write. What nobody documented stays in `raw`.
 *
 * @param width - Bits of the program, where something besides the record tells them.
 * @param shownBits - Bits that an outcome shows when they are not all of the program's.
 */
export function readResultData(
  value: unknown,
  read: MemberReader,
  width: () => number | undefined,
  shownBits: number | undefined,
) {
  const data = read.object(value, "resultData");
  const list = <T>(name: string, wanted: string, is: (item: unknown) => boolean = () => true) =>
    read.list<T>(data[name], `resultData.${name}`, wanted, is);
  const distribution = (...names: string[]) => {
    const name = names.find(name => data[name] != null);
    return name === undefined ? undefined : readDistribution(data[name], `resultData.${name}`, read);
  };
  const packed = { packedCounts: "packed counts", packedMeasurements: "a packed memory" };
  for (const [name, wanted] of Object.entries(packed))
    if (data[name] != null) read.refuse(`resultData.${name}`, wanted, data[name]);
  const counts = distribution("measurementCounts", "measurement_counts", "counts");
  const probabilities = distribution("measurementProbabilities", "measurement_probabilities");
  const registers = list<Register>("registers", "a register with name and size", isRegister) ?? [];
  const shots = readShots(list("measurements", "a shot"), read, counts);
  const counted = counts && (outcomesOf(counts).length > 0 || !shots) ? counts : undefined;
  const declared = registers.reduce((sum, { size }) => sum + size, 0);
  const inBits = (values: Distribution) => {
    const told = shownBits ?? (declared || shots?.width);
    const bits = told || areBitStrings(values) ? told : width();
    return bits !== undefined && bits <= maxBits ? toBitStrings(values, bits) : values;
  };
  const found = {
    counts: inBits(counted ?? (probabilities ? {} : countOutcomes(shots?.outcomes ?? []))),
    probabilities: probabilities ? inBits(probabilities) : null,
  };
  const faults = {
    measurementCounts: findFault(found.counts, false),
    measurementProbabilities: found.probabilities && findFault(found.probabilities, true),
  };
  for (const [name, fault] of Object.entries(faults))
    if (fault) read.onProblem(`resultData.${name} ${fault}`);
  const solutions = list("solutions", "a solution")?.flatMap((item, index) => {
    const solution = readSolution(item);
    if (!solution) read.refuse(`resultData.solutions[${index}]`, "a solution with spin and energy", item);
    return solution ?? [];
  });
  const { estimatedFidelity: fidelity = null } = data;
  const isFidelity = typeof fidelity === "number" && fidelity >= 0 && fidelity <= 1;
  if (fidelity !== null && !isFidelity)
    read.refuse("resultData.estimatedFidelity", "a number from 0 to 1", fidelity);
  return {
    ...found,
    registers,
    /** The outcome of each shot that succeeded. */
    measurements: shots?.outcomes ?? null,
    /** Amplitudes, real and imaginary parts interleaved. */
    statevector: list<number>("statevector", "a number", Number.isFinite),
    expectations: list<ObservableExpectation>(
      "expectations",
      "an observable with value, variance and shots",
      isExpectation,
    ),
    estimatedFidelity: isFidelity ? fidelity : null,
    solutions: solutions ?? null,
    /** The service's own record, in which the counts are frozen. */
    raw: {
      ...data,
      ...(counts && { measurementCounts: counts }),
      ...(probabilities && { measurementProbabilities: probabilities }),
    },
  };
}

/** Reads counts or probabilities, frozen: numbers of 0 or more, of outcomes of a bounded length. */
function readDistribution(value: unknown, path: string, read: MemberReader): Distribution | undefined {
  if (!isRecord(value)) {
    read.refuse(path, "an object", value);
    return undefined;
  }
  const outcomes = Object.keys(value);
  const copy: MutableDistribution = {};
  for (const outcome of outcomes) {
    const found = value[outcome];
    const count = typeof found === "number" ? found : parseNumber(found);
    if (outcome.length > maxBits) read.onProblem(`${path} has an outcome of ${outcome.length} bits.`);
    else if (count === null || !(count >= 0 && count < Number.POSITIVE_INFINITY))
      read.refuse(`${path}[${JSON.stringify(outcome.slice(0, 64))}]`, "a number of 0 or more", found);
    else {
      put(copy, outcome, count);
      continue;
    }
    return undefined;
  }
  return freezeWithOutcomes(outcomes, copy);
}

/** Reads the outcome of each shot. Lists of bits whose order is the reverse of the counts' are reversed. */
function readShots(given: unknown[] | null, read: MemberReader, counts: Distribution | undefined) {
  if (!given) return undefined;
  const outcomes: string[] = [];
  for (const [index, shot] of given.entries()) {
    const outcome = shotOutcome(shot);
    if (outcome === undefined || (outcome && outcome.length > maxBits)) {
      const wanted = "a string, a list of bits or a shot of atoms";
      read.refuse(`resultData.measurements[${index}]`, wanted, shot);
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
