import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { constant, type Expression } from "../circuit/expression.ts";
import { formatExpression } from "../circuit/format-expression.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import { type Statement, withBodies } from "../circuit/statement.ts";
import { FLOAT } from "../circuit/values/types.ts";
import { scaled } from "./computed-gates.ts";
import type { Operation } from "./operation.ts";
import { nativeGate, type Target } from "./target.ts";

/** Returns operations of native gates on physical qubits as a circuit with the memory of the program. */
export function writeCircuit(operations: readonly Operation[], parts: CircuitParts, target: Target): Circuit {
  const { numQubits } = target;
  const quantum = [{ name: "$", offset: 0, size: numQubits }];
  const builder = CircuitBuilder.like({ ...parts, quantum, numQubits, source: null });
  writeBody(operations, builder, target);
  return builder.finish();
}

function writeBody(operations: readonly Operation[], builder: CircuitBuilder, target: Target): void {
  const add = (kind: number, operands: readonly number[], { at, end }: Operation, gate = 0) => {
    builder.operation(kind, gate, at, end);
    for (const operand of operands) builder.operations.operand(operand);
  };
  for (const operation of operations) {
    const { qubits } = operation;
    switch (operation.kind) {
      case "native":
        add(OPERATION.gate, qubits, operation, builder.gateIndex(nativeGate(operation.name)));
        for (const param of operation.params) builder.operations.param(param);
        break;
      case "measure":
        add(OPERATION.measure, [qubits[0]!, operation.bit ?? NO_BIT], operation);
        break;
      case "reset":
        add(OPERATION.reset, qubits, operation);
        break;
      case "barrier":
        add(OPERATION.barrier, qubits, operation);
        break;
      case "rotation":
        for (const call of rotationCalls(operation.angle, operation.qubits[0], builder, target))
          builder.add(call);
        break;
      case "statement":
        builder.add(statementOf(operation, builder, target));
        break;
      default:
        throw new TypeError("This operation is not one of native gates.");
    }
  }
}

function statementOf(
  { statement, bodies, qubits }: Operation & { kind: "statement" },
  builder: CircuitBuilder,
  target: Target,
): Statement {
  if (statement.kind === "delay") return { ...statement, qubits: [[...qubits]] };
  const inner = bodies.map(body => builder.collect(() => writeBody(body, builder, target)));
  const whole = withBodies(statement, inner);
  return whole.kind === "if" && inner[1]?.length === 0 ? { ...whole, otherwise: null } : whole;
}

/** Returns calls of native gates that turn a qubit about Z by an angle that is computed. */
function rotationCalls(
  angle: Expression,
  qubit: number,
  builder: CircuitBuilder,
  target: Target,
): Statement[] {
  const call = (name: string, ...params: Expression[]): Statement => ({
    kind: "gate",
    gate: builder.gateIndex(nativeGate(name)),
    name,
    label: name,
    args: params.map(param => formatExpression(param, builder.classical)),
    modifiers: [],
    params,
    qubits: [[qubit]],
  });
  switch (target.basis.oneQubit) {
    case "zsx":
      return [call("rz", angle)];
    case "prx":
      return [call("prx", real(Math.PI), real(0)), call("prx", real(Math.PI), scaled(angle, 0.5))];
    case "gpi":
      return [call("gpi", real(0)), call("gpi", scaled(angle, 0.5))];
  }
}

const real = (value: number): Expression => constant(FLOAT, value);
