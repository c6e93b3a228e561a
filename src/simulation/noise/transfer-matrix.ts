import type { ElementaryGate } from "../circuit/gate.ts";
import { unitaryOf } from "../circuit/unitary.ts";
import { adjoint, identity, innerProduct, type Matrix, multiply, sizeOf } from "../linear-algebra/matrix.ts";
import { memoized, remembered } from "../memoized.ts";
import { type ErrorSite, type GateNoise, isError, type NoiseOfGates } from "./gate-noise.ts";
import type { JumpSite } from "./jumps.ts";
import { pauliOperator } from "./kraus.ts";

/**
 * A Pauli transfer matrix, which acts on the expectation values of `size` Pauli operators: numbered by two bits a
 * qubit, the first qubit lowest (0 I, 1 X, 2 Y, 3 Z). Row-major.
 */
interface PauliTransferMatrix {
  readonly size: number;
  readonly entries: Float64Array;
}

/** The Pauli operators on each number of qubits. */
const PAULIS = new Map<number, Matrix[]>();

/** Returns the Pauli transfer matrix of Kraus operators: the sum of `Tr(P·K·Q·K†) / 2^n` in the row of P and the column of Q. */
function transferMatrixOf(operators: readonly Matrix[]): PauliTransferMatrix {
  const numQubits = Math.log2(sizeOf(operators[0]!));
  const size = 4 ** numQubits;
  const paulis = remembered(PAULIS, numQubits, () =>
    Array.from({ length: size }, (_, pauli) => pauliOperator(pauli, numQubits)),
  );
  const entries = new Float64Array(size * size);
  for (const operator of operators) {
    const inverse = adjoint(operator);
    for (let column = 0; column < size; column++) {
      const image = multiply(multiply(operator, paulis[column]!), inverse);
      for (let row = 0; row < size; row++)
        entries[row * size + column]! += innerProduct(paulis[row]!, image)[0] / 2 ** numQubits;
    }
  }
  return { size, entries };
}

/** Returns the Pauli transfer matrix of a site's channel. */
const channelOf = memoized(({ operators }: JumpSite) =>
  transferMatrixOf(operators.map(({ operator }) => operator)),
);

/** Entries below this are rounding errors. */
const ROUNDING = 1e-15;
/** Matrices that are cached per gate. */
const MAX_CACHED = 4096;

/** A Pauli transfer matrix in compressed sparse row form: the entries of row `r` begin at `starts[r]`. */
interface SparseTransferMatrix {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly entries: Float64Array;
  /** Whether every row has exactly one entry. */
  readonly isMonomial: boolean;
}

/** Builds and caches the Pauli transfer matrices of gates with their noise. */
export class NoisyTransferMatrices {
  readonly #noiseOf: NoiseOfGates;
  readonly #known = new Map<ElementaryGate, Map<string, SparseTransferMatrix>>();

  constructor(noiseOf: NoiseOfGates) {
    this.#noiseOf = noiseOf;
  }

  noise(gate: ElementaryGate, params: readonly number[], qubits: readonly number[]): GateNoise {
    return this.#noiseOf(gate, qubits, 0, params, 0);
  }

