import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { constant, type Expression } from "../circuit/expression.ts";
import { compositeGate } from "../circuit/gate.ts";
import { modify } from "../circuit/modifiers.ts";
import { OPERATION } from "../circuit/operations.ts";
import { FLOAT, INT } from "../circuit/values/types.ts";
import { SimulationError } from "../errors.ts";
import { copyStatements, type Places } from "./copy-statements.ts";
import { controlledCall, inverseCall, poweredCall } from "./gate-names.ts";
import { type StraightCall, type StraightLine, straightLine } from "./straight-line.ts";

/** Number of operations up to which a power is written out; beyond, it is a loop. */
const MAX_WRITTEN_OUT = 256;
const SAME: Places = { qubit: place => place, bit: place => place, slot: place => place };

export const inverseCircuit = (circuit: Circuit): Circuit =>
  withLine(circuit, lineOf(circuit).map(inverseCall).reverse());

/** Returns a circuit whose gates act where all of some added qubits, which come first, are 1. */
export function controlledCircuit(circuit: Circuit, count: number): Circuit {
  const { quantum, numQubits } = circuit.parts;
  const line = lineOf(circuit).map(call =>
    Array.from({ length: count }, (_, i) => count - 1 - i).reduce(controlledCall, {
      ...call,
      qubits: call.qubits.map(qubit => qubit + count),
    }),
  );
  const builder = CircuitBuilder.like(circuit.parts);
  builder.numQubits = numQubits + count;
  const [only] = quantum;
  builder.quantum =
    only && quantum.length === 1
      ? [{ ...only, size: builder.numQubits }]
      : [
          { name: "control", offset: 0, size: count },
          ...quantum.map(register => ({ ...register, offset: register.offset + count })),
        ];
  addLine(builder, line);
  return builder.finish();
}

/**
 * Returns a circuit to a power: repeated, inverted and repeated, or for a fraction the principal power of all of it.
 * Throws a {@link SimulationError} for a fractional power of too many qubits.
 */
export function powerOfCircuit(circuit: Circuit, exponent: number): Circuit {
  if (!Number.isInteger(exponent)) return fractionalPower(circuit, exponent);
  const line = exponent < 0 ? lineOf(circuit).map(inverseCall).reverse() : lineOf(circuit);
  const times = Math.abs(exponent);
  const [only] = line;
  const powered = only && line.length === 1 ? poweredCall(only, times) : undefined;
  if (powered) return withLine(circuit, [powered]);
  if (line.length * times <= MAX_WRITTEN_OUT)
    return withLine(circuit, Array.from({ length: times }, () => line).flat());
  const builder = CircuitBuilder.like(circuit.parts);
  addLoop(builder, times, () => addLine(builder, line));
  return builder.finish();
}

function fractionalPower(circuit: Circuit, exponent: number): Circuit {
  try {
    const gate = modify(gateOf(circuit, "block"), { kind: "pow", exponent });
    const qubits = [...Array(circuit.numQubits).keys()];
    return withLine(circuit, [{ kind: "gate", gate, params: [], qubits }]);
  } catch (error) {
    if (error instanceof RangeError) throw new SimulationError(error.message);
    throw error;
  }
}

/** Returns a circuit of gates as one gate without parameters. */
export function gateOf(circuit: Circuit, name: string) {
  const calls = lineOf(circuit).filter(call => call.kind === "gate");
  const steps = calls.map(({ gate, params, qubits }) => ({
    ...{ gate, qubits },
    params: params.map(param => {
      if (typeof param === "number") return constant(FLOAT, param);
      throw new SimulationError("This needs a value for each input. Give it one with assign().");
    }),
  }));
  return compositeGate(name, 0, circuit.numQubits, steps);
}

