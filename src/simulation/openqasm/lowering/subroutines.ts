import { CircuitBuilder } from "../../circuit/builder.ts";
import type { Expression } from "../../circuit/expression.ts";
import type { Statement } from "../../circuit/statement.ts";
import { BIT, type Type } from "../../circuit/values/types.ts";
import { errorAt } from "../diagnostics/diagnostic.ts";
import { resolveArray } from "../expressions/arrays.ts";
import { assigned, compileType } from "../expressions/compiled.ts";
import { Scope, type ScopeEntry, type Subroutine } from "../expressions/scope.ts";
import { armsOf, type ExpressionNode, type NodeList, type StatementNode } from "../syntax/ast.ts";
import type { ActiveCall, LoweringContext } from "./context.ts";
import { checkBoundArguments } from "./distinct-arguments.ts";
import { withinLoops } from "./loops.ts";
import { bindParameter, pretendParameter } from "./parameters.ts";
import { callsItself, isShareable, lowerSharedCall, startRecursion } from "./shared-bodies.ts";
import { takeSlots } from "./variables.ts";

type Call = ExpressionNode & { kind: "call" };

/** Weights of a call and an instruction, by their memory relative to an operation. */
const CALL_WEIGHT = 20;
const INSTRUCTION_WEIGHT = 5;
/** Statements that a message calls by their keyword. */
const COMPOUND: ReadonlySet<string> = new Set(["if", "switch", "while", "for"]);
const NO_SIZE = { own: CALL_WEIGHT, all: CALL_WEIGHT };

export function defineSubroutine(context: LoweringContext, node: StatementNode & { kind: "def" }): void {
  if (context.scope.parent) throw errorAt(node.name, "Subroutines are defined outside of all blocks.");
  const { name, params, result, body } = node;
  const seen = new Set<string>();
  for (const param of params) {
    if (seen.has(param.name)) throw errorAt(param, `${param.name} is declared twice.`);
    seen.add(param.name);
  }
  const subroutine = { name: name.name, params, result, body };
  checkSubroutine(context, subroutine, () =>
    context.declare(name, { kind: "subroutine", subroutine, isConst: true }),
  );
  const missing = result && missingReturn(body, context.subroutines.endless);
  if (!missing) return;
  if (!missing.node || !hasReturn(body))
    throw errorAt(
      name,
      `${name.name} is declared to return a value and never does.`,
      "Add `return …;` to its body, or leave out the `-> type` of its head.",
    );
  throw errorAt(
    missing.node,
    `${name.name} is declared to return a value, and ends without one after this ${COMPOUND.has(missing.node.kind) ? missing.node.kind : "statement"}${missing.reason}.`,
    "Add a `return …;` there.",
  );
}

/** Whether a call that looks like that of a gate is one of a subroutine. */
export function isSubroutineCall(
  context: LoweringContext,
  { name, modifiers }: StatementNode & { kind: "call" },
): boolean {
  const { scope } = context;
  const isCalled = scope.entry(name.name, "subroutine") ?? scope.entry(name.name, "extern");
  return modifiers.length === 0 && isCalled !== undefined;
}

