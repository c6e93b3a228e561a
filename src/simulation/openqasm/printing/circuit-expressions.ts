import {
  type Constant,
  constant,
  type Expression,
  isList,
  type OperandIndices,
  type ValueList,
} from "../../circuit/expression.ts";
import type { Complex } from "../../circuit/memory.ts";
import type { LoopValues, Statement } from "../../circuit/statement.ts";
import { BIT, bitsOf, INT, type Type } from "../../circuit/values/types.ts";
import { SimulationError } from "../../errors.ts";
import type { ExpressionNode, IndexNode, StatementNode } from "../syntax/ast.ts";
import type { CircuitNames } from "./circuit-names.ts";
import {
  angleNode,
  assignNode,
  expressionNode,
  indexNode,
  integerNode,
  negativeNode,
  rangeNode,
  setNode,
  typeNode,
} from "./syntax-nodes.ts";

/**
 * Returns the syntax of an expression; `slotNode` names its slots, by default as the circuit's. Throws a SimulationError
 * for one that OpenQASM cannot express.
 */
export function syntaxOf(
  node: Expression,
  names: CircuitNames,
  slotNode = (slot: number, type: Type) => names.slot(slot, type),
): ExpressionNode {
  const inner = (operand: Expression) => syntaxOf(operand, names, slotNode);
  switch (node.kind) {
    case "constant":
      return constantNode(node);
    case "slot":
      return slotNode(node.slot, node.type);
    case "bits":
      return operandNode("bit", node.bits, names, node.type.width === null);
    case "element":
      return elementNode(node.slots, node.type, names);
    case "extract":
      return indexNode(inner(node.operand), indicesNode(node.positions, names, node.type.width === null));
    case "unary":
      return expressionNode({ kind: "unary", operator: node.operator, operand: inner(node.operand) });
    case "binary":
      return expressionNode({
        ...{ kind: "binary", operator: node.operator, left: inner(node.left), right: inner(node.right) },
      });
    case "chain":
      return node.steps.reduce(
        (left, { operator, operand }) =>
          expressionNode({ kind: "binary", operator, left, right: inner(operand) }),
        inner(node.first),
      );
    case "cast": {
      const { type, operand } = node;
      const isSame = type.kind === operand.type.kind && type.width === operand.type.width;
      return isSame || node.conversion === "argument" ? inner(operand) : castNode(type, inner(operand));
    }
    case "call":
      return expressionNode({ kind: "call", name: node.name, args: node.args.map(inner) });
    case "concatenation":
      return expressionNode({ kind: "concatenation", parts: node.parts.map(inner) });
    case "lookup": {
      const items = node.table.map(value => constantNode({ kind: "constant", type: node.type, value }));
      return indexNode(names.table(typeNode(node.type), items), inner(node.index));
    }
    case "input":
      return names.input(node.name);
    default:
      throw new SimulationError(
        `OpenQASM has no statement for what the program computes here (${node.kind}).`,
      );
  }
}

/** Returns the syntax of qubits or bits; a single one is written without a slice. */
export function operandNode(
  kind: "qubit" | "bit",
  indices: OperandIndices,
  names: CircuitNames,
  isSingle = isList(indices) && indices.length === 1,
): ExpressionNode {
  if (isList(indices)) return isSingle ? names.one(kind, indices[0]!) : names.several(kind, indices);
  switch (indices.kind) {
    case "slot":
      return names.nameOf(indices.slot);
    case "members":
      return indexNode(operandNode(kind, indices.base, names, false), indicesNode(indices.indices, names));
    case "joined": {
      const parts = indices.parts.map(part => operandNode(kind, part, names));
      return expressionNode({ kind: "concatenation", parts });
    }
    default:
      throw new SimulationError(`OpenQASM cannot express which ${kind}s this uses.`);
  }
}

export function elementNode(slots: OperandIndices, type: Type, names: CircuitNames): ExpressionNode {
  if (isList(slots) && slots.length === 1) return names.slot(slots[0]!, type);
  if (isList(slots) || slots.kind !== "elements" || !isList(slots.base))
    throw new SimulationError("OpenQASM cannot express which element of an array this uses.");
  const node = names.arrays.part(slots.base)?.node;
  if (!node) throw new SimulationError("OpenQASM cannot express which part of an array this uses.");
  const items = slots.indices.map(indices => indicesNode(indices, names));
  return node.kind === "index" ? indexNode(node.base, ...node.items, ...items) : indexNode(node, ...items);
}

/** Returns the content of the brackets of an index. */
export function indicesNode(
  indices: OperandIndices,
  names: CircuitNames,
  isSingle = isList(indices) ? indices.length === 1 : undefined,
): IndexNode {
  if (isList(indices)) return isSingle ? integerNode(indices[0]!) : setNode(indices.map(integerNode));
  switch (indices.kind) {
    case "values": {
      const [first, ...rest] = indices.values.map(value => syntaxOf(value, names));
      return rest.length === 0 ? first! : setNode([first!, ...rest]);
    }
    case "range": {
      const end = (part: Expression | null) => part && syntaxOf(part, names);
      return rangeNode(end(indices.start), end(indices.step), end(indices.stop));
    }
    case "within":
      return indicesNode(indices.indices, names, isSingle);
    default:
      throw new SimulationError("OpenQASM cannot express this index.");
  }
}

const castNode = (type: Type, operand: ExpressionNode): ExpressionNode =>
  expressionNode({ kind: "cast", type: typeNode(type), operand });

