import {
  type ElementaryGate,
  type ErrorSite,
  type GateNoise,
  type NoiseOfGates,
  RESET,
} from "./gate-noise.ts";
import { identityTransfer, type PauliTransfer, transferOf } from "./pauli-transfer.ts";

/** Entries below this are rounding. */
const ROUNDING = 1e-15;
/** Matrices that are kept of a gate. */
const MOST_KEPT = 4096;

/** A matrix on expectation values without its zeros: the entries of row `r` lie from `starts[r]` on. */
export interface SparseTransfer {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly entries: Float64Array;
  /** Whether each row has one entry. */
  readonly isMonomial: boolean;
}

/** Makes the matrices of gates together with their noise, each once. */
export class NoisyTransfers {
  readonly #noiseOf: NoiseOfGates;
  readonly #bare = new Map<ElementaryGate, Map<string, PauliTransfer>>();
  readonly #noisy = new Map<ElementaryGate, Map<string, SparseTransfer>>();

  constructor(noiseOf: NoiseOfGates) {
    this.#noiseOf = noiseOf;
  }

  /** Gives what comes with a gate. */
  noise(gate: ElementaryGate, qubits: readonly number[]): GateNoise {
    return this.#noiseOf(gate, qubits, 0);
  }

  /** Gives the matrix of a gate and of what comes with it. */
  of(gate: ElementaryGate, params: readonly number[], qubits: readonly number[]): SparseTransfer {
    const given = params.join();
    return kept(this.#noisy, gate, `${qubits.join()} ${given}`, () => {
      const bare = kept(this.#bare, gate, given, () => transferOf(gate, params));
      return withNoise(bare, qubits, this.noise(gate, qubits));
    });
  }
}

function kept<T>(
  all: Map<ElementaryGate, Map<string, T>>,
  gate: ElementaryGate,
  key: string,
  make: () => T,
): T {
  let own = all.get(gate);
  if (!own) {
    own = new Map();
    all.set(gate, own);
  }
  let made = own.get(key);
  if (made === undefined) {
    if (own.size >= MOST_KEPT) own.clear();
    made = make();
    own.set(key, made);
  }
  return made;
}

/** Gives noise without a gate. */
export function noiseTransfer(qubits: readonly number[], noise: GateNoise): SparseTransfer {
  return withNoise(identityTransfer(qubits.length), qubits, noise);
}

/** Puts noise behind a matrix on these qubits. */
function withNoise(
  { size, entries: bare }: PauliTransfer,
  qubits: readonly number[],
  { errors, decays }: GateNoise,
): SparseTransfer {
  const rows = Array.from({ length: size }, (_, row) => bare.slice(row * size, (row + 1) * size));
  for (const site of errors)
    if (site.kinds.includes(RESET))
      relax(rows, qubits.indexOf(site.qubits[0]!), -Math.expm1(-site.hazard), 1);
    else {
      const places = site.qubits.map(qubit => qubits.indexOf(qubit));
      rows.forEach((row, pauli) => {
        scale(row, survival(site, places, pauli));
      });
    }
  for (const { qubit, probability } of decays) relax(rows, qubits.indexOf(qubit), probability, 0.5);
  return sparse(rows);
}

/** Lets the 1 of a qubit go over into 0 by a share; coherences keep that power of what is left. */
function relax(rows: readonly Float64Array[], place: number, share: number, power: number): void {
  const at = 2 * place;
  rows.forEach((row, pauli) => {
    const digit = (pauli >> at) & 3;
    if (digit === 0) return;
    scale(row, digit === 3 ? 1 - share : (1 - share) ** power);
    const others = rows[pauli & ~(3 << at)]!;
    if (digit === 3) for (let i = 0; i < row.length; i++) row[i]! += share * others[i]!;
  });
}

/** Gives by what Pauli errors shrink an expectation value: those that anticommute with its operator turn its sign. */
function survival({ hazard, kinds }: ErrorSite, places: readonly number[], pauli: number): number {
  const anticommuting = kinds.filter(kind => {
    const differing = places.filter((place, i) => {
      const [own, error] = [(pauli >> (2 * place)) & 3, (kind >> (2 * i)) & 3];
      return own !== 0 && error !== 0 && own !== error;
    });
    return differing.length % 2 === 1;
  });
  return 1 + 2 * Math.expm1(-hazard) * (anticommuting.length / kinds.length);
}

function scale(row: Float64Array, factor: number): void {
  for (let i = 0; i < row.length; i++) row[i]! *= factor;
}

function sparse(rows: readonly Float64Array[]): SparseTransfer {
  const starts = new Uint32Array(rows.length + 1);
  const columns: number[] = [];
  const entries: number[] = [];
  rows.forEach((row, i) => {
    row.forEach((entry, column) => {
      if (Math.abs(entry) < ROUNDING) return;
      columns.push(column);
      entries.push(entry);
    });
    starts[i + 1] = columns.length;
  });
  const isMonomial = starts.every((start, row) => start === row);
  return { starts, columns: Uint32Array.from(columns), entries: Float64Array.from(entries), isMonomial };
}
