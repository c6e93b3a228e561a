import { Circuit } from "./circuit.ts";
import type { CircuitParts } from "./circuit-parts.ts";
import type { Expression } from "./expression.ts";
import { compositeGate, type Gate } from "./gate.ts";
import { modificationOf, modify } from "./modifiers.ts";
import type { Modifier } from "./power.ts";
import { GPHASE, NATIVE, QASM2_BUILT_IN, QELIB1, STDGATES, U3 } from "./standard.ts";
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

/** Returns text that is the same for gates with the same definition. */
export const gateKey = (gate: Gate): string => JSON.stringify(encode(gateData([gate])));

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

const LIBRARIES: Readonly<Record<string, readonly Gate[]>> = {
  language: [U3, GPHASE],
  "stdgates.inc": STDGATES,
  "qelib1.inc": QELIB1,
  "OpenQASM 2": QASM2_BUILT_IN,
  native: NATIVE,
};

/** A gate as plain data: one of a library, one that is made of another, or a sequence of others. Other gates are places in the same list, in front of it. */
type GateData =
  | { readonly kind: "library"; readonly library: string; readonly name: string }
  | { readonly kind: "modified"; readonly gate: number; readonly modifier: Modifier }
  | {
      readonly kind: "defined";
      readonly name: string;
      readonly numParams: number;
      readonly numQubits: number;
      readonly operandNames?: readonly string[];
      readonly steps: readonly {
        readonly gate: number;
        readonly params: readonly Expression[];
        readonly qubits: readonly number[];
      }[];
    };

/** Returns gates as plain data: all that they are made of, and the place of each. */
function gateData(gates: readonly Gate[]): { definitions: GateData[]; places: number[] } {
  const definitions: GateData[] = [];
  const known = new Map<Gate, number>();
  const placeOf = (gate: Gate): number => {
    const place = known.get(gate);
    if (place !== undefined) return place;
    const data = dataOf(gate, placeOf);
    known.set(gate, definitions.push(data) - 1);
    return definitions.length - 1;
  };
  return { places: gates.map(placeOf), definitions };
}

function dataOf(gate: Gate, placeOf: (gate: Gate) => number): GateData {
  const { name, numParams, numQubits } = gate;
  for (const [library, gates] of Object.entries(LIBRARIES))
    if (gates.includes(gate)) return { kind: "library", library, name };
  const made = modificationOf(gate);
  if (made) return { kind: "modified", gate: placeOf(made.gate), modifier: made.modifier };
  if (gate.kind !== "composite") throw new TypeError(`The gate ${name} has no definition.`);
  const steps = gate.steps.map(step => ({ ...step, gate: placeOf(step.gate) }));
  const { operandNames } = gate;
  return { kind: "defined", name, numParams, numQubits, ...(operandNames && { operandNames }), steps };
}

/** Returns the gates that data stand for, in their order. */
function gatesOf(definitions: readonly GateData[]): Gate[] {
  const gates: Gate[] = [];
  for (const data of definitions)
    switch (data.kind) {
      case "library":
        gates.push(LIBRARIES[data.library]!.find(({ name }) => name === data.name)!);
        break;
      case "modified":
        gates.push(modify(gates[data.gate]!, data.modifier));
        break;
      case "defined": {
        const steps = data.steps.map(step => ({ ...step, gate: gates[step.gate]! }));
        const { name, numParams, numQubits, operandNames } = data;
        gates.push(compositeGate(name, numParams, numQubits, steps, { operandNames }));
      }
    }
  return gates;
}

const ARRAYS = { Uint8Array, Uint32Array, Float64Array } as const;

/** From how many members on a list that is named several times is written once. */
const SHARED_LENGTH = 16;

interface Encoded {
  readonly root: unknown;
  readonly shared: readonly unknown[];
}

/**
 * Turns plain data into what JSON can hold: whole numbers of any size, maps, typed arrays and numbers that are not
 * finite become objects with a key `$`. Long lists that are there several times are kept once.
 */
function encode(data: unknown): Encoded {
  const shared: unknown[] = [];
  const places = new Map<object, number>();
  const walk = (value: unknown): unknown => {
    if (typeof value === "bigint") return { $: "integer", value: value.toString() };
    if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0)))
      return { $: "number", value: Object.is(value, -0) ? "-0" : String(value) };
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Map) return { $: "map", value: [...value].map(walk) };
    if (ArrayBuffer.isView(value)) return { $: value.constructor.name, value: toBase64(value as Uint8Array) };
    if (Array.isArray(value)) return value.length < SHARED_LENGTH ? value.map(walk) : sharedList(value);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
  };
  const sharedList = (list: readonly unknown[]): unknown => {
    let place = places.get(list);
    if (place === undefined) {
      place = shared.push(null) - 1;
      places.set(list, place);
      shared[place] = list.map(walk);
    }
    return { $: "shared", value: place };
  };
  return { root: walk(data), shared };
}

/** Returns the data that {@link encode} was given. */
function decode({ root, shared }: Encoded): unknown {
  const lists: unknown[][] = [];
  const listAt = (place: number): unknown[] => {
    lists[place] ??= (shared[place] as unknown[]).map(walk);
    return lists[place];
  };
  const walk = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    if (!("$" in value))
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
    const { $: kind, value: inner } = value as { $: string; value: never };
    switch (kind) {
      case "integer":
        return BigInt(inner);
      case "number":
        return Number(inner);
      case "map":
        return new Map((inner as unknown[]).map(walk) as [unknown, unknown][]);
      case "shared":
        return listAt(inner);
      default:
        return new ARRAYS[kind as keyof typeof ARRAYS](fromBase64(inner).buffer);
    }
  };
  return walk(root);
}

function toBase64({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), character => character.charCodeAt(0));
