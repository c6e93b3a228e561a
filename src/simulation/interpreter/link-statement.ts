import type { CircuitParts } from "../circuit/circuit.ts";
import { evaluator, indexEvaluator, listEvaluator } from "../circuit/evaluate.ts";
import { isList, type OperandIndices } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import type { Compute, Memory, Value } from "../circuit/memory.ts";
import { modify } from "../circuit/modifiers.ts";
import { operandsAt } from "../circuit/operations.ts";
import {
  type CallModifier,
  type LoopValues,
  negativeDuration,
  type Statement,
} from "../circuit/statement.ts";
import { EvaluationError } from "../errors.ts";
import type { Instruction } from "./link.ts";

/** Returns the function that makes the gate of a call; what goes wrong is said to be at `at`. */
function modifiedGate(
  gate: Gate,
  modifiers: readonly CallModifier[],
  at: number | undefined,
): (memory: Memory) => Gate {
  if (modifiers.length === 0) return () => gate;
  const computed = modifiers.map(modifier => {
    if (modifier.kind !== "pow") return () => modifier;
    const run = evaluator(modifier.exponent) as Compute<number>;
    return (memory: Memory) => ({ kind: "pow" as const, exponent: run(memory) });
  });
  const build = (memory: Memory): Gate => {
    try {
      return computed.reduce((inner, modifier) => modify(inner, modifier(memory)), gate);
    } catch (error) {
      throw error instanceof RangeError ? new EvaluationError(error.message, at) : error;
    }
  };
  const isKnown = modifiers.every(
    modifier => modifier.kind !== "pow" || modifier.exponent.value !== undefined,
  );
  let known: Gate | undefined;
  return isKnown ? memory => (known ??= build(memory)) : build;
}

/** Returns the function that lists the qubits of each application of a gate call; those known before the run are listed once. */
function callOperands(
  operands: readonly OperandIndices[],
  at: number | undefined,
): (memory: Memory, gate: Gate) => readonly (readonly number[])[] {
  const lists = operands.map(indexEvaluator);
  const list = (memory: Memory, gate: Gate) =>
    broadcast(
      lists.map(indices => indices(memory)),
      gate,
      at,
    );
  let known: readonly (readonly number[])[] | undefined;
  return operands.every(isList) ? (memory, gate) => (known ??= list(memory, gate)) : list;
}

/** Applies a gate to registers place by place; an operand of one qubit belongs to every application. */
function broadcast(
  lists: readonly (readonly number[])[],
  { name }: Gate,
  at: number | undefined,
): number[][] {
  let count = 1;
  for (const { length } of lists)
    if (length !== 1) {
      if (count !== 1 && count !== length)
        throw new EvaluationError(`${name} is applied to registers of ${count} and ${length} qubits.`, at);
      count = length;
    }
  return Array.from({ length: count }, (_, i) => {
    const qubits = operandsAt(lists, i);
    if (new Set(qubits).size < qubits.length)
      throw new EvaluationError(`${name} is applied to the same qubit twice.`, at);
    return qubits;
  });
}

function durationCheck({
  duration,
  at,
}: Statement & { kind: "delay" | "duration" }): (memory: Memory) => void {
  const run = evaluator(duration) as Compute<number>;
  return memory => {
    const nanoseconds = run(memory);
    if (nanoseconds < 0) throw new EvaluationError(negativeDuration(nanoseconds), at);
  };
}

type Simple = "gate" | "measure" | "reset" | "assign" | "resolve" | "fill" | "store" | "delay" | "duration";
/** A statement without others in it, which leads nowhere else. */
export type SimpleStatement = Extract<Statement, { readonly kind: Simple }>;

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
    case "fill": {
      const [slots, values] = [indexEvaluator(statement.slots), listEvaluator(statement.values)];
      return { kind: "fill", slots, values };
    }
    case "store": {
      const value = evaluator(statement.value) as Compute<bigint>;
      return { kind: "store", bits: indexEvaluator(statement.bits), value };
    }
    case "delay":
    case "duration":
      return statement.duration.value === undefined
        ? { kind: "check", check: durationCheck(statement) }
        : null;
  }
}

interface Setting {
  readonly slot: number;
  readonly value: Compute;
}

/** Actions around the body of a `for` loop. */
interface Iteration {
  readonly before: readonly Setting[];
  readonly test: Compute;
  readonly each: readonly Setting[];
  readonly advance: Setting;
}

/** Returns the actions of a loop on its three slots: the value of the round, and two that hold its progress. */
export function iterationOf(slot: number, values: LoopValues): Iteration {
  const [second, third] = [slot + 1, slot + 2];
  if (values.kind === "list") {
    const listOf = ({ slots }: Memory) => slots[second] as readonly Value[];
    return {
      before: [
        { slot: second, value: listEvaluator(values.list) },
        { slot: third, value: () => 0 },
      ],
      test: memory => (memory.slots[third] as number) < listOf(memory).length,
      each: [{ slot, value: memory => listOf(memory)[memory.slots[third] as number]! }],
      advance: { slot: third, value: ({ slots }) => (slots[third] as number) + 1 },
    };
  }
  const step = values.step && evaluator(values.step);
  const stepOf = (memory: Memory) => {
    const value = step ? step(memory) : 1n;
    if (value === 0n) throw new EvaluationError("A range takes steps of zero.", values.at);
    return value;
  };
  return {
    before: [
      { slot, value: evaluator(values.start) },
      { slot: second, value: evaluator(values.stop) },
      { slot: third, value: stepOf },
    ],
    test: ({ slots }) =>
      (slots[third] as bigint) > 0n ? slots[slot]! <= slots[second]! : slots[slot]! >= slots[second]!,
    each: [],
    advance: { slot, value: ({ slots }) => (slots[slot] as bigint) + (slots[third] as bigint) },
  };
}
