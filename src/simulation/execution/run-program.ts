import type { Circuit } from "../circuit/circuit.ts";
import { SimulationError } from "../errors.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { link } from "../interpreter/link.ts";
import { FINISHED, run } from "../interpreter/run.ts";
import { numbersFrom } from "../sampling/draws.ts";
import { philox } from "../sampling/philox.ts";
import { Branch } from "./branch.ts";
import { expectationsOf, type PauliString, type QuantumState } from "./quantum-state.ts";
import { scheduleBranches } from "./scheduler.ts";
import type { SimulationRun } from "./simulator.ts";

/** Maximum number of branches of an exact run. */
export const MAX_EXACT_BRANCHES = 2 ** 16;
const BYTES_OF_NUMBER = 8;

/** Returns the expectation values of Pauli strings in the final state of a branch, before the measurements that end it. */
function finalExpectations(branch: Branch, strings: readonly PauliString[]): number[] {
  const isLost = (string: PauliString) =>
    string.some(({ qubit, pauli }) => pauli !== "Z" && branch.isDephased(qubit));
  const kept = strings.map(string =>
    isLost(string) ? [] : string.filter(({ qubit }) => !branch.cleared[qubit]),
  );
  return expectationsOf(branch.state, kept).map((value, i) => (isLost(strings[i]!) ? 0 : value));
}

/** Reports the expectation values of the observables in the final state of a branch. */
export function reportExpectations(branch: Branch, run: SimulationRun): void {
  if (run.observables.length === 0) return;
  run.meter.work((run.observables.length * branch.state.bytes) / BYTES_OF_NUMBER, 1);
  const share = branch.shots ? branch.shots.length / run.shots : branch.probability;
  run.onExpectations(finalExpectations(branch, run.observables), share, branch.probability);
}

/** Runs a program with the whole state at hand; `begin` makes the branch with which it begins. */
export function runBranches<B extends Branch>(
  { parts }: Circuit,
  { shots, maxBytes, random, meter, tally }: SimulationRun,
  begin: (shots: Uint32Array | null) => B,
  onEnd: (branch: B, isOnly: boolean) => void = () => {},
  joins = true,
): void {
  scheduleBranches<B>(link(parts), {
    shots: shots > 0 ? numbersFrom(0, shots) : null,
    meter,
    maxBytes,
    maxBranches: MAX_EXACT_BRANCHES,
    begin,
    joins,
    onEnd(branch, isOnly) {
      onEnd(branch, isOnly);
      tally.add(branch, random);
    },
  });
}

/**
 * Runs a program without noise; `begin` makes the state with which it begins. Returns the final amplitudes where they
 * are wanted. Throws a {@link SimulationError} if there are several final states.
 */
export function runPure(
  circuit: Circuit,
  run: SimulationRun,
  begin: () => QuantumState,
): number[] | undefined {
  const { numBits, numSlots } = circuit.parts;
  let statevector: number[] | undefined;
  runBranches(
    circuit,
    run,
    shots => new Branch(begin(), numBits, new Array(numSlots).fill(0n), shots, run.random),
    (branch, isOnly) => {
      run.tally.bytes = Math.max(run.tally.bytes, branch.state.bytes);
      reportExpectations(branch, run);
      if (!run.statevector) return;
      if (!isOnly || branch.measured.some((_, qubit) => branch.isDephased(qubit))) {
        if (run.statevector === "if single") return;
        throw new SimulationError(
          "The program ends in more than one state, as what it does depends on measurements or resets; it has no single state vector.",
        );
      }
      statevector = branch.state.amplitudes();
    },
  );
  return statevector;
}

/** Maximum number of operations of a dry run. */
const MAX_OPERATIONS = 2 ** 19;

/**
 * Leads a program through a state that keeps no amplitudes but counts what they would take. Outcomes that the program
 * needs on its way are 0. Returns the operations, and whether no outcome was needed, so the count holds for every shot.
 * Returns undefined if the program is too long, or the state has thrown a {@link SimulationError}, as it is over a limit.
 */
export function dryRun(
  { parts }: Circuit,
  begin: (meter: Meter) => QuantumState,
): { readonly operations: number; readonly isCertain: boolean } | undefined {
  let operations = 0;
  const meter: Meter = {
    spend: () => {
      if (++operations > MAX_OPERATIONS) throw new SimulationError("The dry run is too long.");
    },
    work: () => {},
  };
  const slots = new Array(parts.numSlots).fill(0n);
  const branch = new Branch(begin(meter), parts.numBits, slots, null, philox(0));
  const program = link(parts);
  let isCertain = true;
  try {
    for (let stop = run(branch, program, meter); stop !== FINISHED; stop = run(branch, program, meter)) {
      isCertain = false;
      branch.decide(stop, 0);
    }
  } catch (error) {
    if (error instanceof SimulationError) return undefined;
    throw error;
  }
  return { operations, isCertain };
}
