import type { ExpressionNode } from "../syntax/ast.ts";
import type { Lowering } from "./lowering.ts";

/** Finds the qubits and bits that operands and conditions may stand for, in lists that statements share. */
export class PossibleOperands {
  readonly #lowering: Lowering;
  /** Lists of places that were joined, by the two that they are made of. */
  readonly #joins = new WeakMap<object, Map<object, readonly number[]>>();

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  /** Returns the bits that a condition reads, where they are known. */
  bitsIn(node: ExpressionNode): readonly number[] {
    if (this.#lowering.places.isPlaces(node)) {
      const ref = this.#lowering.places.resolve(node);
      return ref.kind === "bit" ? (ref.known ?? []) : [];
    }
    switch (node.kind) {
      case "unary":
      case "cast":
        return this.bitsIn(node.operand);
      case "binary":
        return this.#joined([this.bitsIn(node.left), this.bitsIn(node.right)], node.at);
      default:
        return [];
    }
  }

  /** Returns every qubit or bit that an operand may stand for. */
  of(...nodes: readonly ExpressionNode[]): readonly number[] {
    return this.#joined(
      nodes.map(node => {
        const { known } = this.#lowering.places.resolve(node);
        if (known) return known;
        if (node.kind === "index") return this.of(node.base);
        return node.kind === "concatenation" ? this.of(...node.parts) : this.#all(node.at);
      }),
      nodes[0]?.at ?? 0,
    );
  }

  #all(at: number): readonly number[] {
    const { numQubits } = this.#lowering.builder;
    this.#lowering.expressions.context.countMembers(numQubits, at);
    return [...Array(numQubits).keys()];
  }

  /** Joins lists of places, each place once; one list alone is kept as it is. */
  #joined(lists: readonly (readonly number[])[], at: number): readonly number[] {
    const several = [...new Set(lists)].filter(({ length }) => length > 0);
    if (several.length < 2) return several[0] ?? [];
    const [first, second] = several as [readonly number[], readonly number[]];
    const known = several.length === 2 ? this.#joins.get(first)?.get(second) : undefined;
    if (known) return known;
    const joined = [...new Set(several.flat())];
    this.#lowering.expressions.context.countMembers(joined.length, at);
    if (several.length === 2)
      this.#joins.set(first, (this.#joins.get(first) ?? new Map()).set(second, joined));
    return joined;
  }
}
