import type { Circuit } from "../circuit/circuit.ts";
import { profileOf } from "../execution/profile.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { runPure } from "../execution/run-branches.ts";
import {
  AMPLITUDES_OF_OPERATION,
  type SimulationRequest,
  type SimulationRun,
  type Simulator,
} from "../execution/simulator.ts";
import { ExtendedStabilizerState } from "../extended-stabilizer/extended-stabilizer-state.ts";
import { MpsState } from "../mps/mps-state.ts";
import { bytesOfState, maxFittingQubits, type StateOptions } from "../statevector/limits.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { type Component, componentsOf } from "./components.ts";
import { ProductState } from "./product-state.ts";

/** The maximum number of qubits for which one state vector is always as quick. */
const NARROW = 22;
/** Small components share a state vector up to so many qubits. */
const PACKED_QUBITS = 8;
/** Operations that the outcome of a part takes in a shot. */
const OPERATIONS_OF_OUTCOME = 0.2;
/** Why a program is not split: most are in one piece. */
const NOTHING_TO_SAY = "";

/** A part of a program, and how its state is kept. */
interface Part extends Component {
  readonly method: "statevector" | "extended stabilizer" | "matrix product state";
}

/**
 * Makes a simulator of programs that split into parts whose qubits no gate brings together: a small part is a state
 * vector, a Clifford part a tableau. Others are matrix product states where that is the method.
 */
const productSimulator = (name: "statevector" | "matrix product state"): Simulator => ({
  name,
  noise: [false],
  ...(name === "matrix product state" ? { nanosecondsOfNumber: 2 } : {}),

  supports(circuit, request) {
    const { usedQubits, isClifford } = profileOf(circuit);
    const isOfStabilizers = isClifford && request.observables.length === 0;
    if (usedQubits <= NARROW || isOfStabilizers || request.statevector) return NOTHING_TO_SAY;
    const parts = partsOf(circuit, request);
    const isOpenEnded = parts.some(({ method }) => method === "matrix product state");
    const splits = parts.length > 1 && isOpenEnded === (name === "matrix product state");
    return (splits && this.cost(circuit, request).bytes <= request.maxBytes) || NOTHING_TO_SAY;
  },

  cost(circuit, request) {
    if (profileOf(circuit).usedQubits <= NARROW) return { operations: Number.MAX_VALUE, bytes: 0 };
    const { maxBytes, shots } = request;
    if (name === "matrix product state") return { operations: Number.POSITIVE_INFINITY, bytes: maxBytes };
    let operations = 0;
    let bytes = 0;
    for (const { qubits, gates, method } of partsOf(circuit, request)) {
      const isDense = method === "statevector";
      operations +=
        gates * (1 + (isDense ? 2 ** qubits.length / AMPLITUDES_OF_OPERATION : qubits.length / 64));
      operations += shots * OPERATIONS_OF_OUTCOME;
      if (isDense) bytes += bytesOfState(qubits.length, stateOptions(request).precision);
    }
    return { operations, bytes };
  },

  reason(circuit, request) {
    const parts = partsOf(circuit, request);
    const sizes = parts.slice(0, 3).map(({ qubits, method }) => `${qubits.length} (${method})`);
    const others = parts.length > 3 ? `, and ${parts.length - 3} more` : "";
    return `The program splits into ${parts.length} parts that no gate brings together, each simulated by itself, of ${sizes.join(", ")}${others} qubits.`;
  },

  check() {},

  run(circuit, run) {
    const parts = partsOf(circuit, run);
    const fidelities = parts.map(() => 1);
    const runOf = (place: number): SimulationRun => ({
      ...run,
      onTruncation({ bondDimension, fidelity }) {
        fidelities[place] = Math.min(fidelities[place]!, fidelity);
        run.onTruncation({ bondDimension, fidelity: fidelities.reduce((a, b) => a * b) });
      },
    });
    return runPure(
      circuit,
      run,
      () =>
        new ProductState(parts.map((part, i) => ({ qubits: part.qubits, state: beginPart(part, runOf(i)) }))),
    );
  },
});

/** Simulators of programs that split, all parts of which have costs that are known, or not. */
export const productSimulators: readonly Simulator[] = [
  productSimulator("statevector"),
  productSimulator("matrix product state"),
];

function partsOf(circuit: Circuit, request: SimulationRequest): Part[] {
  const max = maxFittingQubits(stateOptions(request));
  const parts: Part[] = [];
  let packed: { qubits: number[]; gates: number; isClifford: boolean; method: "statevector" } | undefined;
  for (const component of componentsOf(circuit)) {
    const size = component.qubits.length;
    if (size > PACKED_QUBITS / 2) {
      const isClifford = component.isClifford && size > NARROW;
      const method = isClifford
        ? "extended stabilizer"
        : size <= max
          ? "statevector"
          : "matrix product state";
      parts.push({ ...component, method });
      continue;
    }
    if (!packed || packed.qubits.length + size > PACKED_QUBITS) {
      packed = { qubits: [], gates: 0, isClifford: false, method: "statevector" };
      parts.push(packed);
    }
    packed.qubits.push(...component.qubits);
    packed.gates += component.gates;
  }
  return parts;
}

function beginPart({ qubits, method }: Part, run: SimulationRun): QuantumState {
  const { maxBytes, maxBondDimension, meter } = run;
  const { length } = qubits;
  if (method === "matrix product state")
    return new MpsState(length, { maxBytes, maxBondDimension, meter, onTruncation: run.onTruncation });
  const state = new StateVector(length, stateOptions(run), meter);
  return method === "statevector" ? state : new ExtendedStabilizerState(state, meter);
}

const stateOptions = ({ shots, maxBytes, precision, threads }: SimulationRequest): StateOptions => ({
  maxQubits: 30,
  maxBytes,
  precision: precision ?? (shots > 0 ? "single" : "double"),
  ...(threads === undefined ? {} : { threads }),
});