/** Returns the syntax of a constant, so it reads back with the same type and value. */
export function constantNode({ type, value }: Constant): ExpressionNode {
  switch (type.kind) {
    case "bool":
      return expressionNode({ kind: "boolean", value: Boolean(value) });
    case "float":
      return type.width === null ? realNode(value as number) : castNode(type, realNode(value as number));
    case "complex": {
      const { re, im } = value as Complex;
      const imaginary = expressionNode({ kind: "imaginary", value: Math.abs(im) });
      const operator = im < 0 || Object.is(im, -0) ? "-" : "+";
      const sum = expressionNode({ kind: "binary", operator, left: realNode(re), right: imaginary });
      return type.width === null ? sum : castNode(type, sum);
    }
    case "duration": {
      const nanoseconds = value as number;
      const node = expressionNode({ kind: "duration", value: Math.abs(nanoseconds), unit: "ns" });
      return nanoseconds < 0 ? negativeNode(node) : node;
    }
    case "bit":
      return type.width === null
        ? castNode(type, integerNode(value as bigint))
        : bitsNode(value as bigint, type.width);
    default: {
      const whole = value as bigint;
      const isExact = type.kind !== "angle" && Number.isSafeInteger(Number(whole));
      if (type.kind === "int" && type.width === null && isExact) return integerNode(whole);
      return castNode(type, isExact ? integerNode(whole) : bitsNode(whole, bitsOf(type)));
    }
  }
}

const bitsNode = (value: bigint, width: number): ExpressionNode =>
  expressionNode({ kind: "bits", text: BigInt.asUintN(width, value).toString(2).padStart(width, "0") });

function realNode(value: number): ExpressionNode {
  if (Number.isFinite(value)) return angleNode(value);
  throw new SimulationError(`OpenQASM has no number for ${value}.`);
}

export function setterNode(target: ExpressionNode, value: Expression, names: CircuitNames): StatementNode {
  if (value.kind !== "insert") return assignNode(target, syntaxOf(value, names));
  const positions = indicesNode(value.positions, names, value.bits.type.width === null);
  return assignNode(indexNode(target, positions), syntaxOf(value.bits, names));
}

/** Returns the assignments to an element of an array, or to several slots at once. */
export function fillNodes(
  { slots, values }: Statement & { kind: "fill" },
  names: CircuitNames,
): StatementNode[] {
  const [only, ...others] = values.kind === "values" ? values.values : [];
  if (only && others.length === 0) return [setterNode(elementNode(slots, only.type, names), only, names)];
  if (!isList(slots)) throw new SimulationError("OpenQASM cannot express which elements this sets.");
  const part = names.arrays.part(slots);
  if (part && values.kind === "slots" && isList(values.slots)) {
    const source = names.arrays.part(values.slots);
    if (source) return [assignNode(part.node, source.node)];
  }
  const typed = slots.map(slot => names.arrays.typeOf(slot));
  const items = valueNodes(values, typed, names);
  const read = slots.flatMap((slot, i) => (typed[i] ? { slot, type: typed[i], item: items[i]! } : []));
  const isKnown =
    values.kind === "constants" || (values.kind === "values" && values.values.every(isConstant));
  if (isKnown) return read.map(({ slot, type, item }) => assignNode(names.slot(slot, type), item));
  const kept = read.map(({ type, item }) => ({ item, copy: names.variable("t", type) }));
  return [
    ...kept.map(({ copy, item }) => assignNode(copy, item)),
    ...read.map(({ slot, type }, i) => assignNode(names.slot(slot, type), kept[i]!.copy)),
  ];
}

/** Returns the range of a loop, and the type of its variable. */
export function iterationNode(
  values: LoopValues,
  names: CircuitNames,
): { readonly type: Type; readonly over: IndexNode } {
  const node = (part: Expression | null) => part && syntaxOf(part, names);
  if (values.kind === "range")
    return { type: INT, over: rangeNode(node(values.start), node(values.step), node(values.stop)) };
  const { list } = values;
  if (list.kind === "bits") return { type: BIT, over: syntaxOf(list.operand, names) };
  const part = list.kind === "slots" && isList(list.slots) ? names.arrays.part(list.slots) : null;
  if (part) return { type: part.type, over: part.node };
  if (list.kind === "values")
    return { type: list.values[0]?.type ?? INT, over: setNode(valueNodes(list, [], names)) };
  throw new SimulationError("OpenQASM cannot express this loop's range.");
}

const isConstant = ({ value }: Expression): boolean => value !== undefined;

/** Returns the syntax of each of several values; constants have the types of what they are assigned to, from `first` on. */
function valueNodes(
  values: ValueList,
  types: readonly (Type | undefined)[],
  names: CircuitNames,
  first = 0,
): ExpressionNode[] {
  if (values.kind === "constants")
    return values.values.map((value, i) => constantNode(constant(types[first + i] ?? INT, value)));
  if (values.kind === "values") return values.values.map(value => syntaxOf(value, names));
  if (values.kind === "slots" && isList(values.slots))
    return values.slots.map((slot, i) => names.slot(slot, types[first + i] ?? INT));
  if (values.kind === "joined") {
    let from = first;
    return values.lists.flatMap(list => {
      const nodes = valueNodes(list, types, names, from);
      from += nodes.length;
      return nodes;
    });
  }
  throw new SimulationError("OpenQASM cannot express this list of values.");
}
