import type { Expression, OperandIndices } from "../../circuit/expression.ts";
import type { Gate } from "../../circuit/gate.ts";
import type { Value } from "../../circuit/memory.ts";
import type { Type } from "../../circuit/values/types.ts";
import type { NodeList, ParameterNode, TypeNode } from "../syntax/ast.ts";

/** Qubits or classical bits that a name or an index stands for. */
export interface RegisterRef {
  readonly kind: "qubit" | "bit";
  /** Their numbers, where they are known before the run. */
  readonly known: readonly number[] | null;
  readonly indices: OperandIndices;
  readonly width: number | null;
  readonly isSingle: boolean;
}

/** An array, or a part of one: the slots of its elements, those of the last dimension next to each other. */
export interface ArrayRef {
  readonly element: Type;
  /** Its sizes; none for a single element. */
  readonly sizes: readonly number[];
  readonly known: readonly number[] | null;
  readonly indices: OperandIndices;
  readonly isReadonly: boolean;
}

/** A subroutine, kept to be lowered at each of its calls. */
export interface Subroutine {
  readonly name: string;
  readonly params: readonly ParameterNode[];
  readonly result: TypeNode | null;
  readonly body: NodeList;
}

/** Meaning of a name. Gates and subroutines cannot see the program's `isLocal` symbols. */
export type ScopeEntry =
  | { readonly kind: "register"; readonly ref: RegisterRef; readonly isConst?: false }
  | { readonly kind: "variable"; readonly type: Type; readonly slot: number; readonly isConst?: false }
  | { readonly kind: "array"; readonly ref: ArrayRef; readonly isConst?: false }
  /** A value from outside, which may not change: a constant, or an input without a value. */
  | { readonly kind: "input"; readonly type: Type; readonly value: Expression; readonly isConst?: false }
  | {
      readonly kind: "extern";
      readonly params: readonly (Type | null)[];
      readonly result: Type | null;
      readonly isConst: true;
    }
  | { readonly kind: "constant"; readonly type: Type; readonly value: Value; readonly isConst: true }
  | { readonly kind: "gate"; readonly gate: Gate; readonly isConst: true }
  /** A gate of which nothing but the name is known. */
  | { readonly kind: "opaque"; readonly isConst: true }
  | { readonly kind: "subroutine"; readonly subroutine: Subroutine; readonly isConst: true }
  /** A name whose declaration is invalid; what uses it is not reported again. */
  | { readonly kind: "faulty"; readonly isConst: true };

/** The names that are visible at a place of the program. */
export class Scope {
  readonly parent: Scope | null;
  /** Whether only constants, gates and subroutines of the outer scopes are visible. */
  readonly isClosed: boolean;
  readonly #symbols = new Map<string, ScopeEntry>();

  constructor(parent: Scope | null, isClosed = false) {
    this.parent = parent;
    this.isClosed = isClosed;
  }

  /** Declares a name; returns false where this scope has it already. */
  declare(name: string, symbol: ScopeEntry): boolean {
    if (this.#symbols.has(name)) return false;
    this.#symbols.set(name, symbol);
    return true;
  }

  override(name: string, symbol: ScopeEntry): void {
    this.#symbols.set(name, symbol);
  }

  /** Finds what a name stands for; "hidden" is a variable of the program that a gate or subroutine cannot see. */
  find(name: string): ScopeEntry | "hidden" | undefined {
    let isHidden = false;
    for (let scope: Scope | null = this; scope; scope = scope.parent) {
      const symbol = scope.#symbols.get(name);
      if (symbol) return isHidden && !symbol.isConst ? "hidden" : symbol;
      isHidden ||= scope.isClosed;
    }
    return undefined;
  }

  /** Returns the meaning of a name if it is of a kind. */
  entry<K extends ScopeEntry["kind"]>(name: string, kind: K): (ScopeEntry & { kind: K }) | undefined {
    const symbol = this.find(name);
    const isOfKind = typeof symbol === "object" && symbol.kind === kind;
    return isOfKind ? (symbol as ScopeEntry & { kind: K }) : undefined;
  }

  names(...kinds: ScopeEntry["kind"][]): string[] {
    const own = [...this.#symbols].filter(([, symbol]) => kinds.includes(symbol.kind)).map(([name]) => name);
    return this.parent ? [...own, ...this.parent.names(...kinds)] : own;
  }
}
