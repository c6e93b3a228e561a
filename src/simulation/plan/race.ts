import type { Circuit } from "../circuit/circuit.ts";
import {
  AttemptExceededError,
  LimitExceededError,
  MemoryLimitError,
  SimulationError,
  UnsupportedMethodError,
} from "../errors.ts";
import type { AttemptLimit } from "../execution/limits.ts";
import type { SimulationRequest, Simulator } from "../execution/simulator.ts";
import { METHODS } from "../methods/index.ts";
import type { Known, Ranking } from "./rank.ts";

/** Microseconds that each method is tried for in the first round. */
const FIRST_ROUND = 1000;
/** The factor by which the fastest method is given more. */
const GROWTH = 4;
/** Speed ratio at which another method replaces the one that runs, whose work is lost. */
const MUCH_FASTER = 2;
/** The share of a known cost that all attempts with other methods may take, and if it is not known how far they are. */
const SHARE = 1 / 2;
const BLIND_SHARE = 1 / 4;

/** A simulator, why it is tried, and what it may take. */
export interface Attempt {
  readonly simulator: Simulator;
  readonly reason: string;
  /** Default: no limit but those of the run. */
  readonly limit?: AttemptLimit;
  /** Largest number of operations that an earlier attempt came to. Default: none. */
  readonly reached?: number;
}

interface Progress {
  readonly simulator: Simulator;
  /** Microseconds that it was given, by the cost model, and the operations that it came to in them. */
  given: number;
  came: number;
  /** Operations for each microsecond of the last growth, by which what is left is estimated. */
  rate: number;
}

/**
 * Finds the fastest method by trying: each method whose cost only a run can tell is tried for a millisecond, and then always the one that advances fastest is given four times as much. A method of
 * known cost is taken as soon as the others would take longer for what is left. All is counted by the cost model and not
 * by the clock, so a seed gives the same counts on every machine.
 */
export function race<R>(
  circuit: Circuit,
  request: SimulationRequest,
  { best, openEnded, refusals }: Ranking,
  run: (attempt: Attempt) => R,
): R {
  const entrants = openEnded.map(
    (simulator): Progress => ({ simulator, given: 0, came: 0, rate: Number.POSITIVE_INFINITY }),
  );
  const refused = [...refusals];
  const reasonOf = (simulator: Simulator): string => {
    const others = entrants.filter(one => one.simulator !== simulator && one.given > 0);
    const slower = others.map(
      one => `as ${withArticle(one.simulator)} it got on more slowly when it was tried`,
    );
    if (best && best.simulator !== simulator)
      slower.unshift(`as ${withArticle(best.simulator)} it is estimated to take longer`);
    return simulator.reason(circuit, request, [...refused, ...slower]);
  };
  const failures: SimulationError[] = [];
  /** Microseconds of all attempts. */
  let spent = 0;

  /** Returns the result in a list, or undefined if the method takes too long or cannot go on. */
  const attempt = (entrant: Progress): [R] | undefined => {
    const { simulator } = entrant;
    const others = entrants.filter(one => one !== entrant);
    const isOnly = !best && others.length === 0;
    let granted = entrant.given === 0 ? FIRST_ROUND : GROWTH * entrant.given;
    let before = { given: 0, came: 0 };
    const extend = (came: number): number => {
      spent += granted - before.given;
      entrant.rate = (came - before.came) / (granted - before.given);
      before = { given: granted, came };
      Object.assign(entrant, before);
      const isNearEnd = (best?.operations ?? Number.POSITIVE_INFINITY) - came <= entrant.rate * FIRST_ROUND;
      const isOvertaken = !isNearEnd && others.some(other => speedOf(other) > MUCH_FASTER * speedOf(entrant));
      if (isOvertaken || (best && isSlower(entrant, best, spent, true))) return 0;
      granted *= GROWTH;
      return granted;
    };
    const reached = Math.max(0, ...entrants.map(({ came }) => came));
    const limit = isOnly
      ? {}
      : { limit: { microseconds: granted, cost: METHODS[simulator.name].metered!, extend } };
    try {
      return [run({ simulator, reason: reasonOf(simulator), reached, ...limit })];
    } catch (error) {
      if (error instanceof AttemptExceededError) return undefined;
      if (!(error instanceof SimulationError) || error instanceof LimitExceededError) throw error;
      failures.push(error);
      entrants.splice(entrants.indexOf(entrant), 1);
      if (error instanceof MemoryLimitError) refused.push(`${withArticle(simulator)} takes too much memory`);
      return undefined;
    }
  };

  while (entrants.length > 0) {
    const fastest = entrants.reduce((a, b) => (speedOf(b) > speedOf(a) ? b : a));
    if (best && fastest.given > 0 && isSlower(fastest, best, spent, false)) break;
    const result = attempt(fastest);
    if (result) return result[0];
  }
  if (best) return run({ simulator: best.simulator, reason: reasonOf(best.simulator) });
  throw (
    failures.find(error => error instanceof MemoryLimitError) ??
    failures.find(error => !(error instanceof UnsupportedMethodError)) ??
    failures[0] ??
    new Error("No simulator was tried.")
  );
}

/** Returns the operations for each microsecond; infinite before a method was tried. */
const speedOf = ({ given, came }: Progress): number =>
  given === 0 ? Number.POSITIVE_INFINITY : came / given;

/** Whether a method that keeps its speed takes longer for what is left than the known cost, or all attempts have taken their share of it. */
function isSlower(
  { came, rate }: Progress,
  { microseconds, operations }: Known,
  spent: number,
  isRunning: boolean,
): boolean {
  if (operations === undefined) return spent >= BLIND_SHARE * microseconds;
  const left = isRunning ? operations - came : operations;
  return spent >= SHARE * microseconds || left > microseconds * rate;
}

const withArticle = ({ name }: Simulator): string =>
  `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}${name === "sparse" ? " state" : ""}`;
