import type { CircuitParts } from "../../circuit/circuit.ts";
import { isList } from "../../circuit/expression.ts";
import type { Type } from "../../circuit/values/types.ts";
import type { ExpressionNode, StatementNode, TypeNode } from "../syntax/ast.ts";
import type { FreeNames } from "./free-names.ts";
import { classicalNode, indexNode, integerNode, nameExpression, typeNode } from "./syntax-nodes.ts";

/** An array in slots next to each other, those of its last dimension nearest. */
interface NamedArray {
  readonly name: string;
  readonly first: number;
  readonly sizes: readonly number[];
  readonly type: Type;
}

/** A part of an array: all elements that begin with some indices. */
export interface ArrayPart {
  readonly node: ExpressionNode;
  /** Sizes of its own dimensions. */
  readonly sizes: readonly number[];
  readonly type: Type;
}

/** The arrays of a circuit, and what they are called. */
export class ArrayNames {
  readonly #arrays: NamedArray[] = [];
  readonly #types = new Map<number, Type>();

  /** Declares the arrays that are results of the program, and those whose elements are found by computed indices. */
  constructor({ outputs, body }: CircuitParts, free: FreeNames, global: StatementNode[]) {
    const declare = (name: string, slots: readonly number[], sizes: readonly number[], type: Type) => {
      const [first = 0] = slots;
      if (slots.some((slot, i) => slot !== first + i)) return;
      const own = free.take(name);
      this.#arrays.push({ name: own, first, sizes, type });
      global.push(classicalNode(arrayType(type, sizes), own));
    };
    for (const { name, slots } of outputs)
      if (slots && slots.sizes.length > 0) declare(name, slots.slots, slots.sizes, slots.type);
    const found: { slots: readonly number[]; sizes: readonly number[]; type: Type }[] = [];
    visitSlots(body, (slots, sizes, type) => {
      if (sizes) found.push({ slots, sizes, type });
      else this.#types.set(slots[0]!, type);
    });
    for (const { slots, sizes, type } of found.sort((a, b) => b.slots.length - a.slots.length))
      if (!this.#arrayOf(slots[0]!)) declare(`a${slots[0]}`, slots, sizes, type);
  }

  /** Returns the element that a slot holds; undefined where it belongs to no array. */
  element(slot: number): ExpressionNode | undefined {
    const array = this.#arrayOf(slot);
    return array && indexed(array, slot - array.first, array.sizes.length);
  }

  /** Returns the type of the values that a slot holds; undefined where it is never read. */
  typeOf(slot: number): Type | undefined {
    return this.#arrayOf(slot)?.type ?? this.#types.get(slot);
  }

  /** Returns the part of an array that slots make up. Returns null where they make up none. */
  part(slots: readonly number[]): ArrayPart | null {
    const array = this.#arrayOf(slots[0]!);
    const offset = slots[0]! - (array?.first ?? 0);
    const isStraight = slots.every((slot, i) => slot === slots[0]! + i);
    for (let lead = 0; array && isStraight && lead <= array.sizes.length; lead++) {
      const sizes = array.sizes.slice(lead);
      if (sizes.reduce((all, size) => all * size, 1) === slots.length && offset % slots.length === 0)
        return { node: indexed(array, offset, lead), sizes, type: array.type };
    }
    return null;
  }

  #arrayOf(slot: number): NamedArray | undefined {
    return this.#arrays.find(
      ({ first, sizes }) => slot >= first && slot < first + sizes.reduce((all, size) => all * size, 1),
    );
  }
}

/** Indexes as many dimensions of an array as `count` by the place of an element. */
function indexed({ name, sizes }: NamedArray, place: number, count: number): ExpressionNode {
  let rest = place;
  const indices = sizes.toReversed().map(size => {
    const index = rest % size;
    rest = (rest - index) / size;
    return index;
  });
  const items = indices.toReversed().slice(0, count).map(integerNode);
  return items.length > 0 ? indexNode(nameExpression(name), ...items) : nameExpression(name);
}

function arrayType(type: Type, sizes: readonly number[]): TypeNode {
  const element = typeNode(type);
  const array = { element, sizes: sizes.map(integerNode), dimensions: null, access: null };
  return { ...element, array };
}

/**
 * Calls back for each slot that is read, and with `sizes` for each array an element of which is found by a computed
 * index; statements and expressions are plain data.
 */
function visitSlots(
  node: unknown,
  visit: (slots: readonly number[], sizes: readonly number[] | null, type: Type) => void,
): void {
  if (typeof node !== "object" || node === null) return;
  const { kind, type, slot, slots } = node as Partial<Record<"kind" | "slot", unknown>> & {
    readonly type?: Type;
    readonly slots?: { readonly kind?: string };
  };
  if (kind === "slot" && type) visit([slot as number], null, type);
  if (kind === "element" && type && slots?.kind === "elements") {
    const { base, sizes } = slots as unknown as { base: readonly number[]; sizes: readonly number[] };
    if (isList(base)) visit(base, sizes, type);
  }
  for (const inner of Array.isArray(node) ? node : Object.values(node)) visitSlots(inner, visit);
}
