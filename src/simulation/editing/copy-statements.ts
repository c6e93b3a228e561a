import type { CircuitBuilder } from "../circuit/builder.ts";
import type { CircuitParts } from "../circuit/circuit.ts";
import { constant, type Expression, type ValueList } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import {
  bodiesOf,
  type LoopValues,
  type MemoryRange,
  type Statement,
  type StatementList,
  withBodies,
} from "../circuit/statement.ts";
import { INT } from "../circuit/values/types.ts";
import type { SingleStep } from "../specialize/blocks.ts";
import { addCall, addStep, type Call, expressionOf, modifiedCall, stepsOf } from "./calls.ts";

type Memory = "qubit" | "bit" | "slot";

/** The places of a circuit's memory in another circuit. */
type Places = { readonly [memory in Memory]: (place: number) => number };

const SAME: Places = { qubit: place => place, bit: place => place, slot: place => place };

/** A change of what is copied. */
interface Change {
  /** Default: true. */
  readonly keepsMeasurements?: boolean;
  /** Inverts all gates, in reverse order, or adds controls, which are the first qubits. */
  readonly modifier?: { readonly kind: "inv" } | { readonly kind: "ctrl"; readonly count: number };
}

/** The memory that the numbers under a key of a statement or expression belong to. */
const MEMORY: { readonly [key: string]: Memory | undefined } = {
  ...{ qubits: "qubit", bits: "bit", slots: "slot", slot: "slot", stack: "slot", locals: "slot" },
};

/**
 * Adds the statements of a circuit to the one that is built, with its qubits, bits and slots in other places. Variables
 * that only hold what a loop runs over become that.
 */
export function copyStatements(
  builder: CircuitBuilder,
  parts: CircuitParts,
  moved: Partial<Places> = {},
  { keepsMeasurements = true, modifier }: Change = {},
): void {
  const places = { ...SAME, ...moved };
  const isInverse = modifier?.kind === "inv";
  const controls = modifier?.kind === "ctrl" ? [...Array(modifier.count).keys()] : [];
  const aliases = new Map<number, Expression>();
  const copied = new Map<object, unknown>();

  const mapped = (value: unknown, memory: Memory | undefined): unknown => {
    if (typeof value === "number") return memory ? places[memory](value) : value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(item => mapped(item, memory));
    if (!copied.has(value))
      copied.set(
        value,
        value instanceof Map
          ? new Map([...value].map(([key, place]) => [key, mapped(place, memory)]))
          : mappedObject(value as { kind?: string }, memory),
      );
    return copied.get(value);
  };
  const mappedObject = (value: { kind?: string; of?: string }, memory: Memory | undefined): object => {
    const alias = "slot" in value && "type" in value && aliases.get(value.slot as number);
    if (value.kind === "slot" && alias) return mapped(alias, undefined) as Expression;
    const of = value.of === "qubit" || value.of === "bit" ? value.of : undefined;
    const memoryOf = (key: string): Memory | undefined => {
      if (key === "base") return of ?? (value.kind === "elements" ? "slot" : undefined);
      if (key === "parts" && value.kind === "joined") return memory;
      if (key === "table" && value.kind === "mapped") return of ?? memory;
      if (key === "indices" && value.kind === "resolve") return "qubit";
      return MEMORY[key];
    };
    const entries = Object.entries(value).map(([key, inner]) => [
      key,
      key === "memory" ? mappedRange(inner as never) : mapped(inner, memoryOf(key)),
    ]);
    return Object.fromEntries(entries);
  };
  const mappedRange = ({ slots, bits }: MemoryRange): MemoryRange => {
    const range = ([start, end]: MemoryRange["slots"], place: (place: number) => number) =>
      end > start ? ([place(start), place(end - 1) + 1] as const) : ([0, 0] as const);
    return { slots: range(slots, places.slot), bits: range(bits, places.bit) };
  };

  const changed = (gate: Gate, params: Call["params"]) => {
    const call = { gate: sharedGate(builder, gate), params };
    return modifier ? modifiedCall(call, modifier) : call;
  };
  const step = (single: SingleStep): void => {
    if (single.kind === "gate") {
      const qubits = [...controls, ...single.qubits.map(places.qubit)];
      addCall(builder, { ...changed(single.gate, single.params), qubits });
    } else if ("qubits" in single) addStep(builder, { ...single, qubits: single.qubits.map(places.qubit) });
    else if ("qubit" in single && (single.kind !== "measure" || keepsMeasurements)) {
      const bit = "bit" in single && single.bit !== null && { bit: places.bit(single.bit) };
      addStep(builder, { ...single, ...bit, qubit: places.qubit(single.qubit) });
    }
  };
  const call = (made: Statement & { kind: "gate" }, own: Gate): Statement => {
    const isComputed = made.modifiers.length > 0;
    const { gate, params } = isComputed
      ? { gate: sharedGate(builder, own), params: made.params }
      : changed(own, made.params);
    return {
      ...made,
      gate: builder.gateIndex(gate),
      params: params.map(expressionOf),
      modifiers: isComputed && modifier ? [...made.modifiers, modifier] : made.modifiers,
      qubits: [...controls.map(control => [control]), ...made.qubits],
    };
  };
  const addBody = (body: StatementList): void => {
    for (const given of isInverse ? body.toReversed() : body) {
      if (given.kind === "operations") {
        const steps = stepsOf(parts, [given]);
        for (const single of isInverse ? steps.reverse() : steps) step(single);
      } else if (given.kind === "measure" && !keepsMeasurements) continue;
      else if (given.kind === "assign" && aliases.has(given.slot)) continue;
      else if (given.kind === "gate")
        builder.add(call(mapped(given, undefined) as typeof given, parts.gates[given.gate]!));
      else {
        const isLoop = given.kind === "for";
        const statement = isLoop && isInverse ? { ...given, values: reversedValues(given)! } : given;
        const bodies = bodiesOf(statement);
        const empty = bodies.map(() => []);
        const shell = mapped(withBodies(statement, empty), undefined) as Statement;
        const variable = isLoop ? aliasOf(given.slot, given.body) : undefined;
        if (variable) aliases.set(...variable);
        const copies = bodies.map(inner => builder.collect(() => addBody(inner)));
        if (variable) aliases.delete(variable[0]);
        builder.add(withBodies(shell, copies));
      }
    }
  };
  addBody(parts.body);
}

