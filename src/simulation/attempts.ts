import type { Circuit } from "./circuit/circuit.ts";
import { AttemptExceededError, MemoryLimitError } from "./errors.ts";
import type { SimulationRequest, Simulator } from "./execution/simulator.ts";
import type { Method } from "./method-name.ts";
import { type Choice, rankSimulators } from "./registry.ts";

/** Operations, of about a microsecond, of the first attempt with a method whose cost is not known. */
const FIRST_OPERATIONS = 100_000;
/** How many times as much each following attempt is given. */
const GROWTH = 4;
/** The share of a known cost beyond which no attempt at a lower one is worth it. */
const WORTHWHILE = 1 / 8;

/** A simulator, why it is tried, and how many numbers it may touch before another is. */
export interface Attempt extends Choice {
  readonly maxNumbers: number;
}

/**
 * Runs the simulator that does what is requested at the least cost. Where the cost of some only a run can tell, they
 * are tried one after the other with a limit that grows, up to a share of the least cost that is known: so that at worst a
 * few times as much is done as by the best of them.
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
  for (let limit = FIRST_OPERATIONS; alive.length > 0 && limit < WORTHWHILE * operations; limit *= GROWTH) {
    const isOnly = !best && alive.length === 1;
    for (const simulator of alive) {
      const maxNumbers = isOnly ? Number.POSITIVE_INFINITY : limitOf(simulator, limit);
      try {
        return run({ ...choose(simulator, refused), maxNumbers });
      } catch (error) {
        if (error instanceof AttemptExceededError) continue;
        if (!(error instanceof MemoryLimitError)) throw error;
        failure ??= error;
        alive = alive.filter(one => one !== simulator);
        refused.push(`a ${simulator.name} takes too much memory`);
      }
    }
  }
  if (!best) throw failure ?? new Error("No simulator was tried.");
  return run({ ...choose(best, refused), maxNumbers: Number.POSITIVE_INFINITY });
}

const limitOf = ({ nanosecondsOfNumber = 1 }: Simulator, operations: number): number =>
  (operations * 1000) / nanosecondsOfNumber;
