import type { Circuit } from "../circuit/circuit.ts";
import { dryRun, runPure } from "../execution/scheduler.ts";
import type { Precision, SimulationRequest, Simulator } from "../execution/simulator.ts";
import { memoized } from "../memoized.ts";
import { activeQubitCount, describeQubits, isClifford } from "../plan/profile.ts";
import { type Amplitudes, maxFittingQubits, memoryError } from "./amplitudes.ts";
import { StateVector } from "./state-vector.ts";

/** Maximum number of qubits of a state vector by default; memory may allow fewer. */
export const MAX_DENSE_QUBITS = 30;
/** Qubits whose state vector takes little memory. */
const FEW_QUBITS = 12;
/** Simulates with all amplitudes at hand. */
export const statevectorSimulator: Simulator = {
  name: "statevector",
  noise: [false],

  check(circuit, request) {
    const limits = limitsOf(request);
    const max = maxFittingQubits(limits);
    if (activeQubitCount(circuit) <= Math.max(max, FEW_QUBITS)) return null;
    const error = memoryError(denseQubits(circuit), limits);
    return error
      ? { clause: `a state vector of ${describeQubits(circuit)} does not fit (at most ${max})`, error }
      : null;
  },

  reason(circuit, request) {
    const usedQubits = activeQubitCount(circuit);
    const qubits = describeQubits(circuit);
    if (usedQubits <= FEW_QUBITS) return `The program uses ${qubits}, which take little memory.`;
    const why = request.statevector ? "The final state is wanted" : "The program has non-Clifford gates";
    const needed = denseQubits(circuit);
    if (needed < usedQubits)
      return `${why}, and of the ${qubits} that it uses at most ${needed} are in superposition at a time.`;
    const fits = usedQubits <= maxFittingQubits(limitsOf(request)) ? ", for which there is memory" : "";
    return `${why}, and uses ${qubits}${fits}.`;
  },

  remark: (circuit, request) =>
    activeQubitCount(circuit) > FEW_QUBITS ? describePrecision(limitsOf(request).precision) : "",

  run(circuit, run) {
    const limits = { ...limitsOf(run), ...(run.threads === undefined ? {} : { threads: run.threads }) };
    const { numQubits } = circuit;
    return runPure(circuit, run, () => new StateVector(numQubits, limits, run.meter));
  },
};

const describePrecision = (precision: Precision): string =>
  precision === "reproducible"
    ? "Amplitudes have double precision, rounded alike on every machine."
    : `Amplitudes have ${precision} precision.`;

/** Returns the qubits of a state vector: those in superposition at a time, or all that are used if these are not known. */
function denseQubits(circuit: Circuit): number {
  const usedQubits = activeQubitCount(circuit);
  const isKnown = usedQubits <= FEW_QUBITS || isClifford(circuit);
  return (isKnown ? undefined : estimateDense(circuit)?.qubits) ?? usedQubits;
}

const limitsOf = ({ shots, maxQubits = MAX_DENSE_QUBITS, maxBytes, precision }: SimulationRequest) => ({
  maxQubits,
  maxBytes,
  precision: precision ?? (shots > 0 ? ("single" as const) : ("double" as const)),
});

/** Counts amplitudes, and those that gates touch, without computing them. */
class CountedAmplitudes implements Amplitudes {
  numPositions = 0;
  /** The largest number of positions that there has been. */
  maxPositions = 0;
  /** Amplitudes touched by all gates so far. */
  touched = 0;
  readonly bytes = 0;

  addQubit(): void {
    this.numPositions++;
    this.maxPositions = Math.max(this.maxPositions, this.numPositions);
  }

  matrix(): void {
    this.touched += 2 ** this.numPositions;
  }

  phase(): void {
    this.touched += 2 ** this.numPositions;
  }

  controlledX(): void {
    this.touched += 2 ** this.numPositions;
  }

  weights(): { zero: number; one: number } {
    return { zero: 1, one: 1 };
  }

  project(): Amplitudes {
    this.numPositions--;
    return this;
  }

  copy(): Amplitudes {
    return this;
  }

  release(): void {}

  marginal(): never {
    throw notComputed();
  }

  draw(): never {
    throw notComputed();
  }

  overlaps(): never {
    throw notComputed();
  }

  planes(): never {
    throw notComputed();
  }
}

const notComputed = () => new Error("These amplitudes are counted, not computed.");

/** Positions that a dry run can number; what needs more fits into no memory. */
const MAX_POSITIONS = 30;

/** Cost of a state-vector simulation. */
interface DenseEstimate {
  /** Qubits that are in superposition at a time, not counting copies and parities of others. */
  readonly qubits: number;
  /** Amplitudes touched by all gates. */
  readonly touched: number;
  /** Elementary gates. */
  readonly operations: number;
}

/** Returns the cost of a state vector, or null if it depends on outcomes, or exceeds all memory. */
export const estimateDense = memoized((circuit: Circuit): DenseEstimate | null => {
  const counted = new CountedAmplitudes();
  const limits = { maxQubits: MAX_POSITIONS, maxBytes: Number.POSITIVE_INFINITY };
  const run = dryRun(circuit, meter => new StateVector(circuit.numQubits, limits, meter, counted));
  const { maxPositions, touched } = counted;
  return run?.isCertain ? { qubits: maxPositions, touched, operations: run.operations } : null;
});
