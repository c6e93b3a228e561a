import { evaluator } from "../circuit/evaluate.ts";
import type { Gate } from "../circuit/gate.ts";
import type { Compute, Memory } from "../circuit/memory.ts";
import { modify } from "../circuit/modifiers.ts";
import { type CallModifier, negativeDuration, type Statement } from "../circuit/statement.ts";
import { EvaluationError } from "../errors.ts";

/** Returns the function that makes the gate of a call; what goes wrong is said to be at `at`. */
export function modifiedGate(
  gate: Gate,
  modifiers: readonly CallModifier[],
  at: number | undefined,
): (memory: Memory) => Gate {
  if (modifiers.length === 0) return () => gate;
  const made = modifiers.map(modifier => {
    if (modifier.kind !== "pow") return () => modifier;
    const run = evaluator(modifier.exponent) as Compute<number>;
    return (memory: Memory) => ({ kind: "pow" as const, exponent: run(memory) });
  });
  return memory => {
    try {
      return made.reduce((inner, modifier) => modify(inner, modifier(memory)), gate);
    } catch (error) {
      throw error instanceof RangeError ? new EvaluationError(error.message, at) : error;
    }
  };
}

/** Returns the function that refuses a duration where it is negative. */
export function durationCheck({
  duration,
  at,
}: Statement & { kind: "delay" | "duration" }): (memory: Memory) => void {
  const run = evaluator(duration) as Compute<number>;
  return memory => {
    const nanoseconds = run(memory);
    if (nanoseconds < 0) throw new EvaluationError(negativeDuration(nanoseconds), at);
  };
}
