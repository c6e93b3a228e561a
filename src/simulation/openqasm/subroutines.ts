import type { Value } from "../circuit/memory.ts";
import type { ExpressionNode, StatementNode } from "./ast.ts";
import { Fault } from "./diagnostic.ts";
import { type Compiled, fault } from "./expressions.ts";
import type { Lowering } from "./lowering.ts";
import { knownPlaces } from "./places.ts";
import { type PlacesRef, Scope, type Subroutine } from "./scope.ts";
import type { Type } from "./types.ts";

interface Frame {
  readonly result: { slot: number; type: Type } | null;
  readonly returns: { target: number }[];
}

/** Lowers subroutines: the body of one is lowered anew at each of its calls, with its parameters bound. */
export class SubroutineLowering {
  readonly #lowering: Lowering;
  readonly #frames: Frame[] = [];
  readonly #active: Subroutine[] = [];

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  /** Declares a subroutine. */
  define(node: StatementNode & { kind: "def" }): void {
    const { expressions } = this.#lowering;
    if (expressions.context.scope.parent)
      throw fault(node.name, "Subroutines are defined outside of all blocks.");
    for (const { type } of node.params) if (type.name !== "qubit" && type.name !== "qreg") this.#type(type);
    if (node.result) this.#type(node.result);
    const { name, params, result, body } = node;
    this.#lowering.declare(name, {
      kind: "subroutine",
      subroutine: { name: name.name, params, result, body },
      isConst: true,
    });
  }

  /** Tells whether a call that looks like that of a gate is one of a subroutine. */
  has({ name, modifiers }: StatementNode & { kind: "call" }): boolean {
    const symbol = this.#lowering.expressions.context.scope.find(name.name);
    return modifiers.length === 0 && typeof symbol === "object" && symbol.kind === "subroutine";
  }

  /** Lowers a call and gives its result; null where no subroutine has that name. */
  call(node: ExpressionNode & { kind: "call" }): Compiled | null {
    const lowering = this.#lowering;
    const { builder, expressions } = lowering;
    const symbol = expressions.context.scope.find(node.name);
    if (typeof symbol !== "object" || symbol.kind !== "subroutine") return null;
    const { subroutine } = symbol;
    if (this.#active.includes(subroutine))
      throw fault(node, `${node.name} calls itself, which is not supported.`);
    if (node.args.length !== subroutine.params.length)
      throw fault(node, `${node.name} takes ${subroutine.params.length} arguments, not ${node.args.length}.`);
    if (builder.length > lowering.limits.maxOperations)
      throw new Fault(node.at, "The calls of subroutines expand to too many operations.", { isFatal: true });
    const outer = expressions.context.scope;
    let global = outer;
    while (global.parent) global = global.parent;
    const scope = new Scope(global, true);
    subroutine.params.forEach((param, i) => {
      const arg = node.args[i]!;
      if (param.type.name === "qubit" || param.type.name === "qreg") {
        scope.declare(param.name, { kind: "places", ref: this.#qubits(param.type.width, arg) });
        return;
      }
      const type = this.#type(param.type);
      const value = expressions.compileTo(arg, type);
      this.#within(scope, () => lowering.variable(param, type, value));
    });
    const type = subroutine.result && this.#type(subroutine.result);
    const frame: Frame = { result: type && { slot: lowering.slot(), type }, returns: [] };
    this.#frames.push(frame);
    this.#active.push(subroutine);
    try {
      builder.block(`${subroutine.name}(…)`, [], () =>
        lowering.loops.apart(() => lowering.body(subroutine.body, scope)),
      );
    } finally {
      this.#frames.pop();
      this.#active.pop();
    }
    const here = builder.here();
    for (const jump of frame.returns) jump.target = here;
    const { result } = frame;
    const nothing: Value = 0n;
    if (!result) return { type: { kind: "bit", width: null }, value: undefined, run: () => nothing };
    return { type: result.type, value: undefined, run: ({ slots }) => slots[result.slot]! };
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
      const { run } = expressions.compileTo(node.value, frame.result.type);
      builder.instruction({ kind: "assign", slot: frame.result.slot, value: run });
    }
    frame.returns.push(builder.instruction({ kind: "jump", target: 0 }));
  }

  #within(scope: Scope, work: () => void): void {
    const { context } = this.#lowering.expressions;
    const outer = context.scope;
    context.scope = scope;
    try {
      work();
    } finally {
      context.scope = outer;
    }
  }

  #type(node: Parameters<Lowering["expressions"]["type"]>[0]): Type {
    return this.#lowering.expressions.type(node.name === "creg" ? { ...node, name: "bit" } : node);
  }

  /** Binds an argument of qubits; places that are computed are computed once, before the call. */
  #qubits(width: ExpressionNode | null, arg: ExpressionNode): PlacesRef {
    const { builder, places, expressions } = this.#lowering;
    const ref = places.qubits(arg);
    const size = width ? expressions.constantInteger(width, "The size of a parameter") : 1;
    if (ref.width !== null && ref.width !== size)
      throw fault(arg, `${size} qubits are wanted here; these are ${ref.width}.`);
    if (ref.known) return knownPlaces("qubit", ref.known, !width);
    const slot = this.#lowering.slot();
    builder.instruction({ kind: "assign", slot, value: ref.run });
    return {
      kind: "qubit",
      known: null,
      run: ({ slots }) => slots[slot] as readonly number[],
      width: size,
      isSingle: !width,
    };
  }
}
