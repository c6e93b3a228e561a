import type { CircuitParts } from "../circuit/circuit.ts";
import { evaluator, indexEvaluator } from "../circuit/evaluate.ts";
import { listEvaluator } from "../circuit/evaluate-list.ts";
import type { Compute } from "../circuit/memory.ts";
import type { Statement } from "../circuit/statement.ts";
import type { Instruction } from "./instruction.ts";
import { callOperands, durationCheck, modifiedGate } from "./link-calls.ts";

/** A statement without others in it, which leads nowhere else. */
export type SimpleStatement = Extract<
  Statement,
  {
    readonly kind:
      | "gate"
      | "measure"
      | "reset"
      | "assign"
      | "resolve"
      | "fill"
      | "store"
      | "delay"
      | "duration"
      | "end";
  }
>;

/** Returns the instruction of a statement without others in it; null where there is nothing to do. */
export function instructionOf(parts: CircuitParts, statement: SimpleStatement): Instruction | null {
  const at = statement.range?.[0];
  switch (statement.kind) {
    case "gate":
      return {
        kind: "gate",
        at,
        gate: modifiedGate(parts.gates[statement.gate]!, statement.modifiers, at),
        params: statement.params.map(param => evaluator(param) as Compute<number>),
        calls: callOperands(statement.qubits, at),
      };
    case "measure":
      return {
        kind: "measure",
        at,
        qubits: indexEvaluator(statement.qubits),
        bits: statement.bits && indexEvaluator(statement.bits),
      };
    case "reset":
      return { kind: "reset", at, qubits: indexEvaluator(statement.qubits) };
    case "assign":
      return { kind: "assign", slot: statement.slot, value: evaluator(statement.value) };
    case "resolve":
      return { kind: "assign", slot: statement.slot, value: indexEvaluator(statement.indices) };
    case "fill":
      return {
        kind: "fill",
        slots: indexEvaluator(statement.slots),
        values: listEvaluator(statement.values),
      };
    case "store":
      return {
        kind: "store",
        bits: indexEvaluator(statement.bits),
        value: evaluator(statement.value) as Compute<bigint>,
      };
    case "delay":
    case "duration":
      return statement.duration.value === undefined
        ? { kind: "check", check: durationCheck(statement) }
        : null;
  }
}
