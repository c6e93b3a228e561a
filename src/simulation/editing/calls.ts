import type { CircuitBuilder } from "../circuit/builder.ts";
import type { CircuitParts } from "../circuit/circuit.ts";
import { constant, type Expression } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { type Modifier, modificationOf, modify } from "../circuit/modifiers.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { factsOf, OTHER_GATES, QASM3_GATES, U3 } from "../circuit/standard.ts";
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

/** Lists the single operations of runs, by default those of a whole circuit. */
export function stepsOf(parts: CircuitParts, body: StatementList = parts.body): SingleStep[] {
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

const LIBRARY: ReadonlyMap<string, Gate> = new Map([
  ...[...QASM3_GATES, ...OTHER_GATES].map(gate => [gate.name, gate] as const),
  ["u", U3],
]);

/** Names of well-known gates: those of OpenQASM 3, and some that a program has to define. */
export const gateNames: readonly string[] = [...LIBRARY.keys()];

export const namedGate = (name: string): Gate | undefined => LIBRARY.get(name);

/** Returns a call, its qubits aside, that is inverted or has more controls: by a name of the library if there is one. */
export function modifiedCall(call: Omit<Call, "qubits">, modifier: Modifier): Omit<Call, "qubits"> {
  const { gate, params } = call;
  if (modifier.kind === "ctrl") return { gate: controlledGate(gate, modifier.count), params };
  const { inverse } = factsOf(gate);
  if (inverse === "self") return call;
  if (inverse === "negated") return { gate, params: params.map(negative) };
  if (inverse) return { gate: namedGate(inverse)!, params };
  if (gate === U3) return { gate, params: [params[0]!, params[2]!, params[1]!].map(negative) };
  const made = modificationOf(gate);
  if (made?.modifier.kind === "inv") return { gate: made.gate, params };
  if (made?.modifier.kind !== "ctrl") return { gate: modify(gate, modifier), params };
  const inner = modifiedCall({ gate: made.gate, params }, modifier);
  return { gate: modify(inner.gate, made.modifier), params: inner.params };
}

/** Returns a rotation that is applied a number of times; undefined for other gates. */
export function poweredCall(call: Call, times: number): Call | undefined {
  const [angle] = call.params;
  const isRotation = factsOf(call.gate).inverse === "negated" && typeof angle === "number";
  return isRotation ? { ...call, params: [angle * times] } : undefined;
}

function negative(param: number | Expression): number | Expression {
  if (typeof param === "number") return param === 0 ? 0 : -param;
  return param.kind === "unary" && param.operator === "-"
    ? param.operand
    : { kind: "unary", operator: "-", type: FLOAT, operand: param };
}

/** Returns a gate with a number of controls, by a name of the library if there is one. */
export function controlledGate(gate: Gate, count: number): Gate {
  let named: Gate | undefined = gate;
  for (let i = 0; named && i < count; i++) named = namedGate(factsOf(named).controlled ?? "");
  return named ?? modify(gate, { kind: "ctrl", count });
}
