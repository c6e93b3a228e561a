import type { Circuit } from "../circuit/circuit.ts";
import { applyClifford } from "../circuit/clifford.ts";
import type { Gate, Numbers } from "../circuit/gate.ts";
import { visitOperations } from "../circuit/metrics.ts";
import { type QuantumState, UnknownState } from "../execution/quantum-state.ts";
import { dryRun, runPure } from "../execution/scheduler.ts";
import type { SimulationRequest, SimulationRun, Simulator } from "../execution/simulator.ts";
import { ExtendedStabilizerState } from "../extended-stabilizer/extended-stabilizer-state.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { memoized } from "../memoized.ts";
import { MpsState } from "../mps/mps-state.ts";
import { ProductState } from "../product/product-state.ts";
import { bytesOfState, maxFittingQubits, type StateOptions } from "../statevector/amplitudes.ts";
import { StateVector } from "../statevector/state-vector.ts";
import { type Cost, costOfParts } from "./costs.ts";
import { IGNORE_GATES, isClifford } from "./profile.ts";

/** Maximum number of qubits for which one state vector is always as quick. */
export const NARROW = 22;
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

/** Qubits that gates bring together, directly or by others. */
interface Component {
  readonly qubits: readonly number[];
  /** Number of gates on them; a lower bound if gates depend on outcomes. */
  readonly gates: number;
  /** Whether all gates are known, and Clifford gates. */
  readonly isClifford: boolean;
}

/** Returns the sets of qubits of a program that no gate brings together, the largest first; idle qubits are one each. */
const componentsOf = memoized((circuit: Circuit): readonly Component[] => {
  const interactions = new Interactions(circuit.numQubits);
  const isCertain = dryRun(circuit, meter => interactions.metered(meter))?.isCertain;
  if (!isCertain)
    visitOperations(circuit.parts, (name, qubits) => {
      if (name !== "barrier" && name !== "measure" && name !== "reset")
        interactions.join(qubits, 0, qubits.length);
    });
  return interactions.components(isCertain === true);
});

/** A state that knows of its qubits only which of them gates have brought together. */
class Interactions extends UnknownState {
  readonly #parents: Uint32Array;
  readonly #gates: Uint32Array;
  readonly #isOther: Uint8Array;
  #meter: Meter | undefined;

  constructor(numQubits: number) {
    super(numQubits);
    this.#parents = Uint32Array.from({ length: numQubits }, (_, i) => i);
    this.#gates = new Uint32Array(numQubits);
    this.#isOther = new Uint8Array(numQubits);
  }

  /** Sets the meter that counts the gates from now on. */
  metered(meter: Meter): this {
    this.#meter = meter;
    return this;
  }

  /** Brings qubits together. */
  join(qubits: Numbers, first: number, count: number): void {
    if (count === 0) return;
    const root = this.#root(qubits[first]!);
    for (let i = 1; i < count; i++) this.#parents[this.#root(qubits[first + i]!)] = root;
  }

  /** Returns the sets of qubits, the largest first. */
  components(isCertain: boolean): Component[] {
    const sets = Map.groupBy(this.#parents.keys(), qubit => this.#root(qubit));
    return [...sets.values()]
      .map(qubits => ({
        qubits,
        gates: qubits.reduce((sum, qubit) => sum + this.#gates[qubit]!, 0),
        isClifford: isCertain && qubits.every(qubit => !this.#isOther[qubit]),
      }))
      .sort((a, b) => b.qubits.length - a.qubits.length);
  }

  override apply(gate: Gate, params: Numbers, at: number, qubits: Numbers, first: number): void {
    this.#meter?.spend(1);
    this.join(qubits, first, gate.numQubits);
    const qubit = gate.numQubits > 0 ? qubits[first]! : 0;
    this.#gates[qubit]! += gate.kind === "composite" ? gate.size : 1;
    if (!this.#isOther[qubit] && !applyClifford(gate, params, at, qubits, first, IGNORE_GATES))
      this.#isOther[qubit] = 1;
  }

  #root(qubit: number): number {
    let root = qubit;
    while (this.#parents[root] !== root) root = this.#parents[root]!;
    for (let at = qubit; at !== root; ) [at, this.#parents[at]] = [this.#parents[at]!, root];
    return root;
  }
}
