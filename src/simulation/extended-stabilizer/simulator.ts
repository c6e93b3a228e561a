import type { Circuit } from "../circuit/circuit.ts";
import { MemoryLimitError, UnsupportedMethodError } from "../errors.ts";
import { checkWidth } from "../execution/check-width.ts";
import { dryRun } from "../execution/dry-run.ts";
import { profileOf } from "../execution/profile.ts";
import { runPure } from "../execution/run-branches.ts";
import { AMPLITUDES_OF_OPERATION, type SimulationRequest, type Simulator } from "../execution/simulator.ts";
import { Tableau } from "../stabilizer/tableau.ts";
import { CountedAmplitudes } from "../statevector/counted-amplitudes.ts";
import { bytesOfState, checkMemory, maxFittingQubits } from "../statevector/limits.ts";
import { statevectorSimulator } from "../statevector/simulator.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { ExtendedStabilizerState } from "./extended-stabilizer-state.ts";

/** Maximum number of qubits in superposition of a dry run, and the numbers that it may touch. */
const MAX_POSITIONS = 28;
const MAX_NUMBERS = 2 ** 25;
/** The share of what a state vector takes beyond which this is no gain, and not estimated further. */
const SHARE_OF_DENSE = 1 / 4;
/** Numbers of a tableau that are touched in the time of one operation. */
const NUMBERS_OF_OPERATION = 500;
/** Numbers that are touched in the time in which a gate is handled. */
const NUMBERS_OF_HANDLING = 250;
/** Operations that an amplitude takes for its memory and its share in the sampling. */
const OPERATIONS_OF_AMPLITUDE = 0.012;
/** The maximum number of qubits for which a state vector is always as quick. */
const NARROW = 12;
/** Operations of a state vector of all qubits below which the dry run would take longer. */
const WORTH_ESTIMATING = 2000;

/** What the state vector within the frame of a Clifford gate takes. */
interface Estimate {
  /** Qubits that are in superposition at a time. */
  readonly qubits: number;
  /** Operations of about a microsecond; infinite where they depend on outcomes. */
  readonly operations: number;
}

/** Simulates Clifford gates by a tableau, and a few others by a state vector of as many qubits as they bring into it. */
export const extendedStabilizerSimulator: Simulator = {
  name: "extended stabilizer",
  noise: [false],
  isSlowToRank: true,
  nanosecondsOfNumber: 2,

  supports(circuit, { statevector, ...request }) {
    if (statevector) return "the extended stabilizer gives no state vectors";
    const estimate = estimateOf(circuit);
    return (
      (estimate !== null && estimate.qubits <= maxFittingQubits(limitsOf(request))) ||
      "too many of its gates are others"
    );
  },

  cost(circuit, request) {
    const { usedQubits, isClifford } = profileOf(circuit);
    const dense = statevectorSimulator.cost(circuit, request);
    const isWorthwhile =
      usedQubits > NARROW &&
      (!isClifford || request.observables.length > 0) &&
      dense.operations >= WORTH_ESTIMATING;
    const isDense = dense.bytes <= request.maxBytes;
    const most = isDense ? dense.operations * NUMBERS_OF_OPERATION * SHARE_OF_DENSE : MAX_NUMBERS;
    const estimate = isWorthwhile ? estimateOf(circuit, Math.min(most, MAX_NUMBERS)) : null;
    const bytes = bytesOfState(estimate?.qubits ?? 0, limitsOf(request).precision);
    return {
      operations: estimate?.operations ?? Number.MAX_VALUE,
      bytes: bytes + Tableau.bytes(circuit.numQubits),
    };
  },

  reason(circuit) {
    const { qubits, operations } = estimateOf(circuit) ?? { qubits: 0, operations: 0 };
    const about = operations < Number.POSITIVE_INFINITY ? "" : "about ";
    return `Besides Clifford gates the program has few others, for which a state vector of ${about}${qubits} qubit${qubits === 1 ? "" : "s"} is enough.`;
  },

  check(circuit, request) {
    if (request.statevector)
      throw new UnsupportedMethodError("The extended stabilizer gives no state vectors.", [
        "statevector",
        "matrix product state",
        "sparse",
      ]);
    checkWidth(circuit, request.maxQubits);
    const estimate = estimateOf(circuit);
    if (estimate) checkMemory(estimate.qubits, limitsOf(request));
  },

  run(circuit, run) {
    const limits = { ...limitsOf(run), ...(run.threads === undefined ? {} : { threads: run.threads }) };
    return runPure(circuit, run, () => {
      const inner = new StateVector(circuit.numQubits, limits, run.meter);
      return new ExtendedStabilizerState(inner, run.meter);
    });
  },
};

const known = new WeakMap<Circuit, { readonly estimate: Estimate | null; readonly maxNumbers: number }>();

/** Returns what a program takes, along outcomes of 0 where it depends on them, or null where that is more than so many numbers. */
function estimateOf(circuit: Circuit, maxNumbers = MAX_NUMBERS): Estimate | null {
  const found = known.get(circuit);
  let estimate = found?.estimate ?? null;
  if (!found || (!estimate && found.maxNumbers < maxNumbers)) {
    const counted = new CountedAmplitudes();
    let numbers = 0;
    const limits = { maxQubits: MAX_POSITIONS, maxBytes: Number.POSITIVE_INFINITY };
    const isCertain = dryRun(
      circuit,
      meter =>
        new ExtendedStabilizerState(new StateVector(circuit.numQubits, limits, meter, counted), {
          spend(touched) {
            numbers += touched + NUMBERS_OF_HANDLING;
            if (numbers > maxNumbers) throw new MemoryLimitError("The dry run takes too long.");
            meter.spend(touched);
          },
          work(touched) {
            numbers += touched;
            if (numbers > maxNumbers) throw new MemoryLimitError("The dry run takes too long.");
          },
        }),
    );
    const handling = profileOf(circuit).gates * (1 + circuit.numQubits / 64);
    const operations =
      handling +
      counted.touched / AMPLITUDES_OF_OPERATION +
      OPERATIONS_OF_AMPLITUDE * 2 ** counted.maxPositions +
      numbers / NUMBERS_OF_OPERATION;
    estimate =
      isCertain === undefined
        ? null
        : { qubits: counted.maxPositions, operations: isCertain ? operations : Number.POSITIVE_INFINITY };
    known.set(circuit, { estimate, maxNumbers });
  }
  return estimate;
}

const limitsOf = ({ shots, maxBytes, precision }: Omit<SimulationRequest, "statevector">) => ({
  maxQubits: MAX_POSITIONS,
  maxBytes,
  precision: precision ?? (shots > 0 ? ("single" as const) : ("double" as const)),
});
