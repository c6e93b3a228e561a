import type { Circuit } from "./circuit/circuit.ts";
import { SimulationError } from "./errors.ts";
import { joinClauses, type SimulationRequest, type Simulator } from "./execution/simulator.ts";
import { extendedStabilizerSimulator } from "./extended-stabilizer/simulator.ts";
import type { Method } from "./method-name.ts";
import { mpsSimulator } from "./mps/simulator.ts";
import { densityMatrixSimulator } from "./noise/density-matrix-simulator.ts";
import { trajectoriesSimulator } from "./noise/trajectories-simulator.ts";
import { productSimulators } from "./product/simulator.ts";
import { sparseSimulator } from "./sparse/simulator.ts";
import { stabilizerSimulator } from "./stabilizer/simulator.ts";
import { statevectorSimulator } from "./statevector/simulator.ts";

/** Every method; of those that cost the same, the first is taken. */
const SIMULATORS: readonly Simulator[] = [
  statevectorSimulator,
  densityMatrixSimulator,
  stabilizerSimulator,
  trajectoriesSimulator,
  extendedStabilizerSimulator,
  ...productSimulators,
  mpsSimulator,
  sparseSimulator,
];

/** A simulator, and why it was taken. */
export interface Choice {
  readonly simulator: Simulator;
  readonly reason: string;
}

/**
 * Returns the simulator of a name, for the program in one piece. Throws a {@link SimulationError} where there is none, or
 * it does not simulate programs under noise, or without noise, as is asked for.
 */
export function simulatorNamed(name: Method["name"], isNoisy: boolean): Simulator {
  const simulator = SIMULATORS.find(one => one.name === name && !productSimulators.includes(one));
  if (simulator?.noise.includes(isNoisy)) return simulator;
  const others = new Set(SIMULATORS.flatMap(one => (one.noise.includes(isNoisy) ? [one.name] : [])));
  const fault = simulator
    ? `The method ${name} simulates programs ${isNoisy ? "without" : "under"} noise only`
    : `There is no method ${name}`;
  throw new SimulationError(`${fault}; choose one of ${[...others].join(", ")}, or "automatic".`);
}

/** The simulators that can do what is requested. */
export interface Ranking {
  /** The one of the least cost that is known, if there is one, and that cost. */
  readonly best: Simulator | undefined;
  readonly operations: number;
  /** Those whose cost only a run can tell. */
  readonly openEnded: readonly Simulator[];
  /** Returns a choice with its reason, besides what was found out about others. */
  choose(simulator: Simulator, found?: readonly string[]): Choice;
}

/**
 * Ranks the simulators that do what is requested by their cost, among those of the given names (default: all), without
 * those that are slow to rank where `isQuick` is set and others can (default: false).
 * Throws a {@link SimulationError} with what the first of them needs where none can.
 */
export function rankSimulators(
  circuit: Circuit,
  request: SimulationRequest,
  names?: readonly Method["name"][],
  isQuick = false,
): Ranking {
  const isNoisy = request.noise !== null;
  for (const name of names ?? []) simulatorNamed(name, isNoisy);
  if (names?.length === 0)
    throw new SimulationError("The list of methods is empty; leave it out for all of them.");
  const candidates = SIMULATORS.filter(
    ({ name, noise, isSlowToRank = false }) =>
      noise.includes(isNoisy) && (!names || names.includes(name)) && !(isQuick && isSlowToRank),
  );
  const refusals = new Map<Simulator, string>();
  const openEnded: Simulator[] = [];
  let best: Simulator | undefined;
  const costs = candidates.map(simulator => ({
    simulator,
    operations: simulator.cost(circuit, request).operations,
  }));
  let least = Number.POSITIVE_INFINITY;
  for (const { simulator, operations } of costs.sort((a, b) => a.operations - b.operations || 0)) {
    const answer =
      best && operations < Number.POSITIVE_INFINITY ? true : simulator.supports(circuit, request);
    if (answer !== true) refusals.set(simulator, answer);
    else if (operations === Number.POSITIVE_INFINITY) openEnded.push(simulator);
    else if (!best) [best, least] = [simulator, operations];
  }
  const clauses = candidates.flatMap(one => refusals.get(one) || []);
  if (!best && openEnded.length === 0) {
    if (isQuick) return rankSimulators(circuit, request, names);
    candidates[0]!.check(circuit, request);
    throw new SimulationError(joinClauses(clauses.slice(0, 1)));
  }
  const choose = (simulator: Simulator, found: readonly string[] = []): Choice => ({
    simulator,
    reason: simulator.reason(circuit, request, [...clauses, ...found]),
  });
  return { best, operations: least, openEnded, choose };
}

/**
 * Chooses the simulator that does what is requested at the least cost, among those of the given names (default: all);
 * where only runs can tell, the first that is tried. Throws a {@link SimulationError} with what the first of them needs
 * where none can.
 */
export function chooseSimulator(
  circuit: Circuit,
  request: SimulationRequest,
  names?: readonly Method["name"][],
): Choice {
  const { best, openEnded, choose } = rankSimulators(circuit, request, names);
  return choose((best ?? openEnded[0])!);
}
