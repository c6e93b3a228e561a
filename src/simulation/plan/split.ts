import type { Circuit } from "../circuit/circuit.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { runPure } from "../execution/run-program.ts";
import type { SimulationRequest, SimulationRun, Simulator } from "../execution/simulator.ts";
import { ExtendedStabilizerState } from "../extended-stabilizer/extended-stabilizer-state.ts";
import { MpsState } from "../mps/mps-state.ts";
import { type Component, componentsOf } from "../product/components.ts";
import { ProductState } from "../product/product-state.ts";
import { bytesOfState, maxFittingQubits, type StateOptions } from "../statevector/limits.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { type Cost, costOfParts } from "./costs.ts";
import { activeQubitCount, isClifford } from "./profile.ts";

/** Maximum number of qubits for which one state vector is always as quick. */
const NARROW = 22;
/** Small components share a state vector of at most this number of qubits. */
const PACKED_QUBITS = 8;

/** A part of a program, and how its state is kept. */
interface Part extends Component {
  readonly method: "statevector" | "extended stabilizer" | "matrix product state";
}

/** A simulator of the parts of a program, and its cost if that is known. */
export interface SplitProgram {
  readonly simulator: Simulator;
  readonly cost: Cost | undefined;
}

/**
 * Splits a program into parts whose qubits no gate brings together, each with its own state: a small part is a state
 * vector, a Clifford part a tableau, any other a matrix product state. Returns undefined if it is in one piece, or if
 * that is as quick.
 */
export function splitProgram(circuit: Circuit, request: SimulationRequest): SplitProgram | undefined {
  if (activeQubitCount(circuit) <= NARROW || request.statevector) return undefined;
  if (isClifford(circuit) && request.observables.length === 0) return undefined;
  const parts = partsOf(circuit, request);
  const bytes = parts.reduce(
    (sum, { qubits, method }) =>
      sum + (method === "statevector" ? bytesOfState(qubits.length, stateOptions(request).precision) : 0),
    0,
  );
  if (parts.length <= 1 || bytes > request.maxBytes) return undefined;
  const isOpenEnded = parts.some(({ method }) => method === "matrix product state");
  const costs = parts.map(part => ({ ...part, isDense: part.method === "statevector" }));
  return {
    simulator: simulatorOf(parts, isOpenEnded ? "matrix product state" : "statevector"),
    cost: isOpenEnded ? undefined : { microseconds: costOfParts(costs) },
  };
}

const simulatorOf = (parts: readonly Part[], name: "statevector" | "matrix product state"): Simulator => ({
  name,
  noise: [false],
  supports: () => true,
  check() {},

  reason() {
    const sizes = parts.slice(0, 3).map(({ qubits, method }) => `${qubits.length} (${method})`);
    const others = parts.length > 3 ? `, and ${parts.length - 3} more` : "";
    return `The program splits into ${parts.length} parts that no gate brings together, each simulated by itself, of ${sizes.join(", ")}${others} qubits.`;
  },

  run(circuit, run) {
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

function partsOf(circuit: Circuit, request: SimulationRequest): Part[] {
  const max = maxFittingQubits(stateOptions(request));
  const parts: Part[] = [];
  let packed: { qubits: number[]; gates: number; isClifford: boolean; method: "statevector" } | undefined;
  for (const component of componentsOf(circuit)) {
    const size = component.qubits.length;
    if (size > PACKED_QUBITS / 2) {
      const isWide = component.isClifford && size > NARROW;
      const method = isWide ? "extended stabilizer" : size <= max ? "statevector" : "matrix product state";
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
