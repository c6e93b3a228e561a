import type { TensorMatrix } from "./tensor-matrix.ts";

/**
 * Returns a matrix R with at most as many rows as columns and `R†R = M†M`: the triangular factor of a QR
 * decomposition by Householder reflections, or the matrix itself where it has no more rows than columns.
 */
export function triangularFactor(matrix: TensorMatrix): TensorMatrix {
  const { rows, columns } = matrix;
  if (rows <= columns) return matrix;
  const re = matrix.re.slice();
  const im = matrix.im.slice();
  const sumRe = new Float64Array(columns);
  const sumIm = new Float64Array(columns);
  for (let k = 0; k < columns; k++) {
    const pivot = k * columns + k;
    let squared = 0;
    for (let i = pivot; i < re.length; i += columns) squared += re[i]! * re[i]! + im[i]! * im[i]!;
    if (squared === 0) continue;
    const norm = Math.sqrt(squared);
    const size = Math.hypot(re[pivot]!, im[pivot]!);
    const [phaseRe, phaseIm] = size > 0 ? [re[pivot]! / size, im[pivot]! / size] : [1, 0];
    // The reflection's vector is the column with its first entry enlarged by the norm, so that nothing cancels.
    re[pivot]! += phaseRe * norm;
    im[pivot]! += phaseIm * norm;
    const factor = 1 / (norm * (norm + size));
    sumRe.fill(0);
    sumIm.fill(0);
    for (let i = k; i < rows; i++) {
      const x = re[i * columns + k]!;
      const y = im[i * columns + k]!;
      for (let j = k + 1, at = i * columns + k + 1; j < columns; j++, at++) {
        sumRe[j]! += x * re[at]! + y * im[at]!;
        sumIm[j]! += x * im[at]! - y * re[at]!;
      }
    }
    for (let i = k; i < rows; i++) {
      const x = re[i * columns + k]! * factor;
      const y = im[i * columns + k]! * factor;
      for (let j = k + 1, at = i * columns + k + 1; j < columns; j++, at++) {
        re[at]! -= x * sumRe[j]! - y * sumIm[j]!;
        im[at]! -= x * sumIm[j]! + y * sumRe[j]!;
      }
    }
    for (let i = k; i < rows; i++) re[i * columns + k] = im[i * columns + k] = 0;
    re[pivot] = -phaseRe * norm;
    im[pivot] = -phaseIm * norm;
  }
  const size = columns * columns;
  return { rows: columns, columns, re: re.slice(0, size), im: im.slice(0, size) };
}
