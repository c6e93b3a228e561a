import type { CircuitBuilder } from "../circuit/builder.ts";
import { OPERATION } from "../circuit/operations.ts";
import { SimulationError } from "../errors.ts";
import type { Operand } from "./operands.ts";

/**
 * Qubits that a program allocates and releases while it runs. Each call that allocates one has a qubit of its own,
 * which is |0⟩ at each allocation; where no branch came before, those that were released are taken again.
 */
export class DynamicQubits {
  readonly #builder: CircuitBuilder;
  readonly #newQubit: (at: number) => number;
  readonly #newSlot: (at: number) => number;
  readonly #locate: (at: number) => string;
  readonly #free: number[] = [];
  /** Of each qubit that is allocated after a branch, the slot that says whether it is in use. */
  readonly #inUse = new Map<number, number>();
  /** Whether what is read now is run once, whatever is measured. */
  isStraight = true;

  constructor(
    builder: CircuitBuilder,
    newQubit: (at: number) => number,
    newSlot: (at: number) => number,
    locate: (at: number) => string,
  ) {
    this.#builder = builder;
    this.#newQubit = newQubit;
    this.#newSlot = newSlot;
    this.#locate = locate;
  }

  /** Allocates a qubit and gives its number. */
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
  release({ value, run }: Operand): void {
    if (value !== null && this.isStraight) {
      if (!this.#free.includes(Number(value))) this.#free.push(Number(value));
      return;
    }
    this.#builder.instruction({
      kind: "scatter",
      slots: memory => {
        const slot = this.#inUse.get(Number(run(memory)));
        return slot === undefined ? [] : [slot];
      },
      values: () => [0n],
    });
  }

  #take(qubit: number, at: number): void {
    const where = this.#locate(at);
    const slot = this.#newSlot(at);
    this.#inUse.set(qubit, slot);
    this.#builder.instruction({
      kind: "assign",
      slot,
      value: ({ slots }) => {
        if (slots[slot] === 1n)
          throw new SimulationError(
            `${where}: A qubit is allocated here again before it is released; allocate all that a loop needs in front of it.`,
          );
        return 1n;
      },
    });
  }
}
