import type { Circuit } from "../circuit/circuit.ts";
import { applyClifford } from "../circuit/clifford.ts";
import type { Gate, Numbers } from "../circuit/gate.ts";
import { visitOperations } from "../circuit/metrics.ts";
import { UnknownState } from "../execution/quantum-state.ts";
import { dryRun } from "../execution/run-program.ts";
import type { Meter } from "../interpreter/execution-state.ts";
import { memoized } from "../memoized.ts";
import { IGNORE_GATES } from "../plan/profile.ts";

/** Qubits that gates bring together, directly or by others. */
export interface Component {
  readonly qubits: readonly number[];
  /** Number of gates on them; a lower bound if gates depend on outcomes. */
  readonly gates: number;
  /** Whether all gates are known, and Clifford gates. */
  readonly isClifford: boolean;
}

/** Returns the sets of qubits of a program that no gate brings together, the largest first; idle qubits are one each. */
export const componentsOf = memoized((circuit: Circuit): readonly Component[] => {
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
