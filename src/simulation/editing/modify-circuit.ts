import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { constant } from "../circuit/expression.ts";
import { compositeGate, type Gate } from "../circuit/gate.ts";
import { modify } from "../circuit/modifiers.ts";
import { OPERATION } from "../circuit/operations.ts";
import { everyStatement, type StatementList } from "../circuit/statement.ts";
import { FLOAT } from "../circuit/values/types.ts";
import { SimulationError } from "../errors.ts";
import { residualCircuit } from "../specialize/residual.ts";
import { traceOf } from "../specialize/trace.ts";
import { addCall, poweredCall, stepsOf } from "./calls.ts";
import { copyStatements, mentions, reversedValues } from "./copy-statements.ts";
import { addLoop, extendedCircuit } from "./edit-circuit.ts";

/** Number of operations up to which a power is written out; beyond, it is a loop. */
const MAX_WRITTEN_OUT = 64;

/** Returns a circuit that undoes another one. Loops stay loops unless they use variables that change. */
export function inverseCircuit(circuit: Circuit): Circuit {
  const parts = gatesOf(circuit);
  const source = isReversible(parts.body) ? parts : straightened(parts);
  const builder = CircuitBuilder.like(source);
  copyStatements(builder, source, {}, { modifier: { kind: "inv" } });
  return builder.finish();
}

/** Whether statements are undone by those that undo each of them, in reverse order. */
const isReversible = (body: StatementList): boolean =>
  everyStatement(
    body,
    statement =>
      ["operations", "gate", "if", "scope"].includes(statement.kind) ||
      (statement.kind === "for" && reversedValues(statement) !== undefined),
  );

/** Returns a circuit whose gates act where all of some added qubits, which come first, are 1. */
export function controlledCircuit(circuit: Circuit, count: number): Circuit {
  const parts = gatesOf(circuit);
  const { quantum } = parts;
  const builder = CircuitBuilder.like(parts);
  builder.numQubits += count;
  const [only] = quantum;
  builder.quantum =
    only && quantum.length === 1
      ? [{ ...only, size: builder.numQubits }]
      : [
          { name: "control", offset: 0, size: count },
          ...quantum.map(register => ({ ...register, offset: register.offset + count })),
        ];
  copyStatements(builder, parts, { qubit: qubit => qubit + count }, { modifier: { kind: "ctrl", count } });
  return builder.finish();
}

/**
 * Returns a circuit to a power: repeated, inverted and repeated, or for a fraction the principal power of all of it.
 * Throws a {@link SimulationError} for a fractional power of too many qubits.
 */
export function powerOfCircuit(circuit: Circuit, exponent: number): Circuit {
  const builder = CircuitBuilder.like(circuit.parts);
  if (!Number.isInteger(exponent)) {
    const gate = fractionalPower(gateOf(circuit, "block"), exponent);
    addCall(builder, { gate, params: [], qubits: [...Array(circuit.numQubits).keys()] });
    return builder.finish();
  }
  const times = Math.abs(exponent);
  const parts = exponent < 0 ? inverseCircuit(circuit).parts : gatesOf(circuit);
  const steps = parts.body.every(({ kind }) => kind === "operations") ? stepsOf(parts) : null;
  const [only] = steps ?? [];
  const powered = only?.kind === "gate" && steps?.length === 1 ? poweredCall(only, times) : undefined;
  const isShort = times <= 1 || (steps !== null && times * steps.length <= MAX_WRITTEN_OUT);
  if (powered) addCall(builder, powered);
  else if (isShort) for (let i = 0; i < times; i++) copyStatements(builder, parts);
  else addLoop(builder, times, () => copyStatements(builder, parts));
  return builder.finish();
}

function fractionalPower(gate: Gate, exponent: number): Gate {
  try {
    return modify(gate, { kind: "pow", exponent });
  } catch (error) {
    if (error instanceof RangeError) throw new SimulationError(error.message);
    throw error;
  }
}

/** Returns a circuit of gates as one gate without parameters. */
export function gateOf(circuit: Circuit, name: string): Gate {
  const parts = gatesOf(circuit);
  if (mentions(parts.body, ({ kind }) => kind === "input"))
    throw new SimulationError("This needs a value for each input. Give it one with assign().");
  const steps = stepsOf(straightened(parts)).flatMap(step =>
    step.kind === "gate" ? { ...step, params: step.params.map(param => constant(FLOAT, param)) } : [],
  );
  return compositeGate(name, 0, circuit.numQubits, steps);
}

/** Returns a circuit of gates. Throws a {@link SimulationError} for one that measures, resets or delays. */
function gatesOf(circuit: Circuit): CircuitParts {
  const { parts } = circuit;
  const { kinds } = parts.operations;
  const has = (...names: string[]) => !everyStatement(parts.body, ({ kind }) => !names.includes(kind));
  if (has("measure") || kinds.includes(OPERATION.measure))
    throw notGates("measures", " Use withoutMeasurements() first.");
  if (has("reset") || kinds.includes(OPERATION.reset)) throw notGates("resets a qubit");
  if (has("delay", "box", "duration")) throw notGates("has delays or boxes");
  return has("end", "graph", "recurse") ? straightened(parts) : extendedCircuit(circuit).parts;
}

const notGates = (what: string, hint = ""): SimulationError =>
  new SimulationError(`This works for programs that consist of gates, but this one ${what}.${hint}`);

/** Returns a circuit of gates with its loops and variables carried out. */
function straightened(parts: CircuitParts): CircuitParts {
  const straight = residualCircuit(parts, traceOf(parts), { keepsGates: true }).parts;
  if (straight.body.every(({ kind }) => kind === "operations")) return straight;
  throw notGates("depends on measured values or sets bits");
}
