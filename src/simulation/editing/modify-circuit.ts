import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { constant, type Expression, type ValueList } from "../circuit/expression.ts";
import { compositeGate, type Gate } from "../circuit/gate.ts";
import { modify } from "../circuit/modifiers.ts";
import { OPERATION } from "../circuit/operations.ts";
import type { Modifier } from "../circuit/power.ts";
import {
  bodiesOf,
  everyStatement,
  type LoopValues,
  type StatementList,
  withBodies,
} from "../circuit/statement.ts";
import { FLOAT, INT } from "../circuit/values/types.ts";
import { SimulationError } from "../errors.ts";
import { type SingleStep, visitSteps } from "../specialize/blocks.ts";
import { traceOf } from "../specialize/trace.ts";
import { addCall, addStep, expressionOf } from "./calls.ts";
import { copyStatements } from "./copy-statements.ts";
import { addLoop, SAME } from "./edit-circuit.ts";
import { modifiedCall, poweredCall } from "./gate-names.ts";
import { mentions } from "./mentions.ts";

/** Number of operations up to which a power is written out; beyond, it is a loop. */
const MAX_WRITTEN_OUT = 64;

/** Returns a circuit that undoes another one. Loops stay loops unless they use variables that change. */
export function inverseCircuit(circuit: Circuit): Circuit {
  const parts = gatesOf(circuit);
  const { parts: source } = isReversible(parts.body) ? { parts } : straightened(parts);
  const builder = CircuitBuilder.like(source);
  addModified(builder, source, source.body, { kind: "inv" });
  return builder.finish();
}

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
  const moved = CircuitBuilder.like(parts);
  copyStatements(moved, parts, { ...SAME, qubit: qubit => qubit + count });
  const { parts: source } = moved.finish();
  addModified(builder, source, source.body, { kind: "ctrl", count });
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
  const steps = parts.body.every(({ kind }) => kind === "operations") ? stepsOf(parts.body, parts) : null;
  const [only] = steps ?? [];
  const powered = only?.kind === "gate" && steps?.length === 1 ? poweredCall(only, times) : undefined;
  const isShort = times <= 1 || (steps !== null && times * steps.length <= MAX_WRITTEN_OUT);
  if (powered) addCall(builder, powered);
  else if (isShort) for (let i = 0; i < times; i++) copyStatements(builder, parts, SAME);
  else addLoop(builder, times, () => copyStatements(builder, parts, SAME));
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
  const straight = straightened(parts).parts;
  const steps = stepsOf(straight.body, straight).flatMap(step =>
    step.kind === "gate" ? { ...step, params: step.params.map(param => constant(FLOAT, param)) } : [],
  );
  return compositeGate(name, 0, circuit.numQubits, steps);
}

/**
 * Returns a circuit of gates, whose inputs are in the places of the variables that hold them.
 * Throws a {@link SimulationError} for one that measures, resets or delays.
 */
function gatesOf({ parts }: Circuit): CircuitParts {
  const { kinds } = parts.operations;
  const has = (...names: string[]) => !everyStatement(parts.body, ({ kind }) => !names.includes(kind));
  if (has("measure") || kinds.includes(OPERATION.measure))
    throw notGates("measures", " Use withoutMeasurements() first.");
  if (has("reset") || kinds.includes(OPERATION.reset)) throw notGates("resets a qubit");
  if (has("delay", "box", "duration")) throw notGates("has delays or boxes");
  if (has("end", "graph", "recurse")) return straightened(parts).parts;
  const builder = CircuitBuilder.like(parts);
  copyStatements(builder, parts, SAME);
  return builder.finish().parts;
}

const notGates = (what: string, hint = ""): SimulationError =>
  new SimulationError(`This works for programs that consist of gates, but this one ${what}.${hint}`);

/** Returns a circuit of gates with its loops and variables carried out. */
function straightened(parts: CircuitParts): Circuit {
  const [block, ...others] = traceOf(parts);
  if (others.length > 0) throw notGates("depends on measured values");
  const builder = CircuitBuilder.like(parts);
  for (const step of block!.steps)
    visitSteps(step, parts, single => {
      if (single.kind === "set") throw notGates("sets a bit");
      addStep(builder, single);
    });
  return builder.finish();
}

/** Lists the single operations of runs. */
function stepsOf(body: StatementList, parts: CircuitParts): SingleStep[] {
  const steps: SingleStep[] = [];
  for (const statement of body)
    if (statement.kind === "operations") visitSteps(statement, parts, step => steps.push(step));
  return steps;
}

/** Adds statements whose gates are inverted, in reverse order, or have controls, which are the first qubits. */
function addModified(
  builder: CircuitBuilder,
  parts: CircuitParts,
  body: StatementList,
  modifier: Modifier & { kind: "inv" | "ctrl" },
): void {
  const isInverse = modifier.kind === "inv";
  const controls = isInverse ? [] : [...Array(modifier.count).keys()];
  for (const statement of isInverse ? body.toReversed() : body) {
    if (statement.kind === "operations") {
      const steps = stepsOf([statement], parts);
      for (const step of isInverse ? steps.reverse() : steps)
        if (step.kind !== "gate") addStep(builder, step);
        else addCall(builder, { ...modifiedCall(step, modifier), qubits: [...controls, ...step.qubits] });
    } else if (statement.kind === "gate") {
      const given = { gate: parts.gates[statement.gate]!, params: statement.params };
      const isComputed = statement.modifiers.length > 0;
      const { gate, params } = isComputed ? given : modifiedCall(given, modifier);
      builder.add({
        ...statement,
        gate: builder.gateIndex(gate),
        params: params.map(expressionOf),
        modifiers: isComputed ? [...statement.modifiers, modifier] : [],
        qubits: [...controls.map(control => [control]), ...statement.qubits],
      });
    } else {
      const bodies = bodiesOf(statement).map(inner =>
        builder.collect(() => addModified(builder, parts, inner, modifier)),
      );
      const isLoop = isInverse && statement.kind === "for";
      builder.add(
        withBodies(isLoop ? { ...statement, values: reversedValues(statement)! } : statement, bodies),
      );
    }
  }
}

/** Whether statements are undone by those that undo each of them, in reverse order. */
const isReversible = (body: StatementList): boolean =>
  everyStatement(
    body,
    statement =>
      ["operations", "gate", "if", "scope"].includes(statement.kind) ||
      (statement.kind === "for" && reversedValues(statement) !== undefined),
  );

/** Returns the values of a loop in reverse order, or as they are if its body does not use them; undefined if unknown. */
function reversedValues({ slot, values, body }: { slot: number; values: LoopValues; body: StatementList }) {
  if (!mentions(body, each => each.kind === "slot" && each.slot === slot)) return values;
  if (values.kind === "list") {
    const { list } = values;
    const isListed = list.kind === "constants" || list.kind === "values";
    return isListed
      ? { ...values, list: { ...list, values: list.values.toReversed() } as ValueList }
      : undefined;
  }
  const { start, stop, step } = values;
  const by = step === null ? 1n : step.value;
  if (typeof by !== "bigint") return undefined;
  const whole = (value: bigint): Expression => constant(INT, value);
  if (by === 1n) return { ...values, start: stop, step: whole(-1n), stop: start };
  if (by === -1n) return { ...values, start: stop, step: null, stop: start };
  if (typeof start.value !== "bigint" || typeof stop.value !== "bigint") return undefined;
  const last = start.value + ((stop.value - start.value) / by) * by;
  return { ...values, start: whole(last), step: whole(-by), stop: start };
}