  /** Returns the transfer matrix of a gate followed by its noise. */
  of(gate: ElementaryGate, params: readonly number[], qubits: readonly number[]): SparseTransferMatrix {
    const known = remembered(this.#known, gate, () => new Map<string, SparseTransferMatrix>());
    if (known.size >= MAX_CACHED) known.clear();
    return remembered(known, `${qubits.join()} ${params.join()}`, () =>
      withNoise(transferMatrixOf([unitaryOf(gate, params)]), qubits, this.noise(gate, params, qubits)),
    );
  }
}

export const unitaryTransferMatrix = (matrix: Matrix): SparseTransferMatrix =>
  withNoise(transferMatrixOf([matrix]), [], []);

export function noiseTransferMatrix(qubits: readonly number[], noise: GateNoise): SparseTransferMatrix {
  return withNoise(transferMatrixOf([identity(2 ** qubits.length)]), qubits, noise);
}

/** Multiplies a transfer matrix on these qubits by that of noise after it. */
function withNoise(
  { size, entries: bare }: PauliTransferMatrix,
  qubits: readonly number[],
  noise: GateNoise,
): SparseTransferMatrix {
  const rows = Array.from({ length: size }, (_, row) => bare.slice(row * size, (row + 1) * size));
  for (const site of noise) {
    const places = site.qubits.map(qubit => qubits.indexOf(qubit));
    if (!isError(site)) multiplyRows(rows, places, channelOf(site));
    else
      rows.forEach((row, pauli) => {
        const factor = pauliFidelity(site, places, pauli);
        for (let i = 0; i < row.length; i++) row[i]! *= factor;
      });
  }
  return sparse(rows);
}

/** Multiplies by a transfer matrix that acts on some of the qubits. */
function multiplyRows(
  rows: Float64Array[],
  places: readonly number[],
  { size, entries }: PauliTransferMatrix,
): void {
  const mask = places.reduce((bits, place) => bits | (3 << (2 * place)), 0);
  const spread = (pauli: number) =>
    places.reduce((bits, place, i) => bits | (((pauli >> (2 * i)) & 3) << (2 * place)), 0);
  const offsets = Array.from({ length: size }, (_, pauli) => spread(pauli));
  rows.forEach((_, pauli) => {
    if ((pauli & mask) !== 0) return;
    const own = offsets.map(offset => rows[pauli | offset]!);
    offsets.forEach((offset, row) => {
      const sum = new Float64Array(own[0]!.length);
      own.forEach((other, column) => {
        const factor = entries[row * size + column]!;
        if (factor !== 0) for (let i = 0; i < sum.length; i++) sum[i]! += factor * other[i]!;
      });
      rows[pauli | offset] = sum;
    });
  });
}

/** Returns the Pauli fidelity of an error site: by what it shrinks an expectation value, whose sign errors flip that anticommute with its operator. */
function pauliFidelity(
  { hazard, kinds, weights }: ErrorSite,
  places: readonly number[],
  pauli: number,
): number {
  const share = (i: number) => (weights ? weights[i]! - (weights[i - 1] ?? 0) : 1 / kinds.length);
  const anticommuting = kinds.reduce((sum, kind, at) => {
    const differing = places.filter((place, i) => {
      const [own, error] = [(pauli >> (2 * place)) & 3, (kind >> (2 * i)) & 3];
      return own !== 0 && error !== 0 && own !== error;
    });
    return differing.length % 2 === 1 ? sum + share(at) : sum;
  }, 0);
  return 1 + 2 * Math.expm1(-hazard) * anticommuting;
}

function sparse(rows: readonly Float64Array[]): SparseTransferMatrix {
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

/**
 * Multiplies the expectation values of all Pauli operators on n qubits by a transfer matrix that acts on some positions,
 * the first of them lowest. The index of these 4^n numbers has two bits for each position, as in the matrix.
 */
export function applyTransferMatrix(
  values: Float64Array,
  positions: readonly number[],
  transfer: SparseTransferMatrix,
): void {
  const size = transfer.starts.length - 1;
  const offsets = Uint32Array.from({ length: size }, (_, pauli) =>
    positions.reduce((sum, position, i) => sum + (((pauli >> (2 * i)) & 3) << (2 * position)), 0),
  );
  const work: TransferTask = {
    ...transfer,
    sources: transfer.columns.map(column => offsets[column]!),
    offsets,
    sums: new Float64Array(size),
  };
  const steps = positions.map(position => 4 ** position).sort((a, b) => b - a);
  forEachBlock(values, work, steps, 0, 0, values.length);
}

/** A sparse transfer matrix with the offsets of the values that it reads and writes, relative to the one at which all of its positions are I. */
interface TransferTask extends SparseTransferMatrix {
  readonly sources: Uint32Array;
  readonly offsets: Uint32Array;
  readonly sums: Float64Array;
}

/** Visits the indices at which the positions of these steps are I, the widest step first. */
function forEachBlock(
  values: Float64Array,
  work: TransferTask,
  steps: readonly number[],
  level: number,
  from: number,
  to: number,
): void {
  const step = steps[level]!;
  for (let block = from; block < to; block += 4 * step)
    if (level === steps.length - 1) multiplyBlock(values, work, block, block + step);
    else forEachBlock(values, work, steps, level + 1, block, block + step);
}

function multiplyBlock(values: Float64Array, work: TransferTask, from: number, to: number): void {
  const { starts, entries, isMonomial, sources, offsets, sums } = work;
  const size = offsets.length;
  for (let at = from; at < to; at++) {
    if (isMonomial)
      for (let row = 1; row < size; row++) sums[row] = entries[row]! * values[at + sources[row]!]!;
    else
      for (let row = 1, entry = starts[1]!; row < size; row++) {
        let sum = 0;
        for (const end = starts[row + 1]!; entry < end; entry++)
          sum += entries[entry]! * values[at + sources[entry]!]!;
        sums[row] = sum;
      }
    for (let row = 1; row < size; row++) values[at + offsets[row]!] = sums[row]!;
  }
}
