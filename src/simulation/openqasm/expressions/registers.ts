import { type Expression, knownIndices, type OperandIndices } from "../../circuit/expression.ts";
import { MAX_SLICE, membersAt, outOfRange, rangeWithin } from "../../circuit/indexing.ts";
import { remembered } from "../../memoized.ts";
import { errorAt, rangeErrorsAt } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/nearest-name.ts";
import type { ExpressionNode, IndexNode, RangeNode } from "../syntax/ast.ts";
import { declaredAs, wholeNumber } from "./compiled.ts";
import type { ExpressionContext } from "./context.ts";
import type { RegisterRef } from "./scope.ts";

const EMPTY_HINT = "Both ends of a range are part of it; one that runs down has a step, as in `3:-1:0`.";

/** Makes a reference to qubits or bits that are known before the run. */
export function knownRegister(
  kind: RegisterRef["kind"],
  known: readonly number[],
  isSingle = false,
): RegisterRef {
  return { kind, known, indices: known, width: known.length, isSingle };
}

const references = new WeakMap<RegisterRef, Map<number, RegisterRef>>();

/** Whether an expression names qubits or classical bits. */
export function isRegister(context: ExpressionContext, node: ExpressionNode): boolean {
  if (node.kind === "index") return isRegister(context, node.base);
  if (node.kind === "concatenation") return node.parts.every(part => isRegister(context, part));
  if (node.kind === "hardware") return true;
  return node.kind === "name" && context.scope.entry(node.name, "register") !== undefined;
}

export function resolveQubits(context: ExpressionContext, node: ExpressionNode): RegisterRef {
  const ref = resolveRegister(context, node, "qubit");
  if (ref.kind !== "qubit") throw errorAt(node, "These are classical bits; qubits are needed here.");
  return ref;
}

export function resolveBits(context: ExpressionContext, node: ExpressionNode): RegisterRef {
  const ref = resolveRegister(context, node, "bit");
  if (ref.kind !== "bit") throw errorAt(node, "These are qubits; classical bits are needed here.");
  return ref;
}

/** Finds the qubits or bits that an expression stands for; a missing one is said to be of the kind that is needed. */
export function resolveRegister(
  context: ExpressionContext,
  node: ExpressionNode,
  kind?: RegisterRef["kind"],
): RegisterRef {
  switch (node.kind) {
    case "name": {
      const { name } = node;
      const declaration = kind && `Declare it first: \`${kind}[n] ${name};\`.`;
      const symbol = declaredAs(
        context,
        node,
        () => didYouMean(name, context.scope.names("register")) ?? declaration,
      );
      if (symbol.kind !== "register") throw errorAt(node, `${name} is a ${symbol.kind}, not a register.`);
      return symbol.ref;
    }
    case "hardware":
      return context.hardwareQubit(node.index, node);
    case "index": {
      if (node.items.length > 1)
        throw errorAt(node, "A register has one index.", "Write a set, as in `q[{0, 2}]`, for several.");
      return indexed(context, resolveRegister(context, node.base, kind), node.items[0]!, node);
    }
    case "concatenation": {
      const parts = node.parts.map(part => resolveRegister(context, part, kind));
      if (parts.some(part => part.kind !== parts[0]!.kind))
        throw errorAt(node, "Qubits and classical bits cannot be joined.");
      const least = parts.reduce((sum, { width }) => sum + (width ?? 0), 0);
      if (least > MAX_SLICE)
        throw errorAt(node, `These are more than ${MAX_SLICE.toLocaleString("en-US")} ${parts[0]!.kind}s.`);
      context.countMembers(least, node.at);
      const indices: OperandIndices = parts.every(part => part.known)
        ? parts.flatMap(part => part.known!)
        : { kind: "joined", parts: parts.map(part => part.indices), at: node.at };
      const known = knownIndices(indices);
      if (known && new Set(known).size < known.length)
        throw errorAt(node, `A ${parts[0]!.kind} is joined with itself.`, "Each one can be named once.");
      return {
        kind: parts[0]!.kind,
        known,
        indices,
        width: parts.every(({ width }) => width !== null) ? least : null,
        isSingle: false,
      };
    }
    default:
      throw errorAt(node, "A register, or a part of one, is needed here.");
  }
}

/** Returns the reference to one place of a register, made once. */
function single(base: RegisterRef, place: number): RegisterRef {
  const singles = remembered(references, base, () => new Map());
  return remembered(singles, place, () => knownRegister(base.kind, [place], true));
}

function indexed(
  context: ExpressionContext,
  base: RegisterRef,
  item: IndexNode,
  node: ExpressionNode & { kind: "index" },
): RegisterRef {
  if (base.isSingle) throw errorAt(node, `A single ${base.kind} has no index.`, "Leave the brackets out.");
  const plain = item.kind === "integer" && base.known ? base.known[Number(item.value)] : undefined;
  if (plain !== undefined) return single(base, plain);
  const name = node.base.kind === "name" ? node.base.name : "the register";
  const { known, indices } = compileIndices(context, item, base.width);
  const isSingle = item.kind !== "range" && item.kind !== "set";
  if (known) {
    if (known.length === 0) throw errorAt(item, `This selects no ${base.kind}.`, EMPTY_HINT);
    if (!isSingle) context.countMembers(known.length, item.at);
    const outer = known.find(index => base.width !== null && (index >= base.width || index < -base.width));
    if (outer !== undefined) throw errorAt(item, outOfRange(outer, base.width!, name, base.kind));
    if (base.known)
      return knownRegister(base.kind, membersAt(base.known, known, { name, of: base.kind }), isSingle);
  }
  return {
    kind: base.kind,
    known: null,
    indices: { kind: "members", base: base.indices, indices, name, of: base.kind, at: item.at },
    width: isSingle ? 1 : (known?.length ?? null),
    isSingle,
  };
}

/** Compiles what stands between the brackets of an index, or after the `in` of a loop, to a list of whole numbers. */
export function compileIndices(
  context: ExpressionContext,
  item: IndexNode,
  size: number | null,
): { known: readonly number[] | null; indices: OperandIndices } {
  const number = (node: ExpressionNode) => wholeNumber(context, node);
  if (item.kind === "range") return range(context, item, size);
  const values = item.kind === "set" ? item.items.map(number) : [number(item)];
  const known = values.every(({ value }) => value !== undefined)
    ? values.map(({ value }) => Number(value))
    : null;
  return { known, indices: known ?? { kind: "values", values } };
}

function range(
  context: ExpressionContext,
  node: RangeNode,
  size: number | null,
): { known: readonly number[] | null; indices: OperandIndices } {
  const [start, step, stop] = [node.start, node.step, node.stop].map(
    part => part && wholeNumber(context, part),
  ) as [Expression | null, Expression | null, Expression | null];
  if ([start, step, stop].some(end => end && end.value === undefined))
    return { known: null, indices: { kind: "range", start, step, stop, size } };
  const number = (end: Expression | null) => (end ? Number(end.value) : undefined);
  const known = rangeErrorsAt(node, () => rangeWithin(number(start), number(step), number(stop), size));
  return { known, indices: known };
}
