import type { Compute, Value } from "../../circuit/memory.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import type { ExpressionNode, IndexNode, TypeNode } from "../syntax/ast.ts";
import { INT, type Type, typeName } from "../values/types.ts";
import { type Compiled, fault, located, Silent } from "./compiled.ts";
import type { ExpressionCompiler } from "./expressions.ts";
import type { ArrayRef } from "./scope.ts";

const MOST_DIMENSIONS = 7;

/** The size of an array that is known only where its subroutine is called, while the body is checked. */
export const UNKNOWN_SIZE = Number.POSITIVE_INFINITY;

/** Whether the sizes of two arrays are equal, as far as they are known. */
export const fits = (sizes: readonly number[], others: readonly number[]): boolean =>
  sizes.length === others.length &&
  sizes.every((size, i) => size === others[i] || Math.max(size, others[i]!) === UNKNOWN_SIZE);

/** The values of an array, in the order of its elements. */
export type ArrayValues = (memory: Parameters<Compute>[0]) => readonly Value[];

/** Finds the elements that names, indices and slices of arrays stand for. */
export class Arrays {
  readonly #expressions: ExpressionCompiler;

  constructor(expressions: ExpressionCompiler) {
    this.#expressions = expressions;
  }

  /** Gives the number of dimensions that are left of an array behind its indices; 0 for a single value, -1 for what is no array. */
  rankOf(node: ExpressionNode): number {
    if (node.kind === "name") {
      const symbol = this.#expressions.context.scope.find(node.name);
      return typeof symbol === "object" && symbol.kind === "array" ? symbol.ref.sizes.length : -1;
    }
    if (node.kind === "concatenation") return this.rankOf(node.parts[0]!);
    if (node.kind !== "index") return -1;
    const rank = this.rankOf(node.base);
    return rank < 1
      ? -1
      : rank - node.items.filter(item => item.kind !== "range" && item.kind !== "set").length;
  }

  /** Gives the element and the sizes of the type of an array. */
  shape(node: TypeNode & { array: NonNullable<TypeNode["array"]> }): { element: Type; sizes: number[] } {
    const { array } = node;
    const element = this.#expressions.type(array.element);
    if (element.kind === "bit")
      throw fault(
        array.element,
        "Bits cannot be the elements of an array.",
        "Use bool, or uint[n] for registers.",
      );
    const sizes = array.sizes.map(size => {
      const value = this.#expressions.constantInteger(size, "The size of an array");
      if (value < 0) throw fault(size, `An array of ${value} elements is not possible.`);
      return value;
    });
    if (sizes.length > MOST_DIMENSIONS)
      throw fault(node, `An array has at most ${MOST_DIMENSIONS} dimensions.`);
    return { element, sizes };
  }

  /** Finds the array that an expression stands for. */
  resolve(node: ExpressionNode): ArrayRef {
    if (node.kind === "index") return this.#indexed(this.resolve(node.base), node.items, node);
    if (node.kind !== "name") throw fault(node, "An array, or a part of one, is needed here.");
    const { scope } = this.#expressions.context;
    const symbol = scope.find(node.name);
    if (symbol === undefined)
      throw fault(node, `${node.name} is not declared.`, didYouMean(node.name, scope.names("array")));
    if (symbol === "hidden")
      throw fault(
        node,
        `${node.name} belongs to the program, which subroutines cannot see.`,
        "Pass it as an argument.",
      );
    if (symbol.kind === "faulty") throw new Silent();
    if (symbol.kind !== "array") throw fault(node, `${node.name} is no array.`);
    return symbol.ref;
  }

  /** Compiles the reading of one element. */
  element(node: ExpressionNode & { kind: "index" }): Compiled {
    const ref = this.resolve(node);
    if (ref.sizes.length > 0)
      throw fault(
        node,
        `This is a part of an array with ${ref.sizes.length} dimensions; a single value is needed here.`,
      );
    const { run, known } = ref;
    const [slot] = known ?? [];
    return {
      type: ref.element,
      value: undefined,
      run: slot === undefined ? memory => memory.slots[run(memory)[0]!]! : memory => memory.slots[slot]!,
    };
  }

