import { bitsOfWord, type Compute, wordOfBits } from "../../circuit/memory.ts";
import type { ExpressionNode, IndexNode } from "../syntax/ast.ts";
import { aType, BIT, bitsOf, hasBits, type Type } from "../values/types.ts";
import { type Compiled, fault, fold, located } from "./compiled.ts";
import { type ExpressionCompiler, WIDEST } from "./expressions.ts";

/** Compiles the reading of bits: of registers, and one by one of numbers. */
export class BitAccess {
  readonly #expressions: ExpressionCompiler;

  constructor(expressions: ExpressionCompiler) {
    this.#expressions = expressions;
  }

  /** Compiles the reading of a register of classical bits, or of a part of one. */
  register(node: ExpressionNode): Compiled {
    const ref = this.#expressions.places.resolve(node);
    if (ref.kind === "qubit")
      throw fault(node, "A qubit is no classical value.", "Measure it first, as in `c = measure q;`.");
    if (ref.known?.length === 1) {
      const bit = ref.known[0]!;
      return {
        type: ref.isSingle ? BIT : { kind: "bit", width: 1 },
        value: undefined,
        run: memory => BigInt(memory.readBit(bit)),
      };
    }
    return {
      type: ref.isSingle ? BIT : { kind: "bit", width: ref.width ?? WIDEST.bit },
      value: undefined,
      run: memory => wordOfBits(ref.run(memory).map(bit => memory.readBit(bit))),
    };
  }

  /** Compiles an index: of a register, of an array, or of the bits of a number. */
  index(node: ExpressionNode & { kind: "index" }): Compiled {
    if (this.#expressions.places.isPlaces(node)) return this.register(node);
    if (this.#expressions.arrays.rankOf(node.base) > 0) return this.#expressions.arrays.element(node);
    const base = this.#expressions.compile(node.base);
    const bits = this.indices(base.type, node);
    const run: Compute = memory => {
      const value = base.run(memory) as bigint;
      const places = bits.run(memory);
      if (places.length === 1) return (value >> BigInt(places[0]!)) & 1n;
      const all = bitsOfWord(value, bitsOf(base.type));
      return wordOfBits(places.map(place => all[place]!));
    };
    const isKnown = bits.known !== null && base.value !== undefined;
    return fold(bits.type, isKnown ? [base] : [{ ...base, value: undefined }], run, node);
  }

  /** Finds which bits of a number an index takes, the lowest first. */
  indices(type: Type, node: ExpressionNode & { kind: "index" }) {
    const [item] = node.items as [IndexNode];
    if (node.items.length > 1) throw fault(node, "The bits of a value have one index.");
    if (!hasBits(type)) throw fault(node, `${aType(type, true)} has no bits to take one by one.`);
    const width = bitsOf(type);
    const indices = this.#expressions.places.indices(item, width);
    const inside = (list: readonly number[]) =>
      list.map(index => {
        const place = index < 0 ? width + index : index;
        if (place < 0 || place >= width)
          throw new RangeError(`Bit ${index} is outside a value of ${width} bits.`);
        return place;
      });
    const isSingle = item.kind !== "range" && item.kind !== "set";
    if (!isSingle && !indices.known)
      throw fault(item, "How many bits these are has to be known before the run.");
    if (!isSingle) this.#expressions.context.countMembers(indices.known!.length, item.at);
    let known: readonly number[] | null;
    try {
      known = indices.known && inside(indices.known);
    } catch (error) {
      throw error instanceof RangeError ? fault(item, error.message) : error;
    }
    const run = located<readonly number[]>(
      memory => inside(indices.run(memory)),
      item,
      this.#expressions.context.locate,
    );
    const taken: Type = isSingle ? BIT : { kind: "bit", width: indices.known!.length };
    return { type: taken, known, run: known ? () => known : run };
  }
}
