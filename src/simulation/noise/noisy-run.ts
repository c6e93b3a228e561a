import type { Circuit } from "../circuit/circuit.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { reportExpectations, runBranches } from "../execution/run-program.ts";
import type { SimulationRun } from "../execution/simulator.ts";
import type { Tally } from "../execution/tally.ts";
import type { ErrorSampler } from "./error-sampler.ts";
import type { NoiseOfGates } from "./gate-noise.ts";
import { hasJumps } from "./model-noise.ts";
import { NoisyBranch } from "./noisy-branch.ts";
import { ReadoutConfusion } from "./readout-confusion.ts";

/** What a method hands to a noisy run. */
interface NoisyRun {
  readonly noiseOf: NoiseOfGates;
  /** Samples the errors of a pure state; null for a density matrix. */
  readonly errors: ErrorSampler | null;
  /** An ancilla for the no-jump operator; -1 where none is needed. */
  readonly ancilla: number;
  /** Creates the initial state. */
  begin(): QuantumState;
}

/** Runs a program under noise: shots share a branch up to the first error or outcome in which they differ. */
export function runNoisy(circuit: Circuit, run: SimulationRun, { begin, ...shared }: NoisyRun): void {
  const { parts, registers } = circuit;
  const { random } = run;
  const model = run.noise!;
  const readout = new ReadoutConfusion(model, registers.classical, random);
  const noise = { ...shared, hasJumps: hasJumps(model), readout, random };
  const tally = run.tally as Tally<NoisyBranch>;
  const start = (shots: Uint32Array | null) => {
    const slots = new Array(parts.numSlots).fill(0n);
    const own = shots && (noise.errors?.begin(shots) ?? shots);
    return new NoisyBranch(begin(), parts.numBits, slots, own, noise);
  };
  const join = (into: NoisyBranch, from: NoisyBranch) => into.join(from);
  runBranches<NoisyBranch>(
    circuit,
    { ...run, tally },
    start,
    branch => reportExpectations(branch, run),
    run.shots === 0 ? join : undefined,
  );
}