  /** Compiles the values that are assigned to an array or to a part of one. */
  values(node: ExpressionNode, element: Type, sizes: readonly number[]): ArrayValues {
    if (node.kind === "array") {
      const [size, ...inner] = sizes;
      if (size === undefined) throw fault(node, "A single value is needed here, not an array.");
      if (size !== UNKNOWN_SIZE && node.items.length !== size)
        throw fault(node, `These are ${node.items.length} values for ${size} places of the array.`);
      const items = node.items.map(item => this.values(item, element, inner));
      return memory => items.flatMap(values => values(memory));
    }
    if (sizes.length === 0) {
      const { run } = this.#expressions.assigned(node, element);
      return memory => [run(memory)];
    }
    const parts = node.kind === "concatenation" ? node.parts : [node];
    const refs = parts.map(part => this.resolve(part));
    const joined = refs.reduce((sum, ref) => sum + (ref.sizes[0] ?? 0), 0);
    const given = [joined, ...(refs[0]!.sizes.slice(1) ?? [])];
    refs.forEach((ref, i) => {
      if (typeName(ref.element) !== typeName(element))
        throw fault(parts[i]!, `Elements of ${typeName(ref.element)} cannot stand for ${typeName(element)}.`);
      if (!fits(ref.sizes.slice(1), sizes.slice(1)) || ref.sizes.length === 0)
        throw fault(parts[i]!, `The shape ${shapeOf(ref.sizes)} does not fit the shape ${shapeOf(sizes)}.`);
    });
    if (!fits(given, sizes))
      throw fault(node, `The shape ${shapeOf(given)} does not fit the shape ${shapeOf(sizes)}.`);
    return memory => refs.flatMap(ref => ref.run(memory).map(slot => memory.slots[slot]!));
  }

  /** Checks an index of a dimension whose size is not known yet. */
  #open(item: IndexNode | undefined, sizes: number[]) {
    if (!item || item.kind === "range") sizes.push(UNKNOWN_SIZE);
    const parts = item?.kind === "range" ? [item.start, item.step, item.stop] : item ? [item] : [];
    for (const part of parts) if (part && part.kind !== "set") this.#expressions.compileTo(part, INT);
    return { known: null, run: () => [] };
  }

  #indexed(base: ArrayRef, items: readonly IndexNode[], node: ExpressionNode): ArrayRef {
    if (items.length > base.sizes.length)
      throw fault(node, `The array has ${base.sizes.length} dimensions, not ${items.length}.`);
    const sizes: number[] = [];
    const picks = base.sizes.map((size, dimension) => {
      const item = items[dimension];
      if (size === UNKNOWN_SIZE) return this.#open(item, sizes);
      if (!item) {
        sizes.push(size);
        const all = [...Array(size).keys()];
        return { known: all, run: () => all };
      }
      if (item.kind === "set") throw fault(item, "An array is indexed by a number or a range, not by a set.");
      const { known, run } = this.#expressions.places.indices(item, size);
      if (item.kind === "range") {
        if (!known) throw fault(item, "How many elements these are has to be known before the run.");
        sizes.push(known.length);
      }
      const inside = (list: readonly number[]) => list.map(index => place(index, size));
      try {
        return {
          known: known && inside(known),
          run: located(memory => inside(run(memory)), item, this.#expressions.context.locate),
        };
      } catch (error) {
        throw error instanceof RangeError ? fault(item, error.message) : error;
      }
    });
    const take = (slots: readonly number[], lists: readonly (readonly number[])[]) =>
      lists
        .reduce<number[]>(
          (offsets, list, i) => offsets.flatMap(offset => list.map(at => offset * base.sizes[i]! + at)),
          [0],
        )
        .map(offset => slots[offset]!);
    if (base.known && sizes.length > 0)
      this.#expressions.context.countMembers(
        sizes.reduce((product, size) => product * size, 1),
        node.at,
        4,
      );
    const known =
      base.known && picks.every(pick => pick.known)
        ? take(
            base.known,
            picks.map(pick => pick.known!),
          )
        : null;
    const run: Compute<readonly number[]> = known
      ? () => known
      : memory =>
          take(
            base.run(memory),
            picks.map(pick => pick.known ?? pick.run(memory)),
          );
    return { ...base, sizes, known, run };
  }
}

/** Gives the sizes of an array as a reader writes them. */
export const shapeOf = (sizes: readonly number[]): string =>
  sizes.length > 0 ? sizes.join("×") : "of a single value";

function place(index: number, size: number): number {
  const at = index < 0 ? size + index : index;
  if (at >= 0 && at < size) return at;
  throw new RangeError(
    size > 0
      ? `The index ${index} is outside the array, which has ${size} elements here (0 to ${size - 1}).`
      : "This array has no elements.",
  );
}
