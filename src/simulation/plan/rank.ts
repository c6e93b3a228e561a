import type { Circuit } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import { joinClauses, type SimulationRequest, type Simulator } from "../execution/simulator.ts";
import { extendedStabilizerSimulator } from "../extended-stabilizer/simulator.ts";
import { type Method, methodsFor } from "../methods/index.ts";
import { mpsSimulator } from "../mps/simulator.ts";
import { densityMatrixSimulator } from "../noise/density-matrix.ts";
import { trajectoriesSimulator } from "../noise/trajectories-simulator.ts";
import { sparseSimulator } from "../sparse/sparse-state.ts";
import { stabilizerSimulator } from "../stabilizer/simulator.ts";
import { statevectorSimulator } from "../statevector/simulator.ts";
import { type Cost, costOf, WORTH_TRYING } from "./costs.ts";
import { activeQubitCount, isClifford } from "./profile.ts";
import { NARROW, splitProgram } from "./split.ts";

/** Every method; of methods that cost the same, the first is taken, and the first is tried before the others. */
const SIMULATORS: Readonly<Record<Method["name"], Simulator>> = {
  statevector: statevectorSimulator,
  "density matrix": densityMatrixSimulator,
  stabilizer: stabilizerSimulator,
  trajectories: trajectoriesSimulator,
  "matrix product state": mpsSimulator,
  sparse: sparseSimulator,
  "extended stabilizer": extendedStabilizerSimulator,
};

/**
 * Returns the simulator of a name. Throws a {@link SimulationError} if there is none, or if it simulates only programs
 * with noise, or only programs without.
 */
export function simulatorNamed(name: Method["name"], isNoisy: boolean): Simulator {
  const others: readonly Method["name"][] = methodsFor(isNoisy ? "noisy" : "ideal");
  if (others.includes(name)) return SIMULATORS[name];
  const fault = Object.hasOwn(SIMULATORS, name)
    ? `The method ${name} simulates programs ${isNoisy ? "without" : "under"} noise only`
    : `There is no method ${name}`;
  throw new SimulationError(`${fault}; choose one of ${others.join(", ")}, or "automatic".`);
}

/** A simulator whose cost is known before the run. */
export interface Known extends Cost {
  readonly simulator: Simulator;
}

/** The simulators that can do what is requested. */
export interface Ranking {
  /** The one with the least known cost. */
  readonly best: Known | undefined;
  /** Those whose cost only a run can tell; none if a known cost is so small, or so reliable, that no other is tried. */
  readonly openEnded: readonly Simulator[];
  /** The reasons of those that cannot, as clauses. */
  readonly refusals: readonly string[];
}

/**
 * Ranks the simulators that can do what is requested, among those of the given names (default: all). Throws a
 * {@link SimulationError} with what the first of them needs if none can.
 */
export function rankSimulators(
  circuit: Circuit,
  request: SimulationRequest,
  names?: readonly Method["name"][],
): Ranking {
  const isNoisy = request.noise !== null;
  for (const name of names ?? []) simulatorNamed(name, isNoisy);
  if (names?.length === 0)
    throw new SimulationError("The list of methods is empty; leave it out for all of them.");
  const usable: readonly Method["name"][] = names ?? methodsFor(isNoisy ? "noisy" : "ideal");
  const candidates = Object.values(SIMULATORS).filter(({ name }) => usable.includes(name));
  const known: Known[] = [];
  const openEnded: Simulator[] = [];
  const split = isNoisy || activeQubitCount(circuit) <= NARROW ? undefined : splitProgram(circuit, request);
  for (const simulator of split ? [split.simulator, ...candidates] : candidates) {
    const isSplit = simulator === split?.simulator;
    if (isSplit && !usable.includes(simulator.name)) continue;
    if (openEnded.some(({ name }) => name === simulator.name)) continue;
    const cost = isSplit ? split.cost : costOf(simulator.name, circuit, request);
    if (cost) known.push({ simulator, ...cost });
    else openEnded.push(simulator);
  }
  known.sort((a, b) => a.microseconds - b.microseconds);
  const best = known.find(({ simulator }) => !simulator.check(circuit, request));
  const worthTrying = WORTH_TRYING[isNoisy ? "noisy" : "pure"];
  if (best && (best.microseconds < worthTrying || isClifford(circuit)))
    return { best, openEnded: [], refusals: [] };
  const refusals = candidates.flatMap(simulator => simulator.check(circuit, request) ?? []);
  const able = openEnded.filter(simulator => !simulator.check(circuit, request));
  if (!best && able.length === 0) {
    refusals[0]!.fail?.();
    throw new SimulationError(joinClauses([refusals[0]!.clause]));
  }
  return { best, openEnded: able, refusals: refusals.map(({ clause }) => clause) };
}
