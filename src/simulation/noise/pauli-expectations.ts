import type { ElementaryGate } from "../circuit/gate.ts";
import { conjugate } from "../linear-algebra/matrix.ts";
import type { Planes } from "../statevector/small-amplitudes.ts";
import { applyMatrix, applyPermutation, applyPhase } from "../statevector/small-amplitudes.ts";
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
  if (positions.length === 1) {
    applyToOneQubit(values, positions[0]!, transfer);
    return;
  }
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

/** Applies a one-qubit transfer matrix; the row of I, the trace, is unchanged. */
function applyToOneQubit(
  values: Float64Array,
  position: number,
  { starts, columns, entries }: SparseTransferMatrix,
): void {
  const rowOf = (row: number): readonly [number, number, number, number] => {
    const m: [number, number, number, number] = [0, 0, 0, 0];
    for (let entry = starts[row]!; entry < starts[row + 1]!; entry++) m[columns[entry]!] = entries[entry]!;
    return m;
  };
  const [xi, xx, xy, xz] = rowOf(1);
  const [yi, yx, yy, yz] = rowOf(2);
  const [zi, zx, zy, zz] = rowOf(3);
  const step = 4 ** position;
  for (let block = 0; block < values.length; block += 4 * step)
    for (let i = block; i < block + step; i++) {
      const j = i + step;
      const k = j + step;
      const l = k + step;
      const a = values[i]!;
      const b = values[j]!;
      const c = values[k]!;
      const d = values[l]!;
      values[j] = xi * a + xx * b + xy * c + xz * d;
      values[k] = yi * a + yx * b + yy * c + yz * d;
      values[l] = zi * a + zx * b + zy * c + zz * d;
    }
}

/** Applies a gate on many qubits, by converting their Pauli operators to rows and columns of the density matrix and back. */
export function applyWideGate(
  values: Float64Array,
  positions: readonly number[],
  gate: ElementaryGate,
  params: readonly number[],
): Float64Array {
  const planes: Planes = { re: values, im: new Float64Array(values.length), size: values.length };
  for (const position of positions) toMatrixUnits(planes, position);
  const count = gate.controls.length;
  const m = gate.kind === "matrix" ? gate.matrix(params, 0) : null;
  for (const side of [0, 1]) {
    const bits = positions.map(position => 2 * position + side);
    const controls = bits.slice(0, count);
    const on = controls.reduce((mask, bit, i) => mask | (Number(gate.controls[i]) << bit), 0);
    if (gate.kind === "phase") {
      const angle = gate.scale * params[0]! * (side ? -1 : 1);
      applyPhase(planes, controls, on, Math.cos(angle), Math.sin(angle));
    } else if (gate.kind === "swap")
      applyPermutation(planes, bits.slice(count), controls, on | (1 << bits[count]!));
    else applyMatrix(planes, bits[count]!, controls, on, side ? conjugate(m!) : m!);
  }
  for (const position of positions) toPaulis(planes, position);
  return planes.re;
}

/** Converts I, X, Y and Z at a position to matrix units: bit 0 becomes the row, bit 1 the column. */
function toMatrixUnits({ re, im, size }: Planes, position: number): void {
  forEachSingleQubitGroup(size, position, (i, x, y, z) => {
    const [ar, ai, br, bi] = [re[i]!, im[i]!, re[x]!, im[x]!];
    const [cr, ci, dr, di] = [re[y]!, im[y]!, re[z]!, im[z]!];
    re[i] = (ar + dr) / 2;
    im[i] = (ai + di) / 2;
    re[x] = (br - ci) / 2;
    im[x] = (bi + cr) / 2;
    re[y] = (br + ci) / 2;
    im[y] = (bi - cr) / 2;
    re[z] = (ar - dr) / 2;
    im[z] = (ai - di) / 2;
  });
}

/** Converts matrix units at a position back to I, X, Y and Z. */
function toPaulis({ re, im, size }: Planes, position: number): void {
  forEachSingleQubitGroup(size, position, (i, x, y, z) => {
    const [ar, ai, br, bi] = [re[i]!, im[i]!, re[x]!, im[x]!];
    const [cr, ci, dr, di] = [re[y]!, im[y]!, re[z]!, im[z]!];
    re[i] = ar + dr;
    im[i] = ai + di;
    re[x] = br + cr;
    im[x] = bi + ci;
    re[y] = bi - ci;
    im[y] = cr - br;
    re[z] = ar - dr;
    im[z] = ai - di;
  });
}

function forEachSingleQubitGroup(
  size: number,
  position: number,
  visit: (i: number, x: number, y: number, z: number) => void,
): void {
  const step = 4 ** position;
  for (let block = 0; block < size; block += 4 * step)
    for (let i = block; i < block + step; i++) visit(i, i + step, i + 2 * step, i + 3 * step);
}