/** Lowers a call and returns its result; null where no subroutine has that name. */
export function callSubroutine(context: LoweringContext, node: Call): Expression | null {
  const extern = context.scope.entry(node.name, "extern");
  if (extern) return callExtern(context, node, extern);
  const subroutine = context.scope.entry(node.name, "subroutine")?.subroutine;
  if (!subroutine) return null;
  if (node.args.length !== subroutine.params.length)
    throw errorAt(node, `${node.name} takes ${subroutine.params.length} arguments, not ${node.args.length}.`);
  countCall(context, node, subroutine);
  const type = subroutine.result && compileType(context, subroutine.result);
  const frame = context.subroutines.calls.find(active => active.subroutine === subroutine);
  if (frame && !context.subroutines.isChecking) {
    frame.recursion!.recur(node, frame.result);
    return resultOf(frame.recursion!.resultSlot, type);
  }
  const isRecursive = callsItself(subroutine);
  if (!context.subroutines.isChecking && !isRecursive && isShareable(context, subroutine, node.args)) {
    const call = { subroutine, node, label: labelOf(subroutine), type };
    const result = lowerSharedCall(context, call, (scope, slot) =>
      lowerBody(context, { subroutine, result: slot, recursion: null }, scope),
    );
    return result ?? resultOf(0, null);
  }
  const scope = new Scope(context.global, true);
  const result = type && { slot: takeSlots(context), type };
  const recursion = isRecursive && !context.subroutines.isChecking ? startRecursion(context) : null;
  const bound = subroutine.params.map((param, i) =>
    bindParameter(context, param, node.args[i]!, scope, isRecursive),
  );
  checkBoundArguments(
    context,
    node,
    subroutine.params.map(({ name }) => name),
    scope,
  );
  if (context.subroutines.isChecking) return resultOf(result?.slot ?? 0, type);
  recursion?.begin(bound.filter(each => each !== null));
  lowerSubroutine(context, { subroutine, result, recursion }, scope);
  return resultOf(result?.slot ?? 0, type);
}

/** Counts the body of a subroutine where it is called; what it calls itself is counted there. */
function countCall(context: LoweringContext, node: Call, subroutine: Subroutine): void {
  const { own, all } = context.subroutines.sizes.get(subroutine) ?? NO_SIZE;
  const what = () => `This call of ${node.name} expands to ${all.toLocaleString("en-US")} steps`;
  if (context.subroutines.isChecking) context.subroutines.called += all;
  else {
    context.expansion.check(all, node.at, what);
    context.expansion.add(own, node.at, what);
    context.checkLength(0, node.at);
  }
}

export function lowerReturn(context: LoweringContext, node: StatementNode & { kind: "return" }): void {
  const { builder } = context;
  const frame = context.subroutines.calls.at(-1);
  if (!frame) throw errorAt(node, "There is no subroutine around this return.");
  if (node.value && !frame.result)
    throw errorAt(node.value, "The subroutine is declared to return nothing.", "Add `-> type` to its head.");
  if (!node.value && frame.result) throw errorAt(node, "The subroutine is declared to return a value.");
  if (node.value && frame.result) {
    const value = assigned(context, node.value, frame.result.type);
    builder.add({ kind: "assign", slot: frame.result.slot, value });
  }
  builder.add({ kind: "return" });
}

function lowerSubroutine(context: LoweringContext, frame: ActiveCall, scope: Scope): void {
  const body = lowerBody(context, frame, scope);
  const kept = frame.recursion?.frame() ?? null;
  context.builder.add({ kind: "subroutine", label: labelOf(frame.subroutine), body, frame: kept });
}

function lowerBody(context: LoweringContext, frame: ActiveCall, scope: Scope): Statement[] {
  const { builder, subroutines } = context;
  subroutines.calls.push(frame);
  try {
    return builder.collect(() => withinLoops(context, 0, () => context.body(frame.subroutine.body, scope)));
  } finally {
    subroutines.calls.pop();
  }
}

/** Checks a body by lowering it to a temporary builder, to report errors even if nothing calls it; its head first. */
function checkSubroutine(context: LoweringContext, subroutine: Subroutine, declare: () => void): void {
  const { builder } = context;
  context.builder = new CircuitBuilder();
  context.subroutines.isChecking = true;
  try {
    const scope = new Scope(context.global, true);
    for (const param of subroutine.params) pretendParameter(context, param, scope);
    const type = subroutine.result && compileType(context, subroutine.result);
    declare();
    const result = type && { slot: takeSlots(context), type };
    context.subroutines.called = 0;
    context.expansion.uncounted(() =>
      lowerSubroutine(context, { subroutine, result, recursion: null }, scope),
    );
    const { length, operations } = context.builder;
    const own = CALL_WEIGHT + operations.length + INSTRUCTION_WEIGHT * (length - operations.length);
    context.subroutines.sizes.set(subroutine, { own, all: own + context.subroutines.called });
  } finally {
    context.subroutines.isChecking = false;
    context.builder = builder;
  }
}

