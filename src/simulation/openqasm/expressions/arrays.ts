import { type Expression, isList, type OperandIndices, type ValueList } from "../../circuit/expression.ts";
import { elementsAt, indicesWithin } from "../../circuit/indexing.ts";
import { type Type, typeName } from "../../circuit/values/types.ts";
import { errorAt, rangeErrorsAt } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import type { ExpressionNode, IndexNode, TypeNode } from "../syntax/ast.ts";
import { assigned, compileType, constantInteger, declaredAs, wholeNumber } from "./compiled.ts";
import type { ExpressionContext } from "./context.ts";
import { compileIndices } from "./registers.ts";
import type { ArrayRef } from "./scope.ts";

const MAX_DIMENSIONS = 7;

/** The size of an array that is known only where its subroutine is called, while the body is checked. */
export const UNKNOWN_SIZE = Number.POSITIVE_INFINITY;

/** Whether the sizes of two arrays are equal, as far as they are known. */
export const fits = (sizes: readonly number[], others: readonly number[]): boolean =>
  sizes.length === others.length &&
  sizes.every((size, i) => size === others[i] || Math.max(size, others[i]!) === UNKNOWN_SIZE);

/** Returns the number of dimensions that are left of an array after its indices; 0 for a single value, -1 for what is not an array. */
export function rankOf(context: ExpressionContext, node: ExpressionNode): number {
  if (node.kind === "name") return context.scope.entry(node.name, "array")?.ref.sizes.length ?? -1;
  if (node.kind === "concatenation") return rankOf(context, node.parts[0]!);
  if (node.kind !== "index") return -1;
  const rank = rankOf(context, node.base);
  return rank < 1
    ? -1
    : rank - node.items.filter(item => item.kind !== "range" && item.kind !== "set").length;
}

export function arrayShape(context: ExpressionContext, node: TypeNode): { element: Type; sizes: number[] } {
  const array = node.array!;
  const element = compileType(context, array.element);
  if (element.kind === "bit")
    throw errorAt(
      array.element,
      "Bits cannot be the elements of an array.",
      "Use bool, or uint[n] for registers.",
    );
  const sizes = array.sizes.map(size => {
    const value = constantInteger(context, size, "The size of an array");
    if (value < 0) throw errorAt(size, `An array of ${value} elements is not possible.`);
    return value;
  });
  if (sizes.length > MAX_DIMENSIONS)
    throw errorAt(node, `An array has at most ${MAX_DIMENSIONS} dimensions.`);
  return { element, sizes };
}

export function resolveArray(context: ExpressionContext, node: ExpressionNode): ArrayRef {
  if (node.kind === "index") return indexed(context, resolveArray(context, node.base), node.items, node);
  if (node.kind !== "name") throw errorAt(node, "An array, or a part of one, is needed here.");
  const symbol = declaredAs(context, node, () => didYouMean(node.name, context.scope.names("array")));
  if (symbol.kind !== "array") throw errorAt(node, `${node.name} is not an array.`);
  return symbol.ref;
}

export function arrayElement(
  context: ExpressionContext,
  node: ExpressionNode & { kind: "index" },
): Expression {
  const ref = resolveArray(context, node);
  if (ref.sizes.length > 0)
    throw errorAt(
      node,
      `This is a part of an array with ${ref.sizes.length} dimensions; a single value is needed here.`,
    );
  return { kind: "element", type: ref.element, slots: ref.indices };
}

export function arrayValues(
  context: ExpressionContext,
  node: ExpressionNode,
  element: Type,
  sizes: readonly number[],
): ValueList {
  if (node.kind === "array") {
    const [size, ...inner] = sizes;
    if (size === undefined) throw errorAt(node, "A single value is needed here, not an array.");
    if (size !== UNKNOWN_SIZE && node.items.length !== size)
      throw errorAt(node, `These are ${node.items.length} values for ${size} places of the array.`);
    const items = node.items.map(item => arrayValues(context, item, element, inner));
    return { kind: "joined", lists: items };
  }
  if (sizes.length === 0) return { kind: "values", values: [assigned(context, node, element)] };
  const parts = node.kind === "concatenation" ? node.parts : [node];
  const refs = parts.map(part => resolveArray(context, part));
  const joined = refs.reduce((sum, ref) => sum + (ref.sizes[0] ?? 0), 0);
  const given = [joined, ...refs[0]!.sizes.slice(1)];
  refs.forEach((ref, i) => {
    if (typeName(ref.element) !== typeName(element))
      throw errorAt(parts[i]!, `Elements of ${typeName(ref.element)} cannot stand for ${typeName(element)}.`);
    if (!fits(ref.sizes.slice(1), sizes.slice(1)) || ref.sizes.length === 0)
      throw errorAt(parts[i]!, `The shape ${shapeOf(ref.sizes)} does not fit the shape ${shapeOf(sizes)}.`);
  });
  if (!fits(given, sizes))
    throw errorAt(node, `The shape ${shapeOf(given)} does not fit the shape ${shapeOf(sizes)}.`);
  return { kind: "joined", lists: refs.map(({ indices }) => ({ kind: "slots", slots: indices })) };
}

/** Checks an index of a dimension whose size is not known yet. */
function open(context: ExpressionContext, item: IndexNode | undefined, sizes: number[]): null {
  if (!item || item.kind === "range") sizes.push(UNKNOWN_SIZE);
  const parts = item?.kind === "range" ? [item.start, item.step, item.stop] : item ? [item] : [];
  for (const part of parts) if (part && part.kind !== "set") wholeNumber(context, part);
  return null;
}

function indexed(
  context: ExpressionContext,
  base: ArrayRef,
  items: readonly IndexNode[],
  node: ExpressionNode,
): ArrayRef {
  if (items.length > base.sizes.length)
    throw errorAt(node, `The array has ${base.sizes.length} dimensions, not ${items.length}.`);
  const sizes: number[] = [];
  const picks = base.sizes.map((size, dimension): OperandIndices | null => {
    const item = items[dimension];
    if (size === UNKNOWN_SIZE) return open(context, item, sizes);
    if (!item) {
      sizes.push(size);
      return [...Array(size).keys()];
    }
    if (item.kind === "set") throw errorAt(item, "An array is indexed by a number or a range, not by a set.");
    const { known, indices } = compileIndices(context, item, size);
    if (item.kind === "range") {
      if (!known) throw errorAt(item, "How many elements these are has to be known before the run.");
      sizes.push(known.length);
    }
    if (!known) return { kind: "within", indices, size, of: "array", at: item.at };
    return rangeErrorsAt(item, () => indicesWithin(known, size, "array"));
  });
  if (base.known && sizes.length > 0)
    context.countMembers(
      sizes.reduce((product, size) => product * size, 1),
      node.at,
      4,
    );
  const chosen = picks.map(pick => pick ?? []);
  const known = base.known && chosen.every(isList) ? elementsAt(base.known, base.sizes, chosen) : null;
  const indices: OperandIndices = known ?? {
    kind: "elements",
    base: base.indices,
    sizes: base.sizes,
    indices: chosen,
  };
  return { ...base, sizes, known, indices };
}

export const shapeOf = (sizes: readonly number[]): string =>
  sizes.length > 0 ? sizes.join("×") : "of a single value";