/** Returns a circuit on other qubits and bits, by the place of each of its own. */
export function placedCircuit(
  circuit: Circuit,
  qubits: readonly number[],
  bits?: readonly number[],
): Circuit {
  const { quantum, classical } = circuit.parts;
  const empty = new CircuitBuilder();
  empty.numQubits = Math.max(-1, ...qubits) + 1;
  const name = quantum.length === 1 ? quantum[0]!.name : "q";
  if (empty.numQubits > 0) empty.quantum = [{ name, offset: 0, size: empty.numQubits }];
  if (!bits) addRegistersOf(empty, circuit.parts);
  else addRegister(empty, Math.max(-1, ...bits) + 1, classical.length === 1 ? classical[0]!.name : "c");
  return joinedCircuits(empty.finish(), circuit, qubits, bits);
}

/** Returns two circuits after each other. The second one acts on the given qubits and bits of the first. */
export function joinedCircuits(
  first: Circuit,
  second: Circuit,
  qubits: readonly number[] = [...Array(second.numQubits).keys()],
  bits?: readonly number[],
): Circuit {
  const builder = CircuitBuilder.like(first.parts);
  copyStatements(builder, first.parts, SAME);
  appendCircuit(builder, second, qubits, bits);
  return builder.finish();
}

/** Adds a circuit on the given qubits and bits of the one that is built, which gets those that it lacks. */
export function appendCircuit(
  builder: CircuitBuilder,
  { parts }: Circuit,
  qubits: readonly number[],
  bits?: readonly number[],
): void {
  widen(builder, Math.max(-1, ...qubits) + 1);
  const theirs = bitsOf(parts);
  if (!bits && builder.classical.length === 0) addRegistersOf(builder, parts);
  const targets = bits ?? theirs.map((_, i) => i);
  const lacking = Math.max(-1, ...targets) + 1 - bitsOf(builder).length;
  if (lacking > 0) addRegister(builder, lacking, builder.classical.length > 0 ? "more" : "c");
  const own = bitsOf(builder);
  const place = new Map(theirs.map((bit, i) => [bit, own[targets[i]!]!]));
  const [firstBit, firstSlot] = [builder.numBits, builder.numSlots];
  const local = (bit: number) => firstBit + bit - theirs.filter(other => other < bit).length;
  const places: Places = {
    qubit: qubit => qubits[qubit]!,
    bit: bit => place.get(bit) ?? local(bit),
    slot: slot => firstSlot + slot,
  };
  builder.numBits += parts.numBits - theirs.length;
  builder.numSlots += parts.numSlots;
  copyStatements(builder, parts, places);
}

/** Returns a circuit that measures every qubit at its end: each into the bit of its number. */
export function measuredCircuit(circuit: Circuit): Circuit {
  const builder = CircuitBuilder.like(circuit.parts);
  copyStatements(builder, circuit.parts, SAME);
  addMeasurements(builder);
  return builder.finish();
}

/**
 * Measures every qubit into the bit of its number; where there are no bits, they are added.
 * Throws a {@link SimulationError} where there are too few.
 */
export function addMeasurements(builder: CircuitBuilder): void {
  const { numQubits } = builder;
  if (builder.classical.length === 0) addRegister(builder, numQubits, "c");
  const bits = bitsOf(builder);
  if (bits.length < numQubits)
    throw new SimulationError(
      `${numQubits} qubits need ${numQubits} bits, but the program has ${bits.length}. Declare ${numQubits} bits, or none.`,
    );
  for (let qubit = 0; qubit < numQubits; qubit++)
    builder.addOperation(OPERATION.measure, [qubit, bits[qubit]!]);
}

/**
 * Returns a circuit without its measurements and the bits that hold them.
 * Throws a {@link SimulationError} where measured values are used.
 */
export function unmeasuredCircuit(circuit: Circuit): Circuit {
  const { parts } = circuit;
  if (mentions(parts.body, new Set(["bits", "store", "recurse", "graph"])))
    throw new SimulationError(
      "The program uses measured values or sets bits, so its measurements cannot be left out.",
    );
  const builder = CircuitBuilder.like(parts);
  builder.classical = [];
  builder.outputs = parts.outputs.filter(({ bits }) => bits === null);
  const theirs = bitsOf(parts);
  builder.numBits -= theirs.length;
  const bit = (place: number) => place - theirs.filter(other => other < place).length;
  copyStatements(builder, parts, { ...SAME, bit }, kind => kind !== "measure");
  return builder.finish();
}

