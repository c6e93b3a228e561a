import type { Circuit } from "./circuit/circuit.ts";
import { AttemptExceededError, MemoryLimitError } from "./errors.ts";
import { profileOf } from "./execution/profile.ts";
import type { SimulationRequest, Simulator } from "./execution/simulator.ts";
import type { Method } from "./method-name.ts";
import { type Choice, rankSimulators } from "./registry.ts";

/** Operations, of about a microsecond, of the first attempt with each method where no cost is known. */
const FIRST_OPERATIONS = 1000;
/** An estimate in operations up to which a method is tried first where no cost is known, and one that is seldom far too high. */
const MAX_ESTIMATED = 100_000;
const MAX_RELIABLE = 400_000;
/** The share of an estimate that others are given before, whose estimates may be far too high, and operations from which on that is worth it. */
const PROBE_SHARE = 1 / 16;
const WORTH_PROBING = 1500;
/** How many times as much the fastest is given next. */
const GROWTH = 4;
/** How many times as fast as the simulator that is running another has to have been for its work to be thrown away. */
const MUCH_FASTER = 2;
/** The share of a known cost that one attempt is given with a method whose cost is not, so that it is tried where it may be much less. */
const SHARE = 1 / 3;
/** Operations of an attempt beyond which it is given less: this share of the known cost. */
const LONG_ATTEMPT = 1e6;
const LONG_SHARE = 1 / 8;
/** A known cost in operations from which on attempts are worth it. */
const WORTH_ATTEMPTING = 10_000;

/** Operations of a known cost, and for each gate, from which on it is worth to estimate others. */
const WORTH_ESTIMATING = 2000;
const WORTH_ESTIMATING_EACH = 4;
/** The share of a known cost, and the operations, up to which a simulator is tried before the cost of slower ones is found. */
const QUICK_SHARE = 1 / 8;
const MAX_QUICK = 20_000;
/** How many times as much as estimated an attempt is given. */
const MARGIN = 4;
/** The share of a known cost up to which the estimate of another is preferred. */
const PREFERRED_SHARE = 1 / 2;

/** A simulator, why it is tried, and how many numbers it may touch before another is. */
export interface Attempt extends Choice {
  readonly maxNumbers: number;
  /** Returns how many it may touch instead once it has come to so many operations; 0 ends the attempt. Default: 0. */
  readonly extend?: ((operations: number) => number) | undefined;
  /** The most operations that another attempt has come to. Default: none. */
  readonly reached?: number;
}

/** How many operations the last attempt with a simulator has come to, and how many, of about a microsecond, it was given. */
interface Advance {
  readonly came: number;
  readonly given: number;
}

/**
 * Runs the simulator that does what is requested at the least cost. Where the cost of some only a run can tell, those
 * that are estimated to take less are tried first. The others are given a share of the least cost that is known. Where
 * none is, each is given little, and then always the fastest more, by the operations that it has come to at last: so that
 * at worst a few times as much is done as by the best of them. No estimate holds where shots take ways of their own.
 */
