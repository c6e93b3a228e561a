import type { Circuit } from "./circuit/circuit.ts";
import { AttemptExceededError, MemoryLimitError } from "./errors.ts";
import { profileOf } from "./execution/profile.ts";
import type { SimulationRequest, Simulator } from "./execution/simulator.ts";
import type { Method } from "./method-name.ts";
import { type Choice, rankSimulators } from "./registry.ts";

/** Operations, of about a microsecond, of the first attempt with a method whose cost is not known. */
const FIRST_OPERATIONS = 100_000;
/** How many times as much each following attempt is given. */
const GROWTH = 4;
/** The share of a known cost beyond which no attempt at a lower one is worth it. */
const WORTHWHILE = 1 / 8;

/** Operations of a known cost, and for each gate, from which on it is worth to estimate others. */
const WORTH_ESTIMATING = 2000;
const WORTH_ESTIMATING_EACH = 8;
/** How many times as much as estimated an attempt is given: what is estimated to take more of a known cost is not tried. */
const MARGIN = 4;

/** A simulator, why it is tried, and how many numbers it may touch before another is. */
export interface Attempt extends Choice {
  readonly maxNumbers: number;
}

/**
 * Runs the simulator that does what is requested at the least cost. Where the cost of some only a run can tell, those
 * that are estimated to take less are tried first, and then one after the other with a limit that grows, up to a share of
 * the least cost that is known: so that at worst a few times as much is done as by the best of them.
 */
export function attemptSimulators<R>(
  circuit: Circuit,
  request: SimulationRequest,
  names: readonly Method["name"][] | undefined,
  run: (attempt: Attempt) => R,
): R {
  const { best, operations, openEnded, choose } = rankSimulators(circuit, request, names);
  const refused: string[] = [];
  let alive = openEnded;
  let failure: MemoryLimitError | undefined;
  /** Returns the result in a list, or undefined where the simulator takes too long or too much. */
  const attempt = (simulator: Simulator, maxNumbers: number): [R] | undefined => {
    try {
      return [run({ ...choose(simulator, refused), maxNumbers })];
    } catch (error) {
      if (error instanceof AttemptExceededError) return undefined;
      if (!(error instanceof MemoryLimitError)) throw error;
      failure ??= error;
      alive = alive.filter(one => one !== simulator);
      refused.push(`a ${simulator.name} takes too much memory`);
      return undefined;
    }
  };
  const isOnly = () => !best && alive.length === 1;
  const { gates, isClifford } = profileOf(circuit);
  const isWorthwhile = !isClifford && operations >= Math.max(WORTH_ESTIMATING, WORTH_ESTIMATING_EACH * gates);
  const mostWorthwhile = best ? operations / MARGIN : FIRST_OPERATIONS;
  if (isWorthwhile && !isOnly())
    for (const { simulator, estimate } of estimatesOf(openEnded, circuit, request)) {
      if (estimate > mostWorthwhile) break;
      const result = attempt(simulator, limitOf(simulator, MARGIN * estimate));
      if (result) return result[0];
    }
  for (let limit = FIRST_OPERATIONS; alive.length > 0 && limit < WORTHWHILE * operations; limit *= GROWTH)
    for (const simulator of alive) {
      const result = attempt(simulator, isOnly() ? Number.POSITIVE_INFINITY : limitOf(simulator, limit));
      if (result) return result[0];
    }
  if (!best) throw failure ?? new Error("No simulator was tried.");
  return run({ ...choose(best, refused), maxNumbers: Number.POSITIVE_INFINITY });
}

const NANOSECONDS_OF_OPERATION = 1000;

const limitOf = ({ nanosecondsOfNumber = 1 }: Simulator, operations: number): number =>
  (operations * NANOSECONDS_OF_OPERATION) / nanosecondsOfNumber;

/** Returns the operations that simulators are estimated to take, the fewest first. */
const estimatesOf = (simulators: readonly Simulator[], circuit: Circuit, request: SimulationRequest) =>
  simulators
    .map(simulator => ({
      simulator,
      estimate: simulator.estimate
        ? simulator.estimate(circuit, request) / limitOf(simulator, 1)
        : Number.POSITIVE_INFINITY,
    }))
    .filter(({ estimate }) => estimate < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.estimate - b.estimate);
