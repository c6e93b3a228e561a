import type { Matrix } from "../linear-algebra/matrix.ts";
import { multiply, reshape, type TensorMatrix, zeros } from "./tensor-matrix.ts";

/*
 * Tensors of one site, as matrices: a row for each value of the left index, columns by (value of the site, right index).
 */

/** Applies a matrix to the values of a site. */
export function applyMatrix(tensor: TensorMatrix, m: Matrix): TensorMatrix {
  const { rows, columns, re, im } = tensor;
  const out = zeros(rows, columns);
  const half = columns / 2;
  for (let row = 0; row < rows; row++)
    for (let i = 0, a = row * columns, b = a + half; i < half; i++, a++, b++) {
      const [ar, ai, br, bi] = [re[a]!, im[a]!, re[b]!, im[b]!];
      out.re[a] = m[0]! * ar - m[1]! * ai + m[2]! * br - m[3]! * bi;
      out.im[a] = m[0]! * ai + m[1]! * ar + m[2]! * bi + m[3]! * br;
      out.re[b] = m[4]! * ar - m[5]! * ai + m[6]! * br - m[7]! * bi;
      out.im[b] = m[4]! * ai + m[5]! * ar + m[6]! * bi + m[7]! * br;
    }
  return out;
}

/** Returns the tensor at a site of the sum of two states: they share the left index of the first, and the right one of the last. */
export function directSum(
  a: TensorMatrix,
  b: TensorMatrix,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): TensorMatrix {
  const right = a.columns / 2;
  const rows = isFirst ? a.rows : 2 * a.rows;
  const width = isLast ? right : 2 * right;
  const sum = zeros(rows, 2 * width);
  const put = (from: TensorMatrix, firstRow: number, firstColumn: number) => {
    for (let row = 0; row < from.rows; row++)
      for (let value = 0; value < 2; value++) {
        const source = row * from.columns + value * right;
        const to = (firstRow + row) * 2 * width + value * width + firstColumn;
        for (let i = 0; i < right; i++) {
          sum.re[to + i]! += from.re[source + i]!;
          sum.im[to + i]! += from.im[source + i]!;
        }
      }
  };
  put(a, 0, 0);
  put(b, isFirst ? 0 : a.rows, isLast ? 0 : right);
  return sum;
}

/** Exchanges the values of two sites in their product, whose rows are (left, first value) and columns (second value, right). */
export function swapValues(product: TensorMatrix, left: number): TensorMatrix {
  const out = zeros(product.rows, product.columns);
  const width = product.columns / 2;
  for (let row = 0; row < left; row++)
    for (let first = 0; first < 2; first++)
      for (let second = 0; second < 2; second++) {
        const from = (2 * row + first) * product.columns + second * width;
        const to = (2 * row + second) * product.columns + first * width;
        out.re.set(product.re.subarray(from, from + width), to);
        out.im.set(product.im.subarray(from, from + width), to);
      }
  return out;
}

/** Multiplies a tensor by a matrix on its right index. */
export function changeRight(tensor: TensorMatrix, change: TensorMatrix | undefined): TensorMatrix {
  return change ? reshape(multiply(reshape(tensor, 2 * tensor.rows), change), tensor.rows) : tensor;
}