export function attemptSimulators<R>(
  circuit: Circuit,
  request: SimulationRequest,
  names: readonly Method["name"][] | undefined,
  run: (attempt: Attempt) => R,
): R {
  const { gates, isClifford, hasMidCircuitDependence } = profileOf(circuit);
  const least = Math.max(WORTH_ESTIMATING, WORTH_ESTIMATING_EACH * gates);
  const first = rankSimulators(circuit, request, names, true);
  let ranking = first;
  const refused: string[] = [];
  const gone = new Set<Simulator>();
  let failure: MemoryLimitError | undefined;
  const advances = new Map<Simulator, Advance>();
  /** Returns the result in a list, or undefined where the simulator takes too long or too much. */
  const attempt = (simulator: Simulator, maxNumbers: number, extend?: Attempt["extend"]): [R] | undefined => {
    const others = [
      ...refused,
      ...(ranking.best ? [`${asState(ranking.best)} it is estimated to take longer`] : []),
      ...[...advances.keys()]
        .filter(one => one !== simulator && !gone.has(one))
        .map(one => `${asState(one)} it got on more slowly when it was tried`),
    ];
    try {
      const reached = Math.max(0, ...[...advances.values()].map(({ came }) => came));
      return [run({ ...ranking.choose(simulator, others), maxNumbers, reached, extend })];
    } catch (error) {
      if (error instanceof AttemptExceededError) return undefined;
      if (!(error instanceof MemoryLimitError)) throw error;
      failure ??= error;
      gone.add(simulator);
      refused.push(`a ${simulator.name} takes too much memory`);
      return undefined;
    }
  };
  const alive = () => ranking.openEnded.filter(simulator => !gone.has(simulator));
  const isOnly = () => !ranking.best && alive().length === 1;

  const attemptEstimated = ({ simulator, operations }: Estimate, max: number): [R] | undefined => {
    if (operations > Math.min(max, PREFERRED_SHARE * ranking.operations) || gone.has(simulator) || isOnly())
      return undefined;
    const probe = PROBE_SHARE * operations;
    for (const other of probe >= WORTH_PROBING ? alive() : []) {
      const result = other === simulator ? undefined : attempt(other, limitOf(other, probe));
      if (result) return result;
    }
    return attempt(simulator, limitOf(simulator, MARGIN * operations));
  };

  const estimates: Estimate[] = [];
  const isEstimable = first.best !== undefined || !hasMidCircuitDependence;
  if (isEstimable && first.operations >= least) {
    const max = Math.max(least, Math.min(MAX_QUICK, QUICK_SHARE * first.operations));
    const worthwhile = first.openEnded.filter(({ isEstimateReliable }) => isEstimateReliable || !isClifford);
    for (const simulator of worthwhile.sort((a, b) => shareOf(a) - shareOf(b))) {
      const estimate = { simulator, operations: estimateOf(simulator, circuit, request) };
      const result = attemptEstimated(estimate, max);
      if (result) return result[0];
      if (estimate.operations > max) estimates.push(estimate);
    }
  }
  if (first.operations >= least) ranking = rankSimulators(circuit, request, names);
  const { best, operations, choose } = ranking;
  for (const estimate of estimates.sort((a, b) => a.operations - b.operations)) {
    const max = estimate.simulator.isEstimateReliable ? MAX_RELIABLE : MAX_ESTIMATED;
    const result = attemptEstimated(estimate, best ? operations : max);
    if (result) return result[0];
  }

  if (best && !isClifford && operations >= Math.max(WORTH_ATTEMPTING, least)) {
    const limit = Math.min(SHARE * operations, Math.max(LONG_ATTEMPT, LONG_SHARE * operations));
    for (const simulator of alive()) {
      const result = attempt(simulator, limitOf(simulator, limit) * shareOf(simulator));
      if (result) return result[0];
    }
  }
  if (best) return run({ ...choose(best, refused), maxNumbers: Number.POSITIVE_INFINITY });

  /** Returns how fast a simulator was at last; infinite where it was not tried. */
  const rateOf = (simulator: Simulator): number => {
    const { came, given } = advances.get(simulator) ?? { came: 1, given: 0 };
    return came / given;
  };
  const fastest = () => alive().reduce((a, b) => (rateOf(b) > rateOf(a) ? b : a));
  while (alive().length > 0) {
    const simulator = fastest();
    let given = GROWTH * (advances.get(simulator)?.given ?? FIRST_OPERATIONS / GROWTH);
    const extend = (came: number): number => {
      advances.set(simulator, { came, given });
      given *= GROWTH;
      return rateOf(fastest()) > MUCH_FASTER * rateOf(simulator) ? 0 : limitOf(simulator, given);
    };
    const numbers = isOnly() ? Number.POSITIVE_INFINITY : limitOf(simulator, given);
    const result = attempt(simulator, numbers, extend);
    if (result) return result[0];
  }
  throw failure ?? new Error("No simulator was tried.");
}

const asState = ({ name }: Simulator): string =>
  `as ${/^[aeiou]/.test(name) ? "an" : "a"} ${name}${name === "sparse" ? " state" : ""}`;

/** The share of an attempt's limit that a simulator is given which is estimated to take more, and whose estimates are seldom far too high. */
const SHARE_OF_RELIABLE = 1 / 16;
const shareOf = ({ isEstimateReliable = false }: Simulator): number =>
  isEstimateReliable ? SHARE_OF_RELIABLE : 1;

const NANOSECONDS_OF_OPERATION = 1000;

const limitOf = ({ nanosecondsOfNumber = 1 }: Simulator, operations: number): number =>
  (operations * NANOSECONDS_OF_OPERATION) / nanosecondsOfNumber;

/** What a simulator is estimated to take. */
interface Estimate {
  readonly simulator: Simulator;
  readonly operations: number;
}

/** Returns the operations that a simulator is estimated to take; infinite where nothing is known. */
const estimateOf = (simulator: Simulator, circuit: Circuit, request: SimulationRequest): number =>
  (simulator.estimate?.(circuit, request) ?? Number.POSITIVE_INFINITY) / limitOf(simulator, 1);
