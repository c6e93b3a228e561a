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
import { BIT, bitsOf, INT, type Type, typeName } from "../../circuit/values/types.ts";
import { SimulationError } from "../../errors.ts";
import { type CircuitNames, partText } from "./circuit-names.ts";
import {
  angle,
  atom,
  binary,
  called,
  concatenated,
  duration,
  type ExpressionText,
  float,
  indexed,
  integer,
  unary,
} from "./expression-text.ts";

/**
 * Writes an expression; `slotName` names its slots, by default as the circuit's. Throws a SimulationError for one that
 * OpenQASM cannot express.
 */
export function expressionText(
  node: Expression,
  names: CircuitNames,
  slotName = (slot: number, type: Type) => names.slot(slot, type),
): ExpressionText {
  const inner = (operand: Expression) => expressionText(operand, names, slotName);
  switch (node.kind) {
    case "constant":
      return constantText(node);
    case "slot":
      return atom(slotName(node.slot, node.type));
    case "bits":
      return operandText("bit", node.bits, names, node.type.width === null);
    case "element":
      return atom(elementText(node.slots, node.type, names));
    case "extract":
      return indexed(inner(node.operand), indicesText(node.positions, names, node.type.width === null));
    case "unary":
      return unary(node.operator, inner(node.operand));
    case "binary":
      return binary(inner(node.left), node.operator, inner(node.right));
    case "chain":
      return node.steps.reduce(
        (left, { operator, operand }) => binary(left, operator, inner(operand)),
        inner(node.first),
      );
    case "cast": {
      const { type, operand } = node;
      const isSame = type.kind === operand.type.kind && type.width === operand.type.width;
      return isSame || node.conversion === "argument" ? inner(operand) : cast(type, inner(operand));
    }
    case "call":
      return called(node.name, node.args.map(inner));
    case "concatenation":
      return concatenated(node.parts.map(part => inner(part).text));
    case "lookup": {
      const items = node.table.map(value => constantText(constant(node.type, value)).text);
      return indexed(atom(names.table(node.type, items)), inner(node.index).text);
    }
    case "input":
      return atom(node.name);
    default:
      throw new SimulationError(
        `OpenQASM has no statement for what the program computes here (${node.kind}).`,
      );
  }
}

/** Writes qubits or bits; a single one is written without a slice. */
function operandText(
  kind: "qubit" | "bit",
  indices: OperandIndices,
  names: CircuitNames,
  isSingle = isList(indices) && indices.length === 1,
): ExpressionText {
  if (isList(indices)) return atom(isSingle ? names.one(kind, indices[0]!) : names.several(kind, indices));
  switch (indices.kind) {
    case "slot":
      return atom(names.nameOf(indices.slot));
    case "members":
      return indexed(operandText(kind, indices.base, names, false), indicesText(indices.indices, names));
    case "joined":
      return concatenated(indices.parts.map(part => operandText(kind, part, names).text));
    default:
      throw new SimulationError(`OpenQASM cannot express which ${kind}s this uses.`);
  }
}

export const operandOf = (...operand: Parameters<typeof operandText>): string => operandText(...operand).text;

function elementText(slots: OperandIndices, type: Type, names: CircuitNames): string {
  if (isList(slots) && slots.length === 1) return names.slot(slots[0]!, type);
  if (isList(slots) || slots.kind !== "elements" || !isList(slots.base))
    throw new SimulationError("OpenQASM cannot express which element of an array this uses.");
  const part = names.arrays.part(slots.base);
  if (!part) throw new SimulationError("OpenQASM cannot express which part of an array this uses.");
  return partText(
    part,
    slots.indices.map(indices => indicesText(indices, names)),
  );
}

/** Writes the content of the brackets of an index. */
function indicesText(
  indices: OperandIndices,
  names: CircuitNames,
  isSingle = isList(indices) ? indices.length === 1 : undefined,
): string {
  if (isList(indices)) return isSingle ? String(indices[0]) : `{${indices.join(", ")}}`;
  switch (indices.kind) {
    case "values": {
      const values = indices.values.map(value => expressionText(value, names).text);
      return values.length === 1 ? values[0]! : `{${values.join(", ")}}`;
    }
    case "range":
      return rangeText(indices, names);
    case "within":
      return indicesText(indices.indices, names, isSingle);
    default:
      throw new SimulationError("OpenQASM cannot express this index.");
  }
}

function rangeText(
  { start, step, stop }: Readonly<Record<"start" | "step" | "stop", Expression | null>>,
  names: CircuitNames,
): string {
  const end = (part: Expression | null) => (part ? expressionText(part, names).text : "");
  return `${end(start)}:${step ? `${end(step)}:` : ""}${end(stop)}`;
}

const cast = (type: Type, operand: ExpressionText): ExpressionText => called(typeName(type), [operand]);