const definitions = new WeakMap<CircuitBuilder, Map<string, Gate>>();

/** Returns the gate with the same definition that the circuit has already, so it is defined once. */
function sharedGate(builder: CircuitBuilder, gate: Gate): Gate {
  if (gate.kind !== "composite") return gate;
  const known = definitions.get(builder) ?? new Map<string, Gate>();
  definitions.set(builder, known);
  const steps = gate.steps.map(step => ({
    ...step,
    gate: builder.gateIndex(sharedGate(builder, step.gate)),
  }));
  const key = JSON.stringify([gate.name, gate.numParams, gate.numQubits, steps], (_, value) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  const shared = known.get(key) ?? gate;
  known.set(key, shared);
  return shared;
}

/** Returns the variable that only holds what a loop runs over, which is in a slot, and its value; undefined for none. */
function aliasOf(loop: number, body: StatementList): [slot: number, value: Expression] | undefined {
  const [first] = body;
  if (first?.kind !== "assign") return undefined;
  const { slot, value } = first;
  const held = value.kind === "cast" && isSameType(value, value.operand) ? value.operand : value;
  const isSet = (statement: { readonly [key: string]: unknown }) =>
    statement !== first &&
    ((statement.kind === "assign" && statement.slot === slot) ||
      (statement.kind === "fill" && (!Array.isArray(statement.slots) || statement.slots.includes(slot))));
  const isAlias = held.kind === "slot" && held.slot === loop && !mentions(body, isSet);
  return isAlias ? [slot, held] : undefined;
}

const isSameType = (a: Expression, b: Expression): boolean =>
  a.type.kind === b.type.kind && a.type.width === b.type.width;

/** Whether plain data hold an object that passes a test. */
export function mentions(
  data: unknown,
  test: (value: { readonly kind: string; readonly [key: string]: unknown }) => boolean,
  seen = new Set<unknown>(),
): boolean {
  if (typeof data !== "object" || data === null || seen.has(data)) return false;
  seen.add(data);
  if ("kind" in data && test(data as never)) return true;
  return Object.values(data).some(inner => mentions(inner, test, seen));
}

/** Returns the values of a loop in reverse order, or as they are if its body does not use them; undefined if unknown. */
export function reversedValues({
  slot,
  values,
  body,
}: Extract<Statement, { kind: "for" }>): LoopValues | undefined {
  if (!mentions(body, each => each.kind === "slot" && each.slot === slot)) return values;
  if (values.kind === "list") {
    const { list } = values;
    if (list.kind !== "constants" && list.kind !== "values") return undefined;
    return { ...values, list: { ...list, values: list.values.toReversed() } as ValueList };
  }
  const { start, stop, step } = values;
  const by = step === null ? 1n : step.value;
  if (typeof by !== "bigint") return undefined;
  const whole = (value: bigint): Expression => constant(INT, value);
  const back = by === -1n ? null : whole(-by);
  if (by === 1n || by === -1n) return { ...values, start: stop, step: back, stop: start };
  if (typeof start.value !== "bigint" || typeof stop.value !== "bigint") return undefined;
  const last = start.value + ((stop.value - start.value) / by) * by;
  return { ...values, start: whole(last), step: back, stop: start };
}
