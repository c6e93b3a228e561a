import type { Expression } from "../../circuit/expression.ts";
import type { Statement } from "../../circuit/statement.ts";
import type { Type } from "../../circuit/values/types.ts";
import { memoized, remembered } from "../../memoized.ts";
import { Scope, type Subroutine } from "../expressions/scope.ts";
import { type ExpressionNode, mentions, someNode } from "../syntax/ast.ts";
import type { Argument, BoundParameter, LoweringContext, Recursion, ResultSlot } from "./context.ts";
import { checkComputed, checkDistinctQubits } from "./distinct-arguments.ts";
import { compileArgument, declareParameter } from "./parameters.ts";
import { memoryOf, takeSlots, takeTemporary } from "./variables.ts";

/** Whether a call may share its body: arrays are bound by their places, and calls among the arguments run in their order. */
export function isShareable(
  context: LoweringContext,
  { params }: Subroutine,
  args: readonly ExpressionNode[],
): boolean {
  return (
    !params.some(({ type }) => type.array) && !args.slice(1).some(arg => callsSubroutine(context.scope, arg))
  );
}

/** Lowers a call to the body that calls with the same qubits share, and returns its result; `lower` lowers that body. */
export function lowerSharedCall(
  context: LoweringContext,
  { subroutine, node, label, type }: SharedCall,
  lower: (scope: Scope, result: ResultSlot | null) => readonly Statement[],
): Expression | null {
  const { builder } = context;
  const given = subroutine.params.map((param, i) => compileArgument(context, param, node.args[i]!));
  const qubits = given.map(arg => (arg.kind === "qubit" ? arg : null));
  const key = keyOf(builder.numQubits, given);
  const bodies = remembered(context.subroutines.bodies, subroutine, () => new Map());
  const known = bodies.get(key);
  let shared = known;
  if (!shared) {
    const result = type && { slot: takeSlots(context), type };
    const [slot, bit] = [builder.numSlots, builder.numBits];
    const scope = new Scope(context.global, true);
    const setters = subroutine.params.map((param, i) => declareParameter(context, param, given[i]!, scope));
    const body = lower(scope, result);
    const memory = { slots: [slot, builder.numSlots], bits: [bit, builder.numBits] } as const;
    shared = {
      ...{ setters, body, memory },
      result: result && { kind: "slot", ...result },
      resultMemory: result && memoryOf(context, result.slot),
    };
    bodies.set(key, shared);
  }
  const { setters, result, resultMemory, memory } = shared;
  const body = known ? builder.repeat(known.body) : shared.body;
  const copy = result && !isLastCall(context, node) ? takeTemporary(context, result.type) : null;
  if (resultMemory) context.temporaries.hold(resultMemory);
  const { range } = builder;
  const call = builder.collect(() => {
    builder.range = undefined;
    checkDistinctQubits(context, node, qubits);
    given.forEach((argument, i) => {
      setters[i]!(argument);
    });
    builder.add({ kind: "subroutine", label, body, frame: null, range });
    if (copy !== null) builder.add({ kind: "assign", slot: copy, value: result! });
  });
  const isWithoutMemory = [memory.slots, memory.bits].every(([start, end]) => start === end);
  if (!isWithoutMemory) builder.add({ kind: "scope", memory, body: call });
  else for (const statement of call) builder.add(statement);
  return copy === null ? result : { kind: "slot", type: result!.type, slot: copy };
}

/** Whether a call is all that a statement assigns or returns, so nothing else is called before its result is read. */
function isLastCall({ statementNode, scope }: LoweringContext, node: ExpressionNode): boolean {
  if (!statementNode || !("value" in statementNode) || statementNode.value !== node) return false;
  return statementNode.kind !== "assign" || !callsSubroutine(scope, statementNode.target);
}

/** A call of a subroutine; `type` is that of its result. */
interface SharedCall {
  readonly subroutine: Subroutine;
  readonly node: ExpressionNode & { kind: "call" };
  readonly label: string;
  readonly type: Type | null;
}

/** Returns the key of calls that share a body: their known qubits, and those of a barrier of all. */
const keyOf = (numQubits: number, args: readonly Argument[]): string =>
  [numQubits, ...args.map(arg => (arg.kind === "qubit" ? (arg.known?.join() ?? "computed") : ""))].join(" ");

const callsSubroutine = (scope: Scope, tree: unknown): boolean =>
  someNode(tree, node => {
    const { kind, name } = node as Partial<ExpressionNode & { kind: "call" }>;
    return kind === "call" && scope.entry(name!, "subroutine") !== undefined;
  });

/** Prepares a subroutine that calls itself, before its parameters are bound. */
export function startRecursion(context: LoweringContext): Recursion {
  const { builder } = context;
  const stack = takeSlots(context);
  const [firstSlot, firstBit] = [builder.numSlots, builder.numBits];
  let bound: readonly BoundParameter[] = [];
  let resultSlot = 0;
  return {
    get resultSlot() {
      return resultSlot;
    },
    begin(params) {
      bound = params;
    },
    recur({ name, args, at, end }, result) {
      const slots = bound.map(({ param }, i) => {
        const slot = takeSlots(context);
        const value = compileArgument(context, param, args[i]!);
        if (value.kind === "qubit") builder.add({ kind: "resolve", slot, indices: value.indices });
        else builder.add({ kind: "assign", slot, value });
        return slot;
      });
      const further = bound.map(({ given }, i): Argument => {
        const place = { kind: "slot", slot: slots[i]! } as const;
        return given.kind === "qubit" ? { ...given, indices: place } : { ...place, type: given.type };
      });
      checkComputed(
        context,
        { name, at },
        further.filter(argument => argument.kind === "qubit"),
      );
      const set = builder.collect(() => {
        bound.forEach((parameter, i) => {
          parameter.set(further[i]!);
        });
      });
      builder.add({ kind: "recurse", name, stack, set, range: [at, end] });
      resultSlot = takeSlots(context);
      if (!result) return;
      const value: Expression = { kind: "slot", ...result };
      builder.add({ kind: "assign", slot: resultSlot, value });
    },
    frame: () => ({
      stack,
      memory: { slots: [firstSlot, builder.numSlots], bits: [firstBit, builder.numBits] },
    }),
  };
}

export const callsItself = memoized(({ body, name }: Subroutine): boolean => mentions(body, name));
