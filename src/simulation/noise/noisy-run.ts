import type { Circuit } from "../circuit/circuit.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { runBranches } from "../execution/run-branches.ts";
import type { SimulationRun } from "../execution/simulator.ts";
import type { Tally } from "../execution/tally.ts";
import type { Errors } from "./errors.ts";
import { hasDecays, type NoiseOfGates } from "./gate-noise.ts";
import { NoisyBranch } from "./noisy-branch.ts";
import { Readout } from "./readout.ts";

/** What a run under noise works with besides. */
interface NoisyRun {
  readonly noiseOf: NoiseOfGates;
  /** Draws what happens to a pure state; null where the state has all of it in itself. */
  readonly errors: Errors | null;
  /** A qubit that no gate of the program acts on, to damp others by; -1 where none is needed. */
  readonly ancilla: number;
  /** Makes the state that the program begins with. */
  begin(): QuantumState;
}

/** Runs a program under noise: shots share a course up to the first error or outcome in which they differ. */
export function runNoisy(circuit: Circuit, run: SimulationRun, { begin, ...shared }: NoisyRun): void {
  const { parts, registers } = circuit;
  const { random } = run;
  const model = run.noise!;
  const readout = new Readout(model, registers.classical, random);
  const noise = { ...shared, hasDecay: hasDecays(model), readout, random };
  const tally = run.tally as Tally<NoisyBranch>;
  runBranches<NoisyBranch>(circuit, { ...run, tally }, shots => {
    const slots = new Array(parts.numSlots).fill(0n);
    return new NoisyBranch(
      begin(),
      parts.numBits,
      slots,
      shots && (noise.errors?.begin(shots) ?? shots),
      noise,
    );
  });
}