function callExtern(
  context: LoweringContext,
  node: Call,
  { params, result }: ScopeEntry & { kind: "extern" },
): Expression {
  const { builder } = context;
  if (node.args.length !== params.length)
    throw errorAt(node, `${node.name} takes ${params.length} arguments, not ${node.args.length}.`);
  params.forEach((type, i) => {
    if (type) assigned(context, node.args[i]!, type);
    else resolveArray(context, node.args[i]!);
  });
  const slot = takeSlots(context);
  const { name, at } = node;
  builder.add({ kind: "assign", slot, value: { kind: "extern", type: result ?? BIT, name, at } });
  return resultOf(slot, result);
}

const labelOf = ({ name }: Subroutine): string => `${name}(…)`;

function resultOf(slot: number, type: Type | null): Expression {
  return type ? { kind: "slot", type, slot } : { kind: "void", type: BIT };
}

type Loops = Pick<ReadonlySet<number>, "has">;

/** Whether a body returns at all, wherever that is in it. */
function hasReturn(body: NodeList): boolean {
  return body.some(node => node.kind === "return" || branchesOf(node).some(hasReturn));
}

/**
 * Returns a path through a body that lacks a return; null if every path returns, ends the program or enters a loop that
 * is never left. `endless` has the loops with a constant condition that holds.
 */
function missingReturn(body: NodeList, endless: Loops): MissingReturn | null {
  let missing: MissingReturn | null = { node: null, reason: "" };
  for (const node of body) {
    missing = afterStatement(node, endless);
    if (!missing) return null;
  }
  return missing;
}

/** The last statement on a path without a return, null in an empty body, and the reason that the path is taken. */
interface MissingReturn {
  readonly node: StatementNode | null;
  readonly reason: string;
}

function afterStatement(node: StatementNode, endless: Loops): MissingReturn | null {
  const within = (body: NodeList, reason: string, of = node): MissingReturn | null => {
    const missing = missingReturn(body, endless);
    return missing && { node: missing.node ?? of, reason: missing.node ? missing.reason : reason };
  };
  switch (node.kind) {
    case "return":
    case "end":
      return null;
    case "block":
    case "box":
      return within(node.body, "");
    case "if": {
      const arms = armsOf(node);
      for (const arm of arms) {
        const missing = within(arm.body, " when its condition holds", arm);
        if (missing) return missing;
      }
      const last = arms.at(-1)!;
      const reason = " when its condition does not hold";
      return last.otherwise ? within(last.otherwise, reason, last) : { node: last, reason };
    }
    case "switch": {
      const inner = node.cases
        .map(({ body }) => within(body, " when a case without a return fits"))
        .find(Boolean);
      return inner ?? (node.cases.at(-1)?.labels ? { node, reason: " when none of its cases fits" } : null);
    }
    case "while":
      if (endless.has(node.at) && !hasBreak(node.body)) return null;
      return { node, reason: " when the loop ends" };
    case "for":
      return { node, reason: " when the loop ends" };
    default:
      return { node, reason: "" };
  }
}

function hasBreak(body: NodeList): boolean {
  return body.some(
    node =>
      node.kind === "break" ||
      (node.kind !== "while" && node.kind !== "for" && branchesOf(node).some(hasBreak)),
  );
}

function branchesOf(node: StatementNode): NodeList[] {
  if (node.kind === "if") {
    const arms = armsOf(node);
    return [...arms.map(({ body }) => body), arms.at(-1)!.otherwise ?? []];
  }
  if (node.kind === "switch") return node.cases.map(({ body }) => body);
  const isOpen = node.kind === "block" || node.kind === "box" || node.kind === "while" || node.kind === "for";
  return isOpen ? [node.body] : [];
}
