import { fault } from "../expressions/compiled.ts";
import type { ExpressionNode, StatementNode } from "../syntax/ast.ts";
import { DURATION } from "../values/types.ts";
import type { Lowering } from "./lowering.ts";

type Timed = Extract<StatementNode, { kind: "box" | "delay" | "nop" }>;

/**
 * Checks what a program says about time. On a simulator gates take none, so that `durationof` gives that of
 * the delays alone, and a `stretch` has no gap to fill and is zero.
 */
export class TimingLowering {
  readonly #lowering: Lowering;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  /** Lowers a delay, a box or a nop. */
  lower(node: Timed): void {
    if (node.kind === "box") {
      if (node.duration) this.duration(node.duration);
      this.#lowering.body(node.body);
      return;
    }
    for (const operand of node.operands) this.#lowering.places.qubits(operand);
    if (node.kind === "delay") this.duration(node.duration);
  }

  /** Checks a duration that stands in brackets, and gives its nanoseconds where they are known before the run. */
  duration(node: ExpressionNode): number | undefined {
    const { value } = this.#lowering.expressions.compileTo(node, DURATION);
    if (value !== undefined && (value as number) < 0)
      throw fault(node, `The duration ${value} ns is negative.`);
    return value as number | undefined;
  }

  /** Gives the nanoseconds that a block takes: its delays, added up. */
  durationOf({ body }: { body: readonly StatementNode[] }): number {
    let sum = 0;
    for (const node of body)
      if (node.kind === "delay") sum += this.duration(node.duration) ?? 0;
      else if (node.kind === "box")
        sum += (node.duration && this.duration(node.duration)) ?? this.durationOf(node);
      else if (!["call", "barrier", "nop", "reset", "measure", "verbatim"].includes(node.kind))
        throw fault(node, "What is timed is made of gates, delays, resets and measurements.");
    return sum;
  }
}