/** Whether plain data hold an object of one of some kinds. */
function mentions(data: unknown, kinds: ReadonlySet<string>, seen = new Set<unknown>()): boolean {
  if (typeof data !== "object" || data === null || seen.has(data)) return false;
  seen.add(data);
  if ("kind" in data && kinds.has(data.kind as string)) return true;
  return Object.values(data).some(inner => mentions(inner, kinds, seen));
}

/** Adds a loop that runs its body a number of times. */
export function addLoop(builder: CircuitBuilder, times: number, fill: () => void): void {
  const slot = builder.numSlots;
  builder.numSlots += 3;
  const whole = (value: number): Expression => constant(INT, BigInt(value));
  const body = builder.collect(fill);
  const values = { kind: "range", start: whole(1), step: null, stop: whole(times), at: 0 } as const;
  builder.add({ kind: "for", label: `×${times}`, slot, values, body });
}

/** Returns the gates of a circuit whose inputs stand in the places of the variables that hold them. */
function lineOf(circuit: Circuit): StraightLine {
  const builder = CircuitBuilder.like(circuit.parts);
  copyStatements(builder, circuit.parts, SAME);
  return straightLine(builder.finish().parts);
}

function withLine({ parts }: Circuit, line: StraightLine): Circuit {
  const builder = CircuitBuilder.like(parts);
  addLine(builder, line);
  return builder.finish();
}

function addLine(builder: CircuitBuilder, line: StraightLine): void {
  for (const call of line)
    if (call.kind === "gate") addCall(builder, call);
    else builder.addOperation(OPERATION.barrier, call.qubits);
}

export function addCall(
  builder: CircuitBuilder,
  { gate, params, qubits }: Pick<StraightCall, "gate" | "params" | "qubits">,
): void {
  const place = builder.gateIndex(gate);
  if (params.every(param => typeof param === "number")) {
    builder.addOperation(OPERATION.gate, qubits, place, params);
    return;
  }
  const { name } = gate;
  const expressions = params.map(param => (typeof param === "number" ? constant(FLOAT, param) : param));
  builder.add({
    ...{ kind: "gate", gate: place, name, label: name, args: [], modifiers: [], params: expressions },
    qubits: qubits.map(qubit => [qubit]),
  });
}

/** Lists the bits of all registers in their order. */
export const bitsOf = ({ classical }: Pick<CircuitParts, "classical">): number[] =>
  classical.flatMap(({ offset, width }) => Array.from({ length: width }, (_, i) => offset + i));

function widen(builder: CircuitBuilder, numQubits: number): void {
  const added = numQubits - builder.numQubits;
  if (added <= 0) return;
  const last = builder.quantum.at(-1) ?? { name: "q", offset: 0, size: 0 };
  builder.quantum = [...builder.quantum.slice(0, -1), { ...last, size: last.size + added }];
  builder.numQubits = numQubits;
}

export function addRegister(
  builder: CircuitBuilder,
  width: number,
  name: string,
  type = `bit[${width}]`,
): void {
  if (width <= 0) return;
  const offset = builder.numBits;
  const bits = Array.from({ length: width }, (_, i) => offset + i);
  builder.classical = [...builder.classical, { name, offset, width }];
  builder.outputs = [...builder.outputs, { name, type, bits, slots: null }];
  builder.numBits += width;
}

function addRegistersOf(builder: CircuitBuilder, { classical, outputs }: CircuitParts): void {
  const singles = outputs.filter(({ type }) => type === "bit").map(({ name }) => name);
  for (const { name, width } of classical)
    addRegister(builder, width, name, singles.includes(name) ? "bit" : undefined);
}
