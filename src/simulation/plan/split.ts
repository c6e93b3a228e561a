import type { Circuit } from "../circuit/circuit.ts";
import { applyClifford } from "../circuit/clifford.ts";
import { sizeOf } from "../circuit/gate.ts";
import type { GateCall } from "../circuit/transform.ts";
import { SimulationError } from "../errors.ts";
import type { QuantumState } from "../execution/quantum-state.ts";
import { runPure } from "../execution/scheduler.ts";
import type { SimulationRequest, SimulationRun, Simulator } from "../execution/simulator.ts";
import { ExtendedStabilizerState } from "../extended-stabilizer/extended-stabilizer-state.ts";
import { memoized } from "../memoized.ts";
import { MpsState } from "../mps/mps-state.ts";
import { ProductState } from "../product/product-state.ts";
import { visitSteps } from "../specialize/blocks.ts";
import { traceOf } from "../specialize/trace.ts";
import { bytesOfState, maxFittingQubits, stateOptionsOf } from "../statevector/amplitudes.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { AMPLITUDE, type Cost, GATE, TABLEAU_QUBIT } from "./costs.ts";
import { IGNORE_GATES, isClifford } from "./profile.ts";

/** Maximum number of qubits for which one state vector is always as quick. */
export const NARROW = 22;
/** Maximum number of qubits of the state vector of a part. */
const MAX_PART_QUBITS = 30;
/** Small components share a state vector of at most this number of qubits. */
const PACKED_QUBITS = 8;

/** A part of a program, and how its state is kept. */
interface Part extends Component {
  readonly method: "statevector" | "extended stabilizer" | "matrix product state";
}

/** A simulator of the parts of a program, and its cost if that is known. */
interface SplitProgram {
  readonly simulator: Simulator;
  readonly cost: Cost | undefined;
}

/**
 * Splits a program into parts whose qubits no gate brings together, each with its own state: a small part is a state
 * vector, a Clifford part a tableau, any other a matrix product state. Returns undefined if it is in one piece, or if
 * that is as quick.
 */
export function splitProgram(circuit: Circuit, request: SimulationRequest): SplitProgram | undefined {
  if (request.statevector) return undefined;
  if (isClifford(circuit) && request.observables.length === 0) return undefined;
  const parts = partsOf(circuit, request);
  const bytes = parts.reduce(
    (sum, { qubits, method }) =>
      sum +
      (method === "statevector"
        ? bytesOfState(qubits.length, stateOptionsOf(request, MAX_PART_QUBITS).precision)
        : 0),
    0,
  );
  if (parts.length <= 1 || bytes > request.maxBytes) return undefined;
  const isOpenEnded = parts.some(({ method }) => method === "matrix product state");
  return {
    simulator: simulatorOf(parts, isOpenEnded ? "matrix product state" : "statevector"),
    cost: isOpenEnded ? undefined : { microseconds: parts.reduce((sum, part) => sum + costOfPart(part), 0) },
  };
}

const costOfPart = ({ qubits, gates, method }: Part): number =>
  gates *
  (GATE + (method === "statevector" ? 2 ** qubits.length * AMPLITUDE : 4 * qubits.length * TABLEAU_QUBIT));

const simulatorOf = (parts: readonly Part[], name: "statevector" | "matrix product state"): Simulator => ({
  name,
  check: () => null,

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
  const max = maxFittingQubits(stateOptionsOf(request, MAX_PART_QUBITS));
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
  const state = new StateVector(length, stateOptionsOf(run, MAX_PART_QUBITS), meter);
  return method === "statevector" ? state : new ExtendedStabilizerState(state, meter);
}

/** Qubits that gates bring together, directly or by others. */
interface Component {
  readonly qubits: readonly number[];
  /** Number of gates on them, those of all choices and of one round of loops that outcomes end. */
  readonly gates: number;
  /** Whether all gates are known, and Clifford gates. */
  readonly isClifford: boolean;
}

/** Returns the sets of qubits of a program that no gate brings together, the largest first; idle qubits are one each. */
const componentsOf = memoized(({ parts, numQubits }: Circuit): readonly Component[] => {
  const parents = Uint32Array.from({ length: numQubits }, (_, i) => i);
  const gates = new Uint32Array(numQubits);
  const isOther = new Uint8Array(numQubits);
  const rootOf = (qubit: number): number => {
    let root = qubit;
    while (parents[root] !== root) root = parents[root]!;
    for (let at = qubit; at !== root; ) [at, parents[at]] = [parents[at]!, root];
    return root;
  };
  const visit = ({ gate, params, qubits }: GateCall): void => {
    const [first] = qubits;
    if (first === undefined) return;
    for (const qubit of qubits) parents[rootOf(qubit)] = rootOf(first);
    gates[first]! += sizeOf(gate);
    if (!isOther[first] && !applyClifford(gate, params, 0, qubits, 0, IGNORE_GATES)) isOther[first] = 1;
  };
  try {
    for (const step of traceOf(parts).flatMap(({ steps }) => steps))
      visitSteps(step, parts, single => {
        if (single.kind === "gate") visit(single);
      });
  } catch (error) {
    if (error instanceof SimulationError) return [];
    throw error;
  }
  const sets = Map.groupBy(parents.keys(), rootOf);
  return [...sets.values()]
    .map(qubits => ({
      qubits,
      gates: qubits.reduce((sum, qubit) => sum + gates[qubit]!, 0),
      isClifford: qubits.every(qubit => !isOther[qubit]),
    }))
    .sort((a, b) => b.qubits.length - a.qubits.length);
});