/** Writes a constant, so it reads back with the same type and value. */
function constantText({ type, value }: Constant): ExpressionText {
  switch (type.kind) {
    case "bool":
      return atom(String(Boolean(value)));
    case "float":
      return type.width === null ? realText(value as number) : cast(type, realText(value as number));
    case "complex": {
      const { re, im } = value as Complex;
      const operator = im < 0 || Object.is(im, -0) ? "-" : "+";
      const sum = binary(realText(re), operator, atom(`${float(Math.abs(im)).text}im`));
      return type.width === null ? sum : cast(type, sum);
    }
    case "duration":
      return duration(value as number);
    case "bit":
      return type.width === null
        ? cast(type, integer(value as bigint))
        : bitsText(value as bigint, type.width);
    default: {
      const whole = value as bigint;
      const isExact = type.kind !== "angle" && Number.isSafeInteger(Number(whole));
      if (type.kind === "int" && type.width === null && isExact) return integer(whole);
      return cast(type, isExact ? integer(whole) : bitsText(whole, bitsOf(type)));
    }
  }
}

const bitsText = (value: bigint, width: number): ExpressionText =>
  atom(`"${BigInt.asUintN(width, value).toString(2).padStart(width, "0")}"`);

function realText(value: number): ExpressionText {
  if (Number.isFinite(value)) return angle(value);
  throw new SimulationError(`OpenQASM has no number for ${value}.`);
}

/** Writes the assignment of a value to a target. */
export function assignment(target: string, value: Expression, names: CircuitNames): string {
  if (value.kind !== "insert") return `${target} = ${expressionText(value, names).text};`;
  const positions = indicesText(value.positions, names, value.bits.type.width === null);
  return `${target}[${positions}] = ${expressionText(value.bits, names).text};`;
}

/** Writes the assignments to an element of an array, or to several slots at once. */
export function fills({ slots, values }: Statement & { kind: "fill" }, names: CircuitNames): string[] {
  const [only, ...others] = values.kind === "values" ? values.values : [];
  if (only && others.length === 0) return [assignment(elementText(slots, only.type, names), only, names)];
  if (!isList(slots)) throw new SimulationError("OpenQASM cannot express which elements this sets.");
  const part = names.arrays.part(slots);
  if (part && values.kind === "slots" && isList(values.slots)) {
    const source = names.arrays.part(values.slots);
    if (source) return [`${partText(part)} = ${partText(source)};`];
  }
  const typed = slots.map(slot => names.arrays.typeOf(slot));
  const items = valueTexts(values, typed, names);
  const read = slots.flatMap((slot, i) => (typed[i] ? { slot, type: typed[i], item: items[i]! } : []));
  const isKnown =
    values.kind === "constants" || (values.kind === "values" && values.values.every(isConstant));
  if (isKnown) return read.map(({ slot, type, item }) => `${names.slot(slot, type)} = ${item};`);
  const kept = read.map(({ type, item }) => ({ item, copy: names.variable("t", type) }));
  return [
    ...kept.map(({ copy, item }) => `${copy} = ${item};`),
    ...read.map(({ slot, type }, i) => `${names.slot(slot, type)} = ${kept[i]!.copy};`),
  ];
}

/** Returns what a loop runs over, and the type of its variable. */
export function iterationOf(
  values: LoopValues,
  names: CircuitNames,
): { readonly type: Type; readonly over: string } {
  if (values.kind === "range") return { type: INT, over: `[${rangeText(values, names)}]` };
  const { list } = values;
  if (list.kind === "bits") return { type: BIT, over: expressionText(list.operand, names).text };
  const part = list.kind === "slots" && isList(list.slots) ? names.arrays.part(list.slots) : null;
  if (part) return { type: part.type, over: partText(part) };
  if (list.kind === "values")
    return { type: list.values[0]?.type ?? INT, over: `{${valueTexts(list, [], names).join(", ")}}` };
  throw new SimulationError("OpenQASM cannot express this loop's range.");
}

const isConstant = ({ value }: Expression): boolean => value !== undefined;

/** Writes each of several values; constants have the types of what they are assigned to, from `first` on. */
function valueTexts(
  values: ValueList,
  types: readonly (Type | undefined)[],
  names: CircuitNames,
  first = 0,
): string[] {
  const typeAt = (i: number) => types[first + i] ?? INT;
  if (values.kind === "constants")
    return values.values.map((value, i) => constantText(constant(typeAt(i), value)).text);
  if (values.kind === "values") return values.values.map(value => expressionText(value, names).text);
  if (values.kind === "slots" && isList(values.slots))
    return values.slots.map((slot, i) => names.slot(slot, typeAt(i)));
  if (values.kind === "joined") {
    let from = first;
    return values.lists.flatMap(list => {
      const texts = valueTexts(list, types, names, from);
      from += texts.length;
      return texts;
    });
  }
  throw new SimulationError("OpenQASM cannot express this list of values.");
}
