import type { Computed, Expression, OperandIndices } from "../../circuit/expression.ts";
import { indicesWithin } from "../../circuit/indexing.ts";
import { BIT, bitsOf, hasBits, MAX_WIDTH, type Type, withArticle } from "../../circuit/values/types.ts";
import type { ExpressionNode, IndexNode } from "../syntax/ast.ts";
import { errorAt, fold } from "./compiled.ts";
import type { ExpressionCompiler } from "./expressions.ts";

/** Compiles the reading of bits: of registers, and one by one of numbers. */
export class BitAccess {
  readonly #expressions: ExpressionCompiler;

  constructor(expressions: ExpressionCompiler) {
    this.#expressions = expressions;
  }

  /** Compiles the reading of a register of classical bits, or of a part of one. */
  register(node: ExpressionNode): Expression {
    const ref = this.#expressions.registers.resolve(node);
    if (ref.kind === "qubit")
      throw errorAt(node, "A qubit is not a classical value.", "Measure it first, as in `c = measure q;`.");
    const width = ref.known?.length === 1 ? 1 : (ref.width ?? MAX_WIDTH.bit);
    return { kind: "bits", type: ref.isSingle ? BIT : { kind: "bit", width }, bits: ref.indices };
  }

  /** Compiles an index: of a register, of an array, or of the bits of a number. */
  index(node: ExpressionNode & { kind: "index" }): Expression {
    if (this.#expressions.registers.isRegister(node)) return this.register(node);
    if (this.#expressions.arrays.rankOf(node.base) > 0) return this.#expressions.arrays.element(node);
    const operand = this.#expressions.compile(node.base);
    const { type, known, positions } = this.indices(operand.type, node);
    const extract: Computed = { kind: "extract", type, operand, positions };
    return known ? fold(extract, [operand], node) : extract;
  }

  /** Finds which bits of a number an index takes, the lowest first. */
  indices(
    type: Type,
    node: ExpressionNode & { kind: "index" },
  ): { type: Type; known: readonly number[] | null; positions: OperandIndices } {
    const [item] = node.items as [IndexNode];
    if (node.items.length > 1) throw errorAt(node, "The bits of a value have one index.");
    if (!hasBits(type)) throw errorAt(node, `${withArticle(type, true)} has no bits to take one by one.`);
    if (type.width === null)
      throw errorAt(
        node,
        `The bits of ${withArticle(type)} without a width cannot be taken one by one.`,
        `Declare it with one, as in \`${type.kind}[32]\`.`,
      );
    const size = bitsOf(type);
    const { known, indices } = this.#expressions.registers.indices(item, size);
    const isSingle = item.kind !== "range" && item.kind !== "set";
    if (!isSingle && !known) throw errorAt(item, "How many bits these are has to be known before the run.");
    if (!isSingle) this.#expressions.context.countMembers(known!.length, item.at);
    const taken: Type = isSingle ? BIT : { kind: "bit", width: known!.length };
    if (!known)
      return { type: taken, known, positions: { kind: "within", indices, size, of: "number", at: item.at } };
    try {
      const positions = indicesWithin(known, size, "number");
      return { type: taken, known: positions, positions };
    } catch (error) {
      throw error instanceof RangeError ? errorAt(item, error.message) : error;
    }
  }
}
