import { EvaluationError } from "../errors.ts";
import { memoized } from "../memoized.ts";
import {
  type ChainStep,
  type Computed,
  type Expression,
  isList,
  type OperandIndices,
  type ValueList,
} from "./expression.ts";
import { elementsAt, indicesWithin, joinedParts, mapped, membersAt, rangeWithin } from "./indexing.ts";
import { bitsOfWord, type Complex, type Memory, type Value, wordOfBits } from "./memory.ts";
import { conversion } from "./values/conversions.ts";
import { COMPLEX, functionOf } from "./values/functions.ts";
import { resolveOperator } from "./values/operators.ts";
import { bitsOf, type Type, wrap } from "./values/types.ts";

type Of<K extends Computed["kind"]> = Computed & { readonly kind: K };

/** Returns the value of an expression. Throws an {@link EvaluationError} where it has none. */
export function evaluate(node: Expression, memory: Memory): Value {
  if (node.kind === "constant") return node.value;
  if (node.kind === "slot") return memory.slots[node.slot]!;
  try {
    return computed(node, memory);
  } catch (error) {
    throw located(error, node.at);
  }
}

function computed(node: Exclude<Computed, Of<"slot">>, memory: Memory): Value {
  switch (node.kind) {
    case "bits": {
      const bits = indicesOf(node.bits, memory);
      return bits.length === 1
        ? BigInt(memory.readBit(bits[0]!))
        : wordOfBits(bits.map(bit => memory.readBit(bit)));
    }
    case "element":
      return memory.slots[indicesOf(node.slots, memory)[0]!]!;
    case "select":
      return evaluate(evaluate(node.condition, memory) ? node.yes : node.no, memory);
    case "concatenation":
      return node.parts.reduce(
        (joined, part) => (joined << BigInt(bitsOf(part.type))) | (evaluate(part, memory) as bigint),
        0n,
      );
    case "binary":
      return operated(evaluate(node.left, memory), node, node.left.type, node.right, memory);
    case "chain": {
      let { type } = node.first;
      let value = evaluate(node.first, memory);
      for (const step of node.steps) {
        value = afterStep(value, step, type, memory);
        type = step.type;
      }
      return value;
    }
    case "unary":
      return changed(evaluate(node.operand, memory), node);
    case "cast":
      return conversionOf(node)(evaluate(node.operand, memory));
    case "call": {
      const [first, second] = node.args;
      return calledBy(node)(evaluate(first!, memory), second && evaluate(second, memory));
    }
    case "extract": {
      const value = evaluate(node.operand, memory) as bigint;
      const places = indicesOf(node.positions, memory);
      if (places.length === 1) return (value >> BigInt(places[0]!)) & 1n;
      const all = bitsOfWord(value, bitsOf(node.operand.type));
      return wordOfBits(places.map(place => all[place]!));
    }
    case "insert": {
      const bits = evaluate(node.bits, memory) as bigint;
      let word = BigInt.asUintN(bitsOf(node.type), evaluate(node.operand, memory) as bigint);
      indicesOf(node.positions, memory).forEach((place, i) => {
        const mask = 1n << BigInt(place);
        word = (bits >> BigInt(i)) & 1n ? word | mask : word & ~mask;
      });
      return wrap(word, node.type);
    }
    case "lookup": {
      const value = node.table[Number(evaluate(node.index, memory))];
      if (value === undefined) throw new RangeError("This is outside of the array.");
      return value;
    }
    case "sizeof": {
      const { sizes } = node;
      const dimension = evaluate(node.dimension, memory);
      const size = sizes[Number(dimension)];
      if (size === undefined)
        throw new RangeError(
          `This array has no dimension ${dimension}; it has ${sizes.length}, counted from 0.`,
        );
      return Number.isFinite(size) ? BigInt(size) : 0n;
    }
    case "claim":
      if (memory.slots[node.slot] !== true) return true;
      throw new RangeError(
        "A qubit is allocated here again before it is released; allocate all that a loop needs in front of it.",
      );
    case "void":
      return 0n;
    case "input":
      throw new RangeError(`The input ${node.name} has no value.`);
    case "extern":
      throw new RangeError(
        `The function ${node.name} is extern: its effect is unknown, so the program cannot run past this call.`,
      );
  }
}

