import { constant } from "../circuit/expression.ts";
import { OPERATION } from "../circuit/operations.ts";
import { BOOL } from "../circuit/values/types.ts";
import { errorAt } from "../openqasm/diagnostics/diagnostic.ts";
import { castTo, typeOf } from "./arithmetic.ts";
import type { QirMemory } from "./memory.ts";
import type { Operand, QirContext } from "./operands.ts";
import type { QirToken } from "./tokens.ts";

/**
 * Lowers calls of QIR's runtime that allocate and release qubits, one by one or as arrays. Each call that allocates one
 * has its own qubit, which is |0⟩ at each allocation; where no branch came before, those that were released are taken again.
 */
export class QirAllocations {
  readonly #context: QirContext;
  readonly #memory: QirMemory;
  readonly #newQubit: (at: number) => number;
  readonly #free: number[] = [];
  /** Of each qubit that is allocated after a branch, the slot that says whether it is in use. */
  readonly #inUse = new Map<number, number>();
  /** Whether what is read now is run once, whatever is measured. */
  isStraight = true;
  /** Number of qubits at the address of each array allocated as a whole. */
  readonly #lengths = new Map<number, number>();

  constructor(context: QirContext, memory: QirMemory, newQubit: (at: number) => number) {
    this.#context = context;
    this.#memory = memory;
    this.#newQubit = newQubit;
  }

  /** Lowers a call whose value goes to the register `target`, where it is one of these; returns whether it is. */
  call(name: string, args: readonly Operand[], target: string | null, callee: QirToken): boolean {
    switch (name) {
      case "qubit_allocate": {
        const qubit = this.#allocate(callee.at);
        if (target) this.#context.operands.bind(target, qubit);
        return true;
      }
      case "qubit_release":
        if (args[0]) this.#release(args[0]);
        return true;
      case "qubit_allocate_array": {
        const count = known(args[0], callee);
        const address = this.#memory.allocate(count, callee.at);
        this.#fill(address, count, callee);
        if (target) this.#context.operands.bind(target, address);
        return true;
      }
      case "qubit_array_allocate":
        this.#fill(known(args[1], callee), known(args[0], callee), callee);
        return true;
      case "qubit_release_array":
      case "qubit_array_release":
        for (const qubit of this.#qubitsOf(args, callee)) this.#release(qubit);
        return true;
      case "array_get_element_ptr_1d":
        if (target) this.#element(args, target, callee);
        return true;
      default:
        return false;
    }
  }

  /** Allocates qubits, and writes their numbers to places of the memory next to each other. */
  #fill(address: number, count: number, callee: QirToken): void {
    for (let i = 0; i < count; i++) {
      const slot = this.#memory.slotAt(address + i);
      if (slot === undefined) throw errorAt(callee, "There is not enough space for these qubits.");
      const qubit = constant(typeOf("ptr"), BigInt(this.#allocate(callee.at)));
      this.#context.builder.add({ kind: "assign", slot, value: qubit });
    }
    this.#lengths.set(address, count);
  }

  /** Returns the qubits of the array among the arguments. */
  #qubitsOf(args: readonly Operand[], callee: QirToken): Operand[] {
    const address = args.map(({ value }) => Number(value ?? Number.NaN)).find(at => this.#lengths.has(at));
    if (address === undefined)
      throw errorAt(callee, "Which array of qubits this is has to be known before the run.");
    return Array.from({ length: this.#lengths.get(address)! }, (_, i): Operand => {
      const slot = this.#memory.slotAt(address + i)!;
      return { type: "ptr", value: null, node: { kind: "slot", type: typeOf("ptr"), slot }, at: callee.at };
    });
  }

  #element([array, index]: readonly Operand[], target: string, callee: QirToken): void {
    if (!array || !index) throw errorAt(callee, "An array and an index are missing here.");
    if (array.value !== null && index.value !== null) {
      this.#context.operands.bind(target, Number(array.value) + Number(index.value));
      return;
    }
    const type = typeOf("ptr");
    this.#context.builder.add({
      kind: "assign",
      slot: this.#context.operands.slot(target, callee.at),
      value: { kind: "binary", operator: "+", type, left: array.node, right: castTo(type, index.node) },
    });
  }

  #allocate(at: number): number {
    const released = this.isStraight ? this.#free.pop() : undefined;
    const qubit = released ?? this.#newQubit(at);
    if (!this.isStraight) this.#take(qubit, at);
    if (!this.isStraight || released !== undefined)
      this.#context.builder.addOperation(OPERATION.reset, [qubit]);
    return qubit;
  }

  /** Releases the qubit that an operand stands for. */
  #release({ value, node: index, at }: Operand): void {
    if (value !== null && this.isStraight) {
      if (!this.#free.includes(Number(value))) this.#free.push(Number(value));
      return;
    }
    const values = [constant(BOOL, false)];
    this.#context.builder.add({
      kind: "fill",
      slots: { kind: "mapped", index, table: this.#inUse, of: "nothing", at },
      values: { kind: "values", values },
    });
  }

  #take(qubit: number, at: number): void {
    const slot = this.#context.newSlots(1, at);
    this.#inUse.set(qubit, slot);
    this.#context.builder.add({ kind: "assign", slot, value: { kind: "claim", type: BOOL, slot, at } });
  }
}

function known(operand: Operand | undefined, callee: QirToken): number {
  if (typeof operand?.value !== "bigint")
    throw errorAt(callee, "How many there are, and where, has to be known before the run.");
  return Number(operand.value);
}
