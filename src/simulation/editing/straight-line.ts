import type { CircuitParts } from "../circuit/circuit.ts";
import { type Expression, isList } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { modify } from "../circuit/modifiers.ts";
import { operandsAt } from "../circuit/operations.ts";
import { everyStatement, type Statement } from "../circuit/statement.ts";
import { SimulationError } from "../errors.ts";
import { type SingleStep, visitSteps } from "../specialize/blocks.ts";
import { traceOf } from "../specialize/trace.ts";

/** A call of a gate; a parameter is a number, or an expression of inputs. */
export interface StraightCall {
  readonly kind: "gate";
  readonly gate: Gate;
  readonly params: readonly (number | Expression)[];
  readonly qubits: readonly number[];
}

export interface StraightBarrier {
  readonly kind: "barrier";
  readonly qubits: readonly number[];
}

export type StraightLine = readonly (StraightCall | StraightBarrier)[];

/**
 * Returns the gates and barriers of a program, its loops and variables carried out.
 * Throws a {@link SimulationError} for a program that measures, resets, delays or depends on measured values, and for
 * control flow that depends on an input without a value.
 */
export function straightLine(parts: CircuitParts): StraightLine {
  const timed = !everyStatement(parts.body, ({ kind }) => !["delay", "box", "duration"].includes(kind));
  if (timed) throw notGates("has delays or boxes");
  const steps = stepsOf(parts);
  return steps.map(step => {
    if (step.kind === "gate" || step.kind === "barrier") return step;
    throw notGates(
      step.kind === "measure" ? "measures" : step.kind === "reset" ? "resets a qubit" : "sets a bit",
      step.kind === "measure" ? " Use withoutMeasurements() first." : "",
    );
  });
}

const notGates = (what: string, hint = ""): SimulationError =>
  new SimulationError(`This works for programs that consist of gates, but this one ${what}.${hint}`);

type Step = StraightCall | Exclude<SingleStep, { kind: "gate" }>;

function stepsOf(parts: CircuitParts): Step[] {
  if (parts.body.every(isSingle)) return parts.body.flatMap(statement => stepsOfSingle(statement, parts));
  const blocks = traceOf(parts);
  if (blocks.length > 1) throw notGates("depends on measured values");
  const steps: Step[] = [];
  for (const step of blocks[0]!.steps)
    visitSteps(step, parts, single => {
      steps.push(single.kind === "gate" ? { ...single, kind: "gate" } : single);
    });
  return steps;
}

/** Whether a statement is a run of operations, or a gate on known qubits. */
const isSingle = (statement: Statement): boolean =>
  statement.kind === "operations" ||
  (statement.kind === "gate" &&
    statement.qubits.every(isList) &&
    statement.modifiers.every(({ kind }) => kind !== "pow"));

function stepsOfSingle(statement: Statement, parts: CircuitParts): Step[] {
  const steps: Step[] = [];
  if (statement.kind === "operations")
    visitSteps(statement, parts, single => {
      steps.push(single.kind === "gate" ? { ...single, kind: "gate" } : single);
    });
  if (statement.kind === "gate") {
    const gate = statement.modifiers.reduce(
      (inner, modifier) => (modifier.kind === "pow" ? inner : modify(inner, modifier)),
      parts.gates[statement.gate]!,
    );
    const lists = statement.qubits as readonly (readonly number[])[];
    const length = Math.max(...lists.map(list => list.length));
    for (let i = 0; i < length; i++)
      steps.push({
        ...{ kind: "gate", gate, params: statement.params },
        qubits: operandsAt(lists, i),
      });
  }
  return steps;
}
