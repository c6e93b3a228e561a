import { CircuitBuilder } from "../circuit/builder.ts";
import type { Circuit, CircuitParts } from "../circuit/circuit.ts";
import { constant, type Expression } from "../circuit/expression.ts";
import { OPERATION } from "../circuit/operations.ts";
import { INT } from "../circuit/values/types.ts";
import { SimulationError } from "../errors.ts";
import { copyStatements, mentions } from "./copy-statements.ts";

/** Returns a circuit on other qubits and bits, by the place of each of its own. */
export function placedCircuit(
  circuit: Circuit,
  qubits: readonly number[],
  bits?: readonly number[],
): Circuit {
  const { quantum, classical } = circuit.parts;
  const empty = new CircuitBuilder();
  const names = [quantum, classical].map(registers =>
    registers.length === 1 ? registers[0]!.name : undefined,
  );
  appendCircuit(empty, circuit, qubits, bits, names);
  return empty.finish();
}

/** Returns a copy of a circuit, with more at its end. */
export function extendedCircuit({ parts }: Circuit, add?: (builder: CircuitBuilder) => void): Circuit {
  const builder = CircuitBuilder.like(parts);
  copyStatements(builder, parts);
  add?.(builder);
  return builder.finish();
}

/** Adds a circuit on the given qubits and bits of the one that is built, which gets those that it lacks. */
export function appendCircuit(
  builder: CircuitBuilder,
  { parts, numQubits }: Circuit,
  qubits: readonly number[] = [...Array(numQubits).keys()],
  bits?: readonly number[],
  [quantum = "q", classical = "c"]: readonly (string | undefined)[] = [],
): void {
  const theirs = bitsOf(parts);
  checkPlaces("qubit", qubits, numQubits);
  if (bits) checkPlaces("bit", bits, theirs.length);
  widen(builder, Math.max(-1, ...qubits) + 1, quantum);
  if (!bits && builder.classical.length === 0) addRegistersOf(builder, parts);
  const targets = bits ?? theirs.map((_, i) => i);
  const lacking = Math.max(-1, ...targets) + 1 - bitsOf(builder).length;
  if (lacking > 0) addRegister(builder, lacking, builder.classical.length > 0 ? "more" : classical);
  const own = bitsOf(builder);
  const place = new Map(theirs.map((bit, i) => [bit, own[targets[i]!]!]));
  const [firstBit, firstSlot] = [builder.numBits, builder.numSlots];
  const local = (bit: number) => firstBit + bit - theirs.filter(other => other < bit).length;
  const names = builder.inputs.map(({ name }) => name);
  builder.inputs = [...builder.inputs, ...parts.inputs.filter(({ name }) => !names.includes(name))];
  builder.numBits += parts.numBits - theirs.length;
  builder.numSlots += parts.numSlots;
  copyStatements(builder, parts, {
    qubit: qubit => qubits[qubit]!,
    bit: bit => place.get(bit) ?? local(bit),
    slot: slot => firstSlot + slot,
  });
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
  builder.broadcast(numQubits, OPERATION.measure, [[...bits.keys()], bits]);
}

/**
 * Returns a circuit without its measurements and the bits that hold them.
 * Throws a {@link SimulationError} where measured values are used.
 */
export function unmeasuredCircuit(circuit: Circuit): Circuit {
  const { parts } = circuit;
  if (mentions(parts.body, ({ kind }) => ["bits", "store", "recurse", "graph"].includes(kind)))
    throw new SimulationError(
      "The program uses measured values or sets bits, so its measurements cannot be left out.",
    );
  const builder = CircuitBuilder.like(parts);
  builder.classical = [];
  builder.outputs = parts.outputs.filter(({ bits }) => bits === null);
  const theirs = bitsOf(parts);
  builder.numBits -= theirs.length;
  const bit = (place: number) => place - theirs.filter(other => other < place).length;
  copyStatements(builder, parts, { bit }, { keepsMeasurements: false });
  return builder.finish();
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

const MAX_PLACE = 65_535;

/** Refuses places that are not one for each qubit or bit of a program, all of them different. */
function checkPlaces(what: "qubit" | "bit", places: readonly number[], count: number): void {
  if (!Array.isArray(places) || places.length !== count)
    throw new SimulationError(
      `The program needs a list of ${count} ${what}s, not ${JSON.stringify(places)}.`,
    );
  const wrong = places.find(place => !Number.isInteger(place) || place < 0 || place > MAX_PLACE);
  if (wrong !== undefined) throw new SimulationError(`${wrong} is not the number of a ${what}.`);
  if (new Set(places).size < count)
    throw new SimulationError(`The ${what}s ${JSON.stringify(places)} must be different.`);
}

/** Lists the bits of all registers in their order. */
export const bitsOf = ({ classical }: Pick<CircuitParts, "classical">): number[] =>
  classical.flatMap(({ offset, width }) => Array.from({ length: width }, (_, i) => offset + i));

function widen(builder: CircuitBuilder, numQubits: number, name: string): void {
  const added = numQubits - builder.numQubits;
  if (added <= 0) return;
  const last = builder.quantum.at(-1) ?? { name, offset: 0, size: 0 };
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
