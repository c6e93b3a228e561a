import type { CircuitBuilder } from "../circuit/builder.ts";
import { constant } from "../circuit/expression.ts";
import { OPERATION } from "../circuit/operations.ts";
import { BOOL } from "../circuit/values/types.ts";
import type { Operand } from "./operands.ts";

/**
 * Qubits that a program allocates and releases while it runs. Each call that allocates one has a qubit of its own,
 * which is |0⟩ at each allocation; where no branch came before, those that were released are taken again.
 */
export class DynamicQubits {
  readonly #builder: CircuitBuilder;
  readonly #newQubit: (at: number) => number;
  readonly #newSlot: (at: number) => number;
  readonly #free: number[] = [];
  /** Of each qubit that is allocated after a branch, the slot that says whether it is in use. */
  readonly #inUse = new Map<number, number>();
  /** Whether what is read now is run once, whatever is measured. */
  isStraight = true;

  constructor(builder: CircuitBuilder, newQubit: (at: number) => number, newSlot: (at: number) => number) {
    this.#builder = builder;
    this.#newQubit = newQubit;
    this.#newSlot = newSlot;
  }

  /** Allocates a qubit and returns its number. */
  allocate(at: number): number {
    const released = this.isStraight ? this.#free.pop() : undefined;
    const qubit = released ?? this.#newQubit(at);
    if (!this.isStraight) this.#take(qubit, at);
    if (!this.isStraight || released !== undefined) {
      this.#builder.operation(OPERATION.reset);
      this.#builder.operations.operand(qubit);
    }
    return qubit;
  }

  /** Releases the qubit that an operand stands for. */
  release({ value, node: index, at }: Operand): void {
    if (value !== null && this.isStraight) {
      if (!this.#free.includes(Number(value))) this.#free.push(Number(value));
      return;
    }
    const values = [constant(BOOL, false)];
    this.#builder.add({
      kind: "fill",
      slots: { kind: "mapped", index, table: this.#inUse, of: "nothing", at },
      values: { kind: "values", values },
    });
  }

  #take(qubit: number, at: number): void {
    const slot = this.#newSlot(at);
    this.#inUse.set(qubit, slot);
    this.#builder.add({ kind: "assign", slot, value: { kind: "claim", type: BOOL, slot, at } });
  }
}