export function indicesOf(indices: OperandIndices, memory: Memory): readonly number[] {
  if (isList(indices)) return indices;
  try {
    switch (indices.kind) {
      case "slot":
        return memory.slots[indices.slot] as readonly number[];
      case "values":
        return indices.values.map(value => Number(evaluate(value, memory)));
      case "range": {
        const [start, step, stop] = [indices.start, indices.step, indices.stop].map(end =>
          end ? Number(evaluate(end, memory)) : undefined,
        );
        return rangeWithin(start, step, stop, indices.size);
      }
      case "joined": {
        const parts = indices.parts.map(part => indicesOf(part, memory));
        return joinedParts(parts, indices);
      }
      case "members":
        return membersAt(indicesOf(indices.base, memory), indicesOf(indices.indices, memory), indices);
      case "within":
        return indicesWithin(indicesOf(indices.indices, memory), indices.size, indices.of);
      case "elements": {
        const base = indicesOf(indices.base, memory);
        const lists = indices.indices.map(list => indicesOf(list, memory));
        return elementsAt(base, indices.sizes, lists);
      }
      case "mapped":
        return mapped(Number(evaluate(indices.index, memory)), indices);
    }
  } catch (error) {
    throw "at" in indices ? located(error, indices.at) : error;
  }
}

export function valuesOf(list: ValueList, memory: Memory): readonly Value[] {
  switch (list.kind) {
    case "constants":
      return list.values;
    case "values":
      return list.values.map(value => evaluate(value, memory));
    case "slots":
      return indicesOf(list.slots, memory).map(slot => memory.slots[slot]!);
    case "bits": {
      const value = evaluate(list.operand, memory) as bigint;
      return Array.from({ length: list.width }, (_, i) => (value >> BigInt(i)) & 1n);
    }
    case "joined":
      return list.lists.flatMap(inner => valuesOf(inner, memory));
  }
}

const NO_MEMORY: Memory = { slots: [], readBit: () => 0, writeBit: () => {} };

/** Returns the value of an expression all of whose parts are constants. */
export const constantValue = (node: Expression): Value => evaluate(node, NO_MEMORY);

/** Returns an error that says where in the program a computation failed. */
const located = (error: unknown, at: number | undefined): unknown =>
  error instanceof RangeError ? new EvaluationError(error.message, at) : error;

/** An operator with the types of its operands resolved. */
const operators = new WeakMap<Of<"binary"> | ChainStep, (left: Value, right: Value) => Value>();

/** Applies an operator to a value, which has a type, and to an operand, which is computed only where that matters. */
function operated(
  value: Value,
  node: Of<"binary"> | ChainStep,
  type: Type,
  operand: Expression,
  memory: Memory,
): Value {
  if (node.operator === "&&") return value && evaluate(operand, memory);
  if (node.operator === "||") return value || evaluate(operand, memory);
  let apply = operators.get(node);
  if (!apply) {
    apply = resolveOperator(node.operator, type, operand.type, node.isReal ?? false)!.apply;
    operators.set(node, apply);
  }
  return apply(value, evaluate(operand, memory));
}

/** Returns a chain's value after one more step. */
function afterStep(value: Value, step: ChainStep, type: Type, memory: Memory): Value {
  try {
    return operated(value, step, type, step.operand, memory);
  } catch (error) {
    throw located(error, step.at);
  }
}

function changed(value: Value, { operator, type }: Of<"unary">): Value {
  if (operator === "!" || (operator === "~" && type.kind === "bool")) return !value;
  if (operator === "~") return wrap(~(value as bigint), type);
  if (type.kind === "complex") return COMPLEX["-"]({ re: 0, im: 0 }, value as Complex);
  return typeof value === "bigint" ? wrap(-value, type) : -(value as number);
}

const conversionOf = memoized(
  ({ operand, type, conversion: kind }: Of<"cast">) => conversion(operand.type, type, kind)!,
);

const calledBy = memoized(
  ({ name, args }: Of<"call">) =>
    functionOf(
      name,
      args.map(arg => arg.type),
    )!,
);
