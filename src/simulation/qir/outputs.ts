import type { CircuitBuilder } from "../circuit/builder.ts";
import { BOOL, FLOAT, INT } from "../circuit/values/types.ts";
import type { Operand } from "./operands.ts";

/** The values beside results that a program records: whole and real numbers, and truth values. */
export class RecordedOutputs {
  readonly #builder: CircuitBuilder;
  readonly #newSlot: (at: number) => number;
  readonly #texts: ReadonlyMap<string, string>;
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
      const type = kind === "double" ? FLOAT : kind === "bool" ? BOOL : INT;
      this.#builder.outputs.push({
        ...{ name, type: type.kind, bits: null, slots: { slots: [slot], sizes: [], type } },
      });
    }
    this.#builder.add({ kind: "assign", slot, value: value.node });
  }
}
