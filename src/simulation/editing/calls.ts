import type { CircuitBuilder } from "../circuit/builder.ts";
import type { CircuitParts } from "../circuit/circuit.ts";
import { constant, type Expression } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import type { StatementList } from "../circuit/statement.ts";
import { FLOAT } from "../circuit/values/types.ts";
import { type SingleStep, visitSteps } from "../specialize/blocks.ts";

/** A call of a gate; a parameter is a number, or an expression of inputs. */
export interface Call {
  readonly gate: Gate;
  readonly params: readonly (number | Expression)[];
  readonly qubits: readonly number[];
}

/** Returns a parameter as an expression. */
export const expressionOf = (param: number | Expression): Expression =>
  typeof param === "number" ? constant(FLOAT, param) : param;

/** Adds the call of a gate on known qubits. */
export function addCall(builder: CircuitBuilder, { gate, params, qubits }: Call): void {
  const place = builder.gateIndex(gate);
  const numbers = params.filter(param => typeof param === "number");
  if (numbers.length === params.length) builder.addOperation(OPERATION.gate, qubits, place, numbers);
  else {
    const { name } = gate;
    builder.add({
      ...{ kind: "gate", gate: place, name, label: name, args: [], modifiers: [] },
      ...{ params: params.map(expressionOf), qubits: qubits.map(qubit => [qubit]) },
    });
  }
}

/** Lists the single operations of runs. */
export function stepsOf(body: StatementList, parts: CircuitParts): SingleStep[] {
  const steps: SingleStep[] = [];
  for (const statement of body)
    if (statement.kind === "operations") visitSteps(statement, parts, step => steps.push(step));
  return steps;
}

/** Adds an operation on known qubits and bits. */
export function addStep(builder: CircuitBuilder, step: SingleStep): void {
  if (step.kind === "gate") addCall(builder, step);
  else if (step.kind === "measure") builder.addOperation(OPERATION.measure, [step.qubit, step.bit ?? NO_BIT]);
  else if (step.kind === "reset") builder.addOperation(OPERATION.reset, [step.qubit]);
  else if (step.kind === "barrier") builder.addOperation(OPERATION.barrier, step.qubits);
}
