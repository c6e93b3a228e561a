import { evaluator, indexEvaluator } from "../circuit/evaluate.ts";
import { constant, type Expression, isList, type OperandIndices } from "../circuit/expression.ts";
import type { Memory } from "../circuit/memory.ts";
import type { SourceRange } from "../circuit/statement.ts";
import { SimulationError } from "../errors.ts";
import type { Instruction } from "../interpreter/instruction.ts";
import type { TraceStep } from "./blocks.ts";

/** Thrown where a value that is left to the run decides which qubit or gate is meant. */
export class UndecidedError extends SimulationError {
  override name = "UndecidedError";
}

/** Returns the steps of an instruction that is left to the run, with all that is known before computed. */
export function dynamicSteps(
  instruction: Instruction,
  memory: Memory,
  range: SourceRange,
): readonly TraceStep[] {
  const source = "source" in instruction ? instruction.source : undefined;
  switch (source?.kind) {
    case "assign":
    case "fill":
    case "store":
    case "duration":
      return [{ kind: "dynamic", statement: withKnown(source, memory), gate: null, range }];
    case "delay":
      return [];
    case "gate": {
      if (instruction.kind !== "gate") break;
      const params = source.params.map(param => withKnown(param, memory));
      try {
        const gate = instruction.gate(memory);
        return instruction.calls(memory, gate).map(qubits => {
          const statement = { ...source, modifiers: [], params, qubits: qubits.map(qubit => [qubit]) };
          return { kind: "dynamic", statement, gate, range };
        });
      } catch {
        break;
      }
    }
  }
  throw new UndecidedError("A measurement decides which qubit, bit or gate is meant.");
}

/** Returns plain data in which the expressions that are known before the run are constants. */
export function withKnown<T>(node: T, memory: Memory): T {
  if (typeof node !== "object" || node === null || ArrayBuffer.isView(node) || node instanceof Map)
    return node;
  if (Array.isArray(node))
    return (typeof node[0] === "object" ? node.map(inner => withKnown(inner, memory)) : node) as T;
  const { kind, type } = node as { kind?: string; type?: Expression["type"] };
  if (type !== undefined && kind !== "constant") {
    const value = attempt(() => evaluator(node as unknown as Expression)(memory));
    if (value !== undefined) return constant(type, value) as T;
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, inner]) => {
      if (key === "type" || key === "range") return [key, inner];
      if (!INDICES.includes(key) || isList(inner) || "type" in inner) return [key, withKnown(inner, memory)];
      const list = attempt(() => indexEvaluator(inner as OperandIndices)(memory));
      return [key, list ?? withKnown(inner, memory)];
    }),
  ) as T;
}

/** Members of statements and expressions that are operands. */
const INDICES = ["bits", "slots", "positions"];

/** Computes something; returns undefined where that is not known before the run, or fails. */
function attempt<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}
