import type { Circuit } from "./circuit/circuit.ts";
import { SimulationError } from "./errors.ts";
import { joinClauses, type SimulationRequest, type Simulator } from "./execution/simulator.ts";
import type { Method } from "./method-name.ts";
import { mpsSimulator } from "./mps/simulator.ts";
import { densityMatrixSimulator } from "./noise/density-matrix-simulator.ts";
import { trajectoriesSimulator } from "./noise/trajectories-simulator.ts";
import { sparseSimulator } from "./sparse/simulator.ts";
import { stabilizerSimulator } from "./stabilizer/simulator.ts";
import { statevectorSimulator } from "./statevector/simulator.ts";

/** Every method; of those that cost the same, the first is taken. */
const SIMULATORS: readonly Simulator[] = [
  statevectorSimulator,
  densityMatrixSimulator,
  stabilizerSimulator,
  trajectoriesSimulator,
  sparseSimulator,
  mpsSimulator,
];

/** A simulator, and why it was taken. */
export interface Choice {
  readonly simulator: Simulator;
  readonly reason: string;
}

/** Returns the simulator of a name. */
export function simulatorNamed(name: Method["name"]): Simulator {
  const simulator = SIMULATORS.find(one => one.name === name);
  if (!simulator) throw new SimulationError(`There is no method ${name}.`);
  return simulator;
}

/**
 * Chooses the simulator that does what is wanted at the least cost, among those of the given names (default: all).
 * Throws a {@link SimulationError} with what the first of them needs where none can.
 */
export function chooseSimulator(
  circuit: Circuit,
  request: SimulationRequest,
  names?: readonly Method["name"][],
): Choice {
  const isNoisy = request.noise !== null;
  const candidates = SIMULATORS.filter(
    ({ name, noise }) => noise.includes(isNoisy) && (!names || names.includes(name)),
  );
  const refusals = new Map<Simulator, string>();
  const clauses = () => candidates.flatMap(one => refusals.get(one) ?? []);
  const costs = candidates.map(simulator => ({
    simulator,
    operations: simulator.cost(circuit, request).operations,
  }));
  for (const { simulator } of costs.sort((a, b) => a.operations - b.operations || 0)) {
    const answer = simulator.supports(circuit, request);
    if (answer === true) return { simulator, reason: simulator.reason(circuit, request, clauses()) };
    refusals.set(simulator, answer);
  }
  candidates[0]!.check(circuit, request);
  throw new SimulationError(joinClauses(clauses().slice(0, 1)));
}
