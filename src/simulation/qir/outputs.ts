import type { CircuitBuilder } from "../circuit/builder.ts";
import type { OutputValue } from "../circuit/circuit.ts";
import type { Value } from "../circuit/memory.ts";
import type { Operand } from "./operands.ts";

/** The values beside results that a program records: whole and real numbers, and truth values. */
export class RecordedOutputs {
  readonly #builder: CircuitBuilder;
  readonly #newSlot: (at: number) => number;
  readonly #texts: ReadonlyMap<string, string>;
  /** The slot of each output by its name. */
  readonly #slots = new Map<string, number>();

  constructor(builder: CircuitBuilder, texts: ReadonlyMap<string, string>, newSlot: (at: number) => number) {
    this.#builder = builder;
    this.#texts = texts;
    this.#newSlot = newSlot;
  }

  /** Records a value under its label, or where it has none under its kind and the number of values before it. */
  record(kind: "int" | "bool" | "double", value: Operand, label: Operand | undefined): void {
    const text = label?.constant === undefined ? undefined : this.#texts.get(label.constant);
    const name = text || `${kind}_${this.#slots.size}`;
    let slot = this.#slots.get(name);
    if (slot === undefined) {
      slot = this.#newSlot(value.at);
      this.#slots.set(name, slot);
      const place = slot;
      const type = kind === "double" ? "float" : kind;
      this.#builder.outputs.push({ name, type, bits: null, read: slots => READ[kind](slots[place]!) });
    }
    this.#builder.instruction({ kind: "assign", slot, value: value.run });
  }
}

const READ: Readonly<Record<"int" | "bool" | "double", (value: Value) => OutputValue>> = {
  bool: Boolean,
  double: Number,
  int: value => {
    const whole = BigInt.asIntN(64, value as bigint);
    return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole.toString();
  },
};
