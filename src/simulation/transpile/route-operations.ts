import { unitaryOf } from "../circuit/unitary.ts";
import type { Layout } from "./layout.ts";
import type { Operation, StatementOperation } from "./operation.ts";
import { restoreLayout } from "./restore-layout.ts";
import { type RoutingProblem, routingProblem } from "./routing-problem.ts";
import { route } from "./sabre.ts";
import { nativeGate, type Target } from "./target.ts";

/** Enclosing context of nested statements. */
interface Surroundings {
  /** The layout in which the loop, and the subroutine, around them begin and end. */
  readonly loop: Layout | null;
  readonly subroutine: Layout | null;
}

export const SWAP_MATRIX = unitaryOf(nativeGate("swap"), []);

/**
 * Returns operations on physical qubits, with swaps where they are needed. A loop, and each way through a branch, ends in
 * the layout in which it begins. Changes the layout to the one at the end.
 */
export function routeOperations(
  problem: RoutingProblem,
  layout: Layout,
  numUsed: number,
  target: Target,
  random: () => number,
): Operation[] {
  const around = { loop: null, subroutine: null };
  return new OperationRouter(layout, numUsed, target, random, around).route(problem);
}

class OperationRouter {
  readonly #layout: Layout;
  readonly #numUsed: number;
  readonly #target: Target;
  readonly #random: () => number;
  readonly #around: Surroundings;
  readonly #out: Operation[] = [];
  readonly swaps: (readonly [number, number])[] = [];

  constructor(layout: Layout, numUsed: number, target: Target, random: () => number, around: Surroundings) {
    this.#layout = layout;
    this.#numUsed = numUsed;
    this.#target = target;
    this.#random = random;
    this.#around = around;
  }

  route(problem: RoutingProblem): Operation[] {
    route(problem, this.#layout, this.#target, this.#random, {
      operation: operation => this.#operation(operation),
      swap: (a, b) => this.#swap(a, b),
    });
    return this.#out;
  }

  /** Adds swaps that bring back a layout. */
  restore(wanted: Layout): void {
    for (const [a, b] of restoreLayout(this.#layout, wanted, this.#numUsed, this.#target, this.swaps))
      this.#swap(a, b);
  }

  #swap(a: number, b: number): void {
    this.swaps.push([a, b]);
    this.#out.push({ kind: "two-qubit", qubits: [a, b], matrix: SWAP_MATRIX, name: "swap" });
  }

  #operation(operation: Operation): void {
    const qubits = operation.qubits.map(qubit => this.#layout.toPhysical[qubit]!);
    if (operation.kind === "statement") this.#statement(operation, qubits);
    else this.#out.push({ ...operation, qubits } as Operation);
  }

  #statement(operation: StatementOperation, qubits: readonly number[]): void {
    const { kind } = operation.statement;
    const jumpsTo = this.#jumpTarget(kind);
    if (jumpsTo) this.restore(jumpsTo);
    const around: Surroundings = {
      loop: kind === "while" || kind === "for" ? this.#layout : this.#around.loop,
      subroutine: kind === "subroutine" ? this.#layout : this.#around.subroutine,
    };
    const touched = new Set(isJump(operation) ? this.#layout.toVirtual.keys() : qubits);
    const bodies = operation.bodies.map(body => {
      const router = new OperationRouter(this.#layout.copy(), this.#numUsed, this.#target, this.#random, {
        loop: around.loop?.copy() ?? null,
        subroutine: around.subroutine?.copy() ?? null,
      });
      const routed = router.route(routingProblem(body, this.#target.numQubits));
      if (!isJump(body.at(-1))) router.restore(this.#layout);
      for (const { qubits: own } of routed) for (const qubit of own) touched.add(qubit);
      return routed;
    });
    this.#out.push({ ...operation, qubits: [...touched], bodies });
  }

  #jumpTarget(kind: string): Layout | null {
    if (kind === "break" || kind === "continue") return this.#around.loop;
    return kind === "return" ? this.#around.subroutine : null;
  }
}

/** Whether what follows an operation is not done. */
const isJump = (operation: Operation | undefined): boolean =>
  operation?.kind === "statement" &&
  ["break", "continue", "return", "end"].includes(operation.statement.kind);
