import { constant, type Expression, isList, type ValueList } from "../../circuit/expression.ts";
import type { LoopValues, Statement } from "../../circuit/statement.ts";
import { BIT, INT, type Type } from "../../circuit/values/types.ts";
import { SimulationError } from "../../errors.ts";
import type { ExpressionNode, IndexNode, StatementNode } from "../syntax/ast.ts";
import { constantNode, elementNode, indicesNode, syntaxOf } from "./circuit-expressions.ts";
import type { CircuitNames } from "./circuit-names.ts";
import { assignNode, indexNode, rangeNode, setNode } from "./syntax-nodes.ts";

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
