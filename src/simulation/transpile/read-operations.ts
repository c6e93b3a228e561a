import { NO_BIT, NOWHERE, OPERATION } from "../circuit/operations.ts";
import { EvaluationError, SimulationError } from "../errors.ts";
import { modifiedGate } from "../interpreter/link-statement.ts";
import { computedOperations } from "./computed-gates.ts";
import { gateOperations } from "./gate-operations.ts";
import type { Operation, SourceLocation } from "./operation.ts";
import { locationOf, type ReadContext, type StatementOf } from "./read-context.ts";

/** Reads a run of operations on known qubits. */
export function readRun(
  context: ReadContext,
  { start, end }: StatementOf<"operations">,
  out: Operation[],
): void {
  const { kinds, gates, operands, operandStarts, params, paramStarts, offsets, ends } =
    context.parts.operations;
  for (let i = start; i < end; i++) {
    const qubits = Array.from(operands.subarray(operandStarts[i]!, operandStarts[i + 1]!));
    const place: SourceLocation = offsets[i] === NOWHERE ? {} : { at: offsets[i], end: ends[i] };
    switch (kinds[i]) {
      case OPERATION.gate: {
        const given = Array.from(params.subarray(paramStarts[i]!, paramStarts[i + 1]!));
        const gate = context.parts.gates[gates[i]!]!;
        context.add(
          out,
          gateOperations(gate, given, qubits, spareQubits(context, gate.numQubits, qubits), place),
        );
        break;
      }
      case OPERATION.measure:
        addMeasurement(context, qubits[0]!, qubits[1] === NO_BIT ? null : qubits[1]!, place, out);
        break;
      case OPERATION.reset:
        context.add(out, [{ ...place, kind: "reset", qubits: [qubits[0]!] }]);
        break;
      default:
        context.add(out, [{ ...place, kind: "barrier", qubits }]);
    }
  }
}

/** Reads the call of a gate. */
export function readGate(context: ReadContext, statement: StatementOf<"gate">, out: Operation[]): void {
  const place = locationOf(statement);
  const base = context.parts.gates[statement.gate]!;
  const gate = context.memory.attempt(modifiedGate(base, statement.modifiers, place.at));
  if (!gate)
    throw new SimulationError(
      `${context.where(statement)}A measurement decides the exponent of ${statement.name}; such a gate is not transpiled.`,
    );
  const lists = statement.qubits.map(list => context.knownQubits(list, statement));
  const count = Math.max(1, ...lists.map(({ length }) => length));
  const params = statement.params.map(param => context.memory.value(param));
  for (let i = 0; i < count; i++) {
    const qubits = lists.map(list => list[list.length === 1 ? 0 : i]!);
    if (new Set(qubits).size < qubits.length || qubits.includes(undefined as never))
      throw new EvaluationError(`${statement.name} is applied to the same qubit twice.`, place.at);
    const known = params.every(value => value !== undefined)
      ? gateOperations(gate, params.map(Number), qubits, spareQubits(context, gate.numQubits, qubits), place)
      : computedOperations(gate, statement.params, qubits, place);
    if (!known)
      throw new SimulationError(
        `${context.where(statement)}A measurement decides the parameters of ${statement.name}; that is supported for the gates of stdgates.inc without further controls.`,
      );
    context.add(out, known);
  }
}

/** Reads a measurement. */
export function readMeasurement(
  context: ReadContext,
  statement: StatementOf<"measure">,
  out: Operation[],
): void {
  const qubits = context.knownQubits(statement.qubits, statement);
  const bits = statement.bits && context.memory.indices(statement.bits);
  if (bits === undefined)
    throw new SimulationError(
      `${context.where(statement)}A measurement decides which bit another one is written to; such a program is not transpiled.`,
    );
  qubits.forEach((qubit, i) => {
    addMeasurement(context, qubit, bits ? bits[i]! : null, locationOf(statement), out);
  });
}

function addMeasurement(
  context: ReadContext,
  qubit: number,
  bit: number | null,
  place: SourceLocation,
  out: Operation[],
): void {
  if (bit !== null) context.memory.writeBit(bit, null);
  context.add(out, [{ ...place, kind: "measure", qubits: [qubit], bit }]);
}

/** Returns the qubits that a large gate may borrow. */
function spareQubits(context: ReadContext, numQubits: number, qubits: readonly number[]): readonly number[] {
  if (numQubits <= 5) return [];
  const own = new Set(qubits);
  return context.qubits.filter(qubit => !own.has(qubit));
}
