import { constant, type Expression } from "../../circuit/expression.ts";
import { type Type, zeroOf } from "../../circuit/values/types.ts";
import { Fault } from "../diagnostics/diagnostic.ts";
import { knownPlaces } from "../expressions/places.ts";
import type { PlacesRef } from "../expressions/scope.ts";
import type { NameNode } from "../syntax/ast.ts";
import type { Lowering } from "./lowering.ts";
import type { Result } from "./outputs.ts";

/** The slots and bits of the classical memory that variables take. */
export class Variables {
  readonly #lowering: Lowering;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  /** Reserves slots of the classical memory next to each other and gives the first. */
  slot(count = 1, at = 0): number {
    const first = this.#lowering.builder.numSlots;
    this.#lowering.builder.numSlots += count;
    if (this.#lowering.builder.numSlots > this.#lowering.limits.maxValues)
      throw new Fault(
        at,
        `The program declares more than ${this.#lowering.limits.maxValues.toLocaleString("en-US")} values of variables and arrays.`,
        { isFatal: true },
      );
    return first;
  }

  /** Reserves bits of the classical memory. */
  bits(count: number, at: number, isSingle = false): PlacesRef {
    const first = this.#lowering.builder.numBits;
    if (first + count > this.#lowering.limits.maxBits)
      throw new Fault(
        at,
        `The program declares more than ${this.#lowering.limits.maxBits.toLocaleString("en-US")} classical bits.`,
        {
          isFatal: true,
        },
      );
    this.#lowering.builder.numBits += count;
    return knownPlaces(
      "bit",
      Array.from({ length: count }, (_, i) => first + i),
      isSingle,
    );
  }

  /** Declares a classical variable and sets its first value; bits without one keep what they have. */
  declare(name: NameNode, type: Type, value?: Expression): Result["symbol"] {
    if (type.kind === "bit") {
      const ref = this.bits(type.width ?? 1, name.at, type.width === null);
      const symbol = { kind: "places", ref } as const;
      this.#lowering.declare(name, symbol);
      if (value) this.store(ref, value);
      return symbol;
    }
    const slot = this.slot();
    const symbol = { kind: "variable", type, slot } as const;
    this.#lowering.declare(name, symbol);
    this.#lowering.builder.add({ kind: "assign", slot, value: value ?? constant(type, zeroOf(type)) });
    return symbol;
  }

  /** Writes the bits of a whole number to places. */
  store(ref: PlacesRef, value: Expression, label?: string): void {
    const labelled = label === undefined ? {} : { label };
    this.#lowering.builder.add({ kind: "store", ...labelled, bits: ref.indices, value });
  }
}
