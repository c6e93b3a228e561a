import { CircuitBuilder } from "../../circuit/builder.ts";
import type { Expression } from "../../circuit/expression.ts";
import { BIT, type Type } from "../../circuit/values/types.ts";
import { fault } from "../expressions/compiled.ts";
import { Scope, type ScopeEntry, type Subroutine } from "../expressions/scope.ts";
import type { ExpressionNode, StatementNode, TypeNode } from "../syntax/ast.ts";
import type { Lowering } from "./lowering.ts";
import { ParameterBinding } from "./parameters.ts";
import { callsItself, type Recursion, startRecursion } from "./recursion.ts";
import { alwaysReturns, hasReturn } from "./returns.ts";

type Call = ExpressionNode & { kind: "call" };

/** What a call and an instruction count, by the memory that they take beside that of an operation. */
const CALL_WEIGHT = 20;
const INSTRUCTION_WEIGHT = 5;
const NO_SIZE = { own: CALL_WEIGHT, all: CALL_WEIGHT };

interface Frame {
  readonly subroutine: Subroutine;
  readonly result: { slot: number; type: Type } | null;
  readonly recursion: Recursion | null;
}

/** Lowers subroutines: the body of one is lowered anew at each of its calls, with its parameters bound. */
export class SubroutineLowering {
  readonly #lowering: Lowering;
  readonly #binding: ParameterBinding;
  readonly #frames: Frame[] = [];
  #isChecking = false;
  /** What a body counts, without and with the bodies of the subroutines that it calls. */
  readonly #sizes = new WeakMap<Subroutine, { readonly own: number; readonly all: number }>();
  /** What the calls count in the body that is checked. */
  #called = 0;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
    this.#binding = new ParameterBinding(lowering);
  }

  /** Declares a subroutine and checks its body. */
  define(node: StatementNode & { kind: "def" }): void {
    const { expressions } = this.#lowering;
    if (expressions.context.scope.parent)
      throw fault(node.name, "Subroutines are defined outside of all blocks.");
    const { name, params, result, body } = node;
    const seen = new Set<string>();
    for (const param of params) {
      if (seen.has(param.name)) throw fault(param, `${param.name} is declared twice.`);
      seen.add(param.name);
      this.#binding.check(param);
    }
    if (result) this.#type(result);
    const subroutine = { name: name.name, params, result, body };
    this.#lowering.declare(name, { kind: "subroutine", subroutine, isConst: true });
    this.#check(subroutine);
    if (!result || alwaysReturns(body)) return;
    if (!hasReturn(body))
      throw fault(
        name,
        `${name.name} is declared to return a value and never does.`,
        "Add `return …;` to its body, or leave out the `-> type` of its head.",
      );
    this.#lowering.note(name, `A way through ${name.name} ends without a return; its value is zero there.`);
  }

  /** Tells whether a call that looks like that of a gate is one of a subroutine. */
  has({ name, modifiers }: StatementNode & { kind: "call" }): boolean {
    const symbol = this.#lowering.expressions.context.scope.find(name.name);
    return (
      modifiers.length === 0 &&
      typeof symbol === "object" &&
      (symbol.kind === "subroutine" || symbol.kind === "extern")
    );
  }

  /** Lowers a call and gives its result; null where no subroutine has that name. */
  call(node: Call): Expression | null {
    const lowering = this.#lowering;
    const { expressions } = lowering;
    const symbol = expressions.context.scope.find(node.name);
    if (typeof symbol !== "object") return null;
    if (symbol.kind === "extern") return this.#callExtern(node, symbol);
    if (symbol.kind !== "subroutine") return null;
    const { subroutine } = symbol;
    if (node.args.length !== subroutine.params.length)
      throw fault(node, `${node.name} takes ${subroutine.params.length} arguments, not ${node.args.length}.`);
    this.#count(node, subroutine);
    const type = subroutine.result && this.#type(subroutine.result);
    const frame = this.#frames.find(active => active.subroutine === subroutine);
    if (frame && !this.#isChecking) {
      frame.recursion!.recur(node, frame.result);
      return this.#result(frame.recursion!.resultSlot, type);
    }
    const scope = new Scope(lowering.global, true);
    const isRecursive = callsItself(subroutine);
    const result = type && { slot: lowering.variables.slot(), type };
    const recursion = isRecursive && !this.#isChecking ? startRecursion(lowering) : null;
    const setters = subroutine.params.map((param, i) =>
      this.#binding.bind(param, node.args[i]!, scope, isRecursive),
    );
    if (this.#isChecking) return this.#result(result?.slot ?? 0, type);
    recursion?.begin(setters);
    this.#body({ subroutine, result, recursion }, scope);
    return this.#result(result?.slot ?? 0, type);
  }

  /** Counts the body of a subroutine where it is called; what it calls in turn is counted there. */
  #count(node: Call, subroutine: Subroutine): void {
    const { own, all } = this.#sizes.get(subroutine) ?? NO_SIZE;
    const what = () => `This call of ${node.name} expands to ${all.toLocaleString("en-US")} steps`;
    if (this.#isChecking) this.#called += all;
    else {
      this.#lowering.expansion.check(all, node.at, what);
      this.#lowering.expansion.add(own, node.at, what);
      this.#lowering.checkLength(0, node.at);
    }
  }

  /** Lowers a return. */
  return(node: StatementNode & { kind: "return" }): void {
    const { builder, expressions } = this.#lowering;
    const frame = this.#frames.at(-1);
    if (!frame) throw fault(node, "There is no subroutine around this return.");
    if (node.value && !frame.result)
      throw fault(node.value, "The subroutine is declared to return nothing.", "Add `-> type` to its head.");
    if (!node.value && frame.result) throw fault(node, "The subroutine is declared to return a value.");
    if (node.value && frame.result) {
      const value = expressions.assigned(node.value, frame.result.type);
      builder.add({ kind: "assign", slot: frame.result.slot, value });
    }
    builder.add({ kind: "return" });
  }

  #body(frame: Frame, scope: Scope): void {
    const { builder, loops } = this.#lowering;
    const { name, body } = frame.subroutine;
    this.#frames.push(frame);
    try {
      const lowered = builder.collect(() => loops.apart(() => this.#lowering.body(body, scope)));
      const kept = frame.recursion?.frame() ?? null;
      builder.add({ kind: "subroutine", label: `${name}(…)`, body: lowered, frame: kept });
    } finally {
      this.#frames.pop();
    }
  }

  /** Lowers a body apart from the program, so that what is wrong with it is found even where nothing calls it. */
  #check(subroutine: Subroutine): void {
    const lowering = this.#lowering;
    const { builder } = lowering;
    lowering.builder = new CircuitBuilder();
    this.#isChecking = true;
    try {
      const scope = new Scope(lowering.global, true);
      for (const param of subroutine.params) this.#binding.pretend(param, scope);
      const type = subroutine.result && this.#type(subroutine.result);
      const result = type && { slot: lowering.variables.slot(), type };
      this.#called = 0;
      lowering.expansion.uncounted(() => this.#body({ subroutine, result, recursion: null }, scope));
      const { length, operations } = lowering.builder;
      const own = CALL_WEIGHT + operations.length + INSTRUCTION_WEIGHT * (length - operations.length);
      this.#sizes.set(subroutine, { own, all: own + this.#called });
    } finally {
      this.#isChecking = false;
      lowering.builder = builder;
    }
  }

  #callExtern(node: Call, { params, result }: ScopeEntry & { kind: "extern" }): Expression {
    const { expressions, builder } = this.#lowering;
    if (node.args.length !== params.length)
      throw fault(node, `${node.name} takes ${params.length} arguments, not ${node.args.length}.`);
    params.forEach((type, i) => {
      if (type) expressions.assigned(node.args[i]!, type);
      else expressions.arrays.resolve(node.args[i]!);
    });
    const slot = this.#lowering.variables.slot();
    const { name, at } = node;
    builder.add({ kind: "assign", slot, value: { kind: "extern", type: result ?? BIT, name, at } });
    return this.#result(slot, result);
  }

  #result(slot: number, type: Type | null): Expression {
    return type ? { kind: "slot", type, slot } : { kind: "void", type: BIT };
  }

  #type(node: TypeNode): Type {
    return this.#lowering.expressions.type(node);
  }
}
