import { BOOL, FLOAT, INT } from "../circuit/values/types.ts";
import type { Operand, QirContext } from "./operands.ts";

/** The values beside results that a program records: whole and real numbers, and truth values. */
export class RecordedOutputs {
  readonly #context: QirContext;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #slots = new Map<string, number>();

  constructor(context: QirContext, texts: ReadonlyMap<string, string>) {
    this.#context = context;
    this.#texts = texts;
  }

  /** Records a value under its label, or where it has none under its kind and the number of values before it. */
  record(kind: "int" | "bool" | "double", value: Operand, label: Operand | undefined): void {
    const { builder } = this.#context;
    const text = label?.constant === undefined ? undefined : this.#texts.get(label.constant);
    const name = text || `${kind}_${this.#slots.size}`;
    let slot = this.#slots.get(name);
    if (slot === undefined) {
      slot = this.#context.newSlots(1, value.at);
      this.#slots.set(name, slot);
      const type = kind === "double" ? FLOAT : kind === "bool" ? BOOL : INT;
      builder.outputs.push({
        ...{ name, type: type.kind, bits: null, slots: { slots: [slot], sizes: [], type } },
      });
    }
    builder.add({ kind: "assign", slot, value: value.node });
  }
}
