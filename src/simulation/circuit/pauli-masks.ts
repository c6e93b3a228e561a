import type { LibraryCall } from "./measured.ts";

/** A product of Pauli matrices on qubits, as masks: bit i of `x` is set for X and Y on qubit i, of `z` for Z and Y. */
export interface PauliMasks {
  readonly x: bigint;
  readonly z: bigint;
}

/** Returns a product of Pauli matrices, each by the number of its qubit, as masks. */
export function masksOf(factors: Iterable<readonly [qubit: number, pauli: "X" | "Y" | "Z"]>): PauliMasks {
  let [x, z] = [0n, 0n];
  for (const [qubit, pauli] of factors) {
    if (pauli !== "Z") x |= 1n << BigInt(qubit);
    if (pauli !== "X") z |= 1n << BigInt(qubit);
  }
  return { x, z };
}

/** Lists the places of set bits, ascending. */
export function placesOf(mask: bigint): number[] {
  const places: number[] = [];
  for (let place = 0, rest = mask; rest; place++, rest >>= 1n) if (rest & 1n) places.push(place);
  return places;
}

export const bit = (mask: bigint, place: number): bigint => (mask >> BigInt(place)) & 1n;

/** Returns the qubits that a string acts on. */
export const supportOf = ({ x, z }: PauliMasks): bigint => x | z;

const weightOf = (string: PauliMasks): number => placesOf(supportOf(string)).length;

/** Whether two strings commute. */
export const commute = (a: PauliMasks, b: PauliMasks): boolean =>
  (placesOf(a.x & b.z).length + placesOf(a.z & b.x).length) % 2 === 0;

/** Whether two strings have the same matrix on every qubit that both act on. */
export const commuteByQubit = (a: PauliMasks, b: PauliMasks): boolean =>
  (((a.x ^ b.x) | (a.z ^ b.z)) & supportOf(a) & supportOf(b)) === 0n;

/** Writes a string such as `X0 Z2`. */
export const stringName = ({ x, z }: PauliMasks): string =>
  placesOf(x | z)
    .map(place => `${bit(x, place) ? (bit(z, place) ? "Y" : "X") : "Z"}${place}`)
    .join(" ");

/** A Pauli string with its sign: odd for −1. */
interface SignedString {
  x: bigint;
  z: bigint;
  sign: bigint;
}

/** Turns a string as a gate turns what it acts on: U P U⁻¹. */
function conjugate(string: SignedString, { gate, qubits: [a = 0, b = 0] }: LibraryCall): void {
  const [xa, za, xb, zb] = [bit(string.x, a), bit(string.z, a), bit(string.x, b), bit(string.z, b)];
  const [A, B] = [BigInt(a), BigInt(b)];
  if (gate === "h") {
    string.sign ^= xa & za;
    string.x ^= (xa ^ za) << A;
    string.z ^= (xa ^ za) << A;
  } else if (gate === "s") {
    string.sign ^= xa & za;
    string.z ^= xa << A;
  } else if (gate === "cx") {
    string.sign ^= xa & zb & (xb ^ za ^ 1n);
    string.x ^= xa << B;
    string.z ^= zb << A;
  } else {
    string.sign ^= xa & xb & (za ^ zb);
    string.z ^= (xa << B) ^ (xb << A);
  }
}

/**
 * Finds Clifford gates after which commuting strings are products of Z, of the qubits in a mask and with a sign: one string
 * after the other is turned into X on one of its qubits, and that into Z.
 */
export function diagonalize(strings: readonly PauliMasks[]) {
  const signed = strings.map(({ x, z }) => ({ x, z, sign: 0n }));
  const rows = signed.map(string => ({ ...string }));
  const gates: LibraryCall[] = [];
  const apply = (gate: string, ...qubits: number[]) => {
    const call = { gate, qubits };
    gates.push(call);
    for (const string of [...signed, ...rows]) conjugate(string, call);
  };
  for (;;) {
    const open = rows.filter(({ x }) => x !== 0n);
    if (open.length === 0) break;
    const [row] = open.sort((a, b) => weightOf(a) - weightOf(b)) as [SignedString];
    const [pivot, ...others] = placesOf(row.x) as [number, ...number[]];
    for (const other of others) apply("cx", pivot, other);
    if (bit(row.z, pivot)) apply("s", pivot);
    for (const other of placesOf(row.z)) apply("cz", pivot, other);
    apply("h", pivot);
    for (const other of rows) if (other !== row && bit(other.z, pivot)) other.z ^= row.z;
  }
  return {
    gates,
    products: signed.map(({ z, sign }) => ({ mask: z, sign: sign ? (-1 as const) : (1 as const) })),
  };
}
