import type { SparseTransferMatrix } from "./transfer-matrix.ts";

/*
 * Loops over the expectation values of all Pauli operators on n qubits: 4^n numbers, whose index has two bits for each
 * position (0 I, 1 X, 2 Y, 3 Z).
 */

/** Multiplies the values by a transfer matrix that acts on some positions, the first of them lowest. */
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
