import { must, wholeNumber } from "../../contract/index.ts";
import type { Circuit } from "../../simulation/index.ts";

/** Selects the qubits to check, by the names in the program. */
export interface QubitSelection {
  /** Checked registers or qubits, in order, such as `["q"]` or `["q[2]"]`. Default: the first ones. */
  qubits?: readonly string[];
  /** Ancillas: registers or qubits, or how many follow the checked qubits. Default: none. */
  ancillas?: readonly string[] | number;
}

/**
 * Selects the `count` qubits that an exercise asks about, or says why they cannot be told. The `idle` ones are to be left
 * alone: they are neither asked about nor named as ancillas.
 */
export function selectQubits(circuit: Circuit, count: number, selection: QubitSelection) {
  const { qubits, ancillas = [] } = selection;
  const all = Array.from({ length: circuit.numQubits }, (_, qubit) => qubit);
  const named =
    typeof ancillas === "number" ? [] : ancillas.flatMap(name => namedQubits(circuit, name) ?? []);
  const given = qubits?.map(name => ({ name, found: namedQubits(circuit, name) }));
  const missing = given?.find(({ found }) => !found);
  if (missing) return `The program has no ${missing.name}, which is asked about.`;
  const candidates = given ? given.flatMap(({ found }) => found!) : all.filter(one => !named.includes(one));
  if (candidates.length < count)
    return `The program has ${candidates.length} qubit${candidates.length === 1 ? "" : "s"}${named.length > 0 ? " besides its ancillas" : ""}, and ${count} ${count === 1 ? "is" : "are"} asked for.`;
  const data = candidates.slice(0, count);
  const helpers =
    typeof ancillas === "number" ? candidates.slice(count, count + ancillas) : given ? all : named;
  return { data, idle: all.filter(one => !data.includes(one) && !helpers.includes(one)) };
}

/** Returns the qubits of a register, or the one of a name such as `q[2]`; undefined for an unknown one. */
export function namedQubits({ registers }: Circuit, name: string): number[] | undefined {
  const [, register = "", place] = /^\s*([^[\s]+)\s*(?:\[\s*(\d+)\s*\])?\s*$/.exec(name) ?? [];
  const found = registers.quantum.find(one => one.name === register);
  if (!found) return undefined;
  const all = Array.from({ length: found.size }, (_, i) => found.offset + i);
  return place === undefined ? all : all.slice(Number(place), Number(place) + 1);
}

const isNames = (value: unknown) =>
  Array.isArray(value) && value.every(name => /^[^[\s]+(\[\d+\])?$/.test(String(name)));

export const selectionChecks = {
  qubits: must('names such as ["q[2]"] or ["q"]', isNames),
  ancillas: must(
    'names such as ["a"], or how many there may be',
    value => isNames(value) || wholeNumber(0)(value) === undefined,
  ),
};
