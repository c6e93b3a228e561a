import type { Expression } from "../../circuit/expression.ts";
import { negativeDuration } from "../../circuit/statement.ts";
import { DURATION } from "../../circuit/values/types.ts";
import { fault } from "../expressions/compiled.ts";
import type { ExpressionNode, StatementNode } from "../syntax/ast.ts";
import type { Lowering } from "./lowering.ts";

type Timed = Extract<StatementNode, { kind: "box" | "delay" | "nop" }>;

/**
 * Checks what a program says about time. On a simulator gates take none but where a program says so, so that
 * `durationof` gives that of the delays, and a `stretch` has no gap to fill and is zero.
 */
export class TimingLowering {
  readonly #lowering: Lowering;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
  }

  /** Lowers a delay, a box or a nop. */
  lower(node: Timed): void {
    const { builder } = this.#lowering;
    if (node.kind === "box") {
      const most = node.duration && this.check(node.duration);
      const label = node.duration ? `box ${this.#lowering.label(node.duration)}` : "box";
      builder.add({ kind: "box", label, body: builder.collect(() => this.#lowering.body(node.body)) });
      if (most !== null && most !== undefined) this.#checkBox(node, most);
      return;
    }
    const qubits = node.operands.map(operand => this.#lowering.places.qubits(operand).indices);
    if (node.kind !== "delay") return;
    builder.add({
      kind: "delay",
      label: `delay ${this.#lowering.label(node.duration)}`,
      duration: this.#duration(node.duration),
      at: node.duration.at,
      qubits: qubits.length > 0 ? qubits : null,
    });
  }

  /** Checks a duration that stands in brackets, now or once it is computed. Returns its nanoseconds where they are known now. */
  check(node: ExpressionNode): number | undefined {
    const value = this.#duration(node);
    if (value.value === undefined)
      this.#lowering.builder.add({ kind: "duration", duration: value, at: node.at });
    return value.value as number | undefined;
  }

  /** Compiles a duration; one that is known to be negative is a fault. */
  #duration(node: ExpressionNode): Expression {
    const duration = this.#lowering.expressions.compileTo(node, DURATION);
    if ((duration.value as number) < 0) throw fault(node, negativeDuration(duration.value as number));
    return duration;
  }

  /** Returns the nanoseconds that a block takes: those of the qubit that is busy longest. */
  durationOf({ body }: { body: readonly StatementNode[] }): number {
    const wrong = body.find(({ kind }) => !TIMED.has(kind));
    if (wrong) throw fault(wrong, "What is timed is made of gates, delays, resets and measurements.");
    return this.#length(body);
  }

  #checkBox(node: Timed & { kind: "box" }, most: number): void {
    if (!isTimed(node)) return;
    const length = this.#length(node.body);
    if (length > most)
      throw fault(
        node.duration!,
        `The box takes ${most} ns, and what it holds takes ${length} ns.`,
        `Give it at least ${length}ns, or leave the duration out.`,
      );
  }

  /** Returns when the last qubit of a block is done: what shares qubits follows each other, the rest runs at once. */
  #length(body: readonly StatementNode[]): number {
    const times = new Map<number | string, number>();
    /** When what acts on all qubits was done. */
    let common = 0;
    let last = 0;
    for (const node of body) {
      const qubits = this.#qubits(node);
      const begin = qubits
        ? qubits.reduce<number>((latest, qubit) => Math.max(latest, times.get(qubit) ?? 0), common)
        : last;
      const end = begin + this.#time(node);
      for (const qubit of qubits ?? []) times.set(qubit, end);
      if (!qubits) common = end;
      last = Math.max(last, end);
    }
    return last;
  }

  #time(node: StatementNode): number {
    if (node.kind === "box") return (node.duration && this.#known(node.duration)) ?? this.durationOf(node);
    return (node.kind === "delay" || node.kind === "call") && node.duration ? this.#known(node.duration) : 0;
  }

  /** Returns the nanoseconds of a duration, or 0 where they are not known before the run. */
  #known(node: ExpressionNode): number {
    return (this.#lowering.expressions.compileTo(node, DURATION).value as number | undefined) ?? 0;
  }

  /** Returns the qubits that a statement keeps busy; null where these are all, or not known before the run. */
  #qubits(node: StatementNode): (number | string)[] | null {
    if (node.kind === "box") {
      const inner = node.body.map(each => this.#qubits(each));
      return inner.includes(null) ? null : inner.flatMap(qubits => qubits!);
    }
    const operands =
      node.kind === "measure" || node.kind === "reset"
        ? [node.operand]
        : "operands" in node
          ? node.operands
          : [];
    if (operands.length === 0) return node.kind === "verbatim" ? [] : null;
    const places = operands.map(operand =>
      operand.kind === "hardware" ? [`$${operand.index}`] : this.#lowering.places.qubits(operand).known,
    );
    if (places.includes(null)) return null;
    const all = places.flatMap(known => [...known!]);
    this.#lowering.expressions.context.countMembers(all.length, node.at);
    return all;
  }
}

/** Whether it can be said of all that a block holds, boxes within it included, how long it takes. */
const isTimed = ({ body }: { body: readonly StatementNode[] }): boolean =>
  body.every(node => TIMED.has(node.kind) && (node.kind !== "box" || isTimed(node)));

const TIMED: ReadonlySet<StatementNode["kind"]> = new Set([
  ...(["call", "barrier", "nop", "reset", "measure", "verbatim", "delay", "box"] as const),
]);
