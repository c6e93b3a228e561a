import { Circuit, type CircuitParts } from "./circuit.ts";
import { type GateData, gateData, gatesOf } from "./gate-data.ts";
import { decode, encode } from "./json.ts";
import type { Statement } from "./statement.ts";

/** A circuit as plain data, which `structuredClone` and `postMessage` take as it is. */
export interface CircuitData extends Omit<CircuitParts, "gates" | "body"> {
  readonly body: readonly Statement[];
  /** The definitions of the gates, and of all that these are made of. */
  readonly definitions: readonly GateData[];
  /** The place among the definitions of each gate that the operations and statements name. */
  readonly gates: readonly number[];
}

/** Returns a circuit as plain data; its typed arrays are shared with it. */
export function circuitData({ parts: { gates, body, ...parts } }: Circuit): CircuitData {
  const { definitions, places } = gateData(gates);
  return { ...parts, body: [...body], definitions, gates: places };
}

/**
 * Returns the circuit that data stand for: it runs, draws and prints as the one that they were made of. What it is
 * given has to come from {@link circuitData}; nothing about it is checked.
 */
export function circuitOf({ definitions, gates, ...parts }: CircuitData): Circuit {
  const all = gatesOf(definitions);
  return new Circuit({ ...parts, gates: gates.map(place => all[place]!) });
}

/** Returns a circuit as JSON text. */
export const circuitToJson = (circuit: Circuit): string => JSON.stringify(encode(circuitData(circuit)));

/** Returns the circuit of JSON that {@link circuitToJson} has written; nothing about it is checked. */
export const circuitFromJson = (text: string): Circuit => circuitOf(decode(JSON.parse(text)) as CircuitData);

/**
 * Returns 32 hexadecimal digits that are the same for circuits which do the same in the same words: the text that
 * they were compiled of, and where in it they stand, does not count. They are no protection against forgery.
 */
export function circuitHash(circuit: Circuit): string {
  const { operations, body, ...data } = circuitData(circuit);
  const { offsets: _, ends: __, ...columns } = operations;
  const text = JSON.stringify(
    encode({ ...data, operations: columns, body, source: null, notes: [] }),
    (key, value) =>
      ["range", "at", "label", "args"].includes(key) && !isOperands(key, value) ? undefined : value,
  );
  return hashOf(text);
}

/** The arguments of the call of a function are expressions; those of a gate are what a drawing writes for them. */
const isOperands = (key: string, value: unknown): boolean =>
  key === "args" && Array.isArray(value) && typeof value[0] !== "string";

/** Hashes a string into 128 bits: four streams of FNV-1a with different offset bases. */
function hashOf(text: string): string {
  const lanes = Uint32Array.of(0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b);
  for (let i = 0; i < text.length; i++)
    for (let lane = 0; lane < 4; lane++)
      lanes[lane] = Math.imul(lanes[lane]! ^ (text.charCodeAt(i) + lane * 0x100), 0x01000193);
  return [...lanes].map(lane => lane.toString(16).padStart(8, "0")).join("");
}
