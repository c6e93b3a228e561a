import type { CircuitBuilder } from "../circuit/builder.ts";
import type { CircuitParts } from "../circuit/circuit.ts";
import type { Expression } from "../circuit/expression.ts";
import type { Gate } from "../circuit/gate.ts";
import { NO_BIT, OPERATION } from "../circuit/operations.ts";
import {
  bodiesOf,
  type MemoryRange,
  type Statement,
  type StatementList,
  withBodies,
} from "../circuit/statement.ts";

type Memory = "qubit" | "bit" | "slot";

/** The places of a circuit's memory in another circuit. */
export type Places = { readonly [memory in Memory]: (place: number) => number };

const KINDS = Object.keys(OPERATION) as (keyof typeof OPERATION)[];

/** The memory that the numbers under a key of a statement or expression belong to. */
const MEMORY: { readonly [key: string]: Memory | undefined } = {
  ...{ qubits: "qubit", bits: "bit", slots: "slot", slot: "slot", stack: "slot", locals: "slot" },
};

/**
 * Adds the statements of a circuit to the one that is built, with its qubits, bits and slots in other places. Variables
 * that only hold an input become the input.
 *
 * @param keeps - Whether an operation of the circuit, by its kind, is added. Default: all are.
 */
export function copyStatements(
  builder: CircuitBuilder,
  parts: CircuitParts,
  places: Places,
  keeps: (kind: keyof typeof OPERATION) => boolean = () => true,
): void {
  const inputs = inputVariables(parts.body);
  const copied = new Map<object, unknown>();

  const mapped = (value: unknown, memory: Memory | undefined): unknown => {
    if (typeof value === "number") return memory ? places[memory](value) : value;
    if (typeof value !== "object" || value === null) return value;
    const known = copied.get(value);
    if (known) return known;
    const made = Array.isArray(value)
      ? value.map(item => mapped(item, memory))
      : value instanceof Map
        ? new Map([...value].map(([key, place]) => [key, mapped(place, memory)]))
        : mappedObject(value as { kind?: string }, memory);
    if (!Array.isArray(value)) copied.set(value, made);
    return made;
  };
  const mappedObject = (value: { kind?: string; of?: string }, memory: Memory | undefined): object => {
    if (value.kind === "slot" && "type" in value) {
      const input = inputs.get((value as Expression & { kind: "slot" }).slot);
      if (input) return input;
    }
    const of = value.of === "qubit" || value.of === "bit" ? value.of : undefined;
    const memoryOf = (key: string): Memory | undefined => {
      if (key === "base") return of ?? (value.kind === "elements" ? "slot" : undefined);
      if (key === "parts" && value.kind === "joined") return memory;
      if (key === "table" && value.kind === "mapped") return of ?? memory;
      if (key === "indices" && value.kind === "resolve") return "qubit";
      return MEMORY[key];
    };
    return Object.fromEntries(
      Object.entries(value as Record<string, unknown>).map(([key, inner]) => [
        key,
        key === "memory" ? mappedRange(inner as MemoryRange) : mapped(inner, memoryOf(key)),
      ]),
    );
  };
  const mappedRange = ({ slots, bits }: MemoryRange): MemoryRange => {
    const range = (
      [start, end]: MemoryRange["slots"],
      place: (place: number) => number,
    ): MemoryRange["slots"] => (end > start ? [place(start), place(end - 1) + 1] : [0, 0]);
    return { slots: range(slots, places.slot), bits: range(bits, places.bit) };
  };

  const addRun = ({ start, end: stop }: Statement & { kind: "operations" }): void => {
    const { kinds, gates, operands, operandStarts, params, paramStarts } = parts.operations;
    for (let i = start; i < stop; i++) {
      const kind = kinds[i]!;
      const isMeasurement = kind === OPERATION.measure;
      if (!keeps(KINDS[kind]!)) continue;
      const gate =
        kind === OPERATION.gate ? builder.gateIndex(sharedGate(builder, parts.gates[gates[i]!]!)) : 0;
      const [first, end] = [operandStarts[i]!, operandStarts[i + 1]!];
      const moved = Array.from(operands.subarray(first, end), (place, k) => {
        if (place === NO_BIT) return NO_BIT;
        return places[isMeasurement && k > 0 ? "bit" : "qubit"](place);
      });
      builder.addOperation(kind, moved, gate, [...params.subarray(paramStarts[i]!, paramStarts[i + 1]!)]);
    }
  };
  const addBody = (body: StatementList): void => {
    for (const statement of body) {
      if (statement.kind === "operations") addRun(statement);
      else if (statement.kind === "measure" && !keeps("measure")) continue;
      else if (statement.kind === "assign" && inputs.has(statement.slot)) continue;
      else {
        const bodies = bodiesOf(statement);
        const shell = mapped(
          withBodies(
            statement,
            bodies.map(() => []),
          ),
          undefined,
        ) as Statement;
        const inner = bodies.map(each => builder.collect(() => addBody(each)));
        const made = withBodies(shell, inner);
        builder.add(
          made.kind === "gate"
            ? { ...made, gate: builder.gateIndex(sharedGate(builder, parts.gates[made.gate]!)) }
            : made,
        );
      }
    }
  };
  addBody(parts.body);
}

const definitions = new WeakMap<CircuitBuilder, Map<string, Gate>>();
const ids = new WeakMap<Gate, number>();
let numIds = 0;

/** Returns the gate with the same definition that the circuit has already, so that it is defined once. */
function sharedGate(builder: CircuitBuilder, gate: Gate): Gate {
  if (gate.kind !== "composite") return gate;
  const known = definitions.get(builder) ?? new Map<string, Gate>();
  definitions.set(builder, known);
  const steps = gate.steps.map(step => ({ ...step, gate: idOf(sharedGate(builder, step.gate)) }));
  const key = JSON.stringify([gate.name, gate.numParams, gate.numQubits, steps], (_, value) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  const shared = known.get(key) ?? gate;
  known.set(key, shared);
  return shared;
}

function idOf(gate: Gate): number {
  const id = ids.get(gate) ?? ++numIds;
  ids.set(gate, id);
  return id;
}

/** Finds the variables of a program that hold the value of an input from its beginning to its end. */
function inputVariables(body: StatementList): ReadonlyMap<number, Expression> {
  const inputs = new Map<number, Expression>();
  const assigned = new Set<number>();
  const visit = (statements: StatementList, isOuter: boolean): void => {
    for (const statement of statements) {
      if (statement.kind === "assign") {
        const { slot, value } = statement;
        if (isOuter && value.kind === "input" && !assigned.has(slot)) inputs.set(slot, value);
        else inputs.delete(slot);
        assigned.add(slot);
      }
      if (statement.kind === "fill") {
        if (!Array.isArray(statement.slots)) inputs.clear();
        else for (const slot of statement.slots as number[]) inputs.delete(slot);
      }
      for (const inner of bodiesOf(statement)) visit(inner, false);
    }
  };
  visit(body, true);
  return inputs;
}
