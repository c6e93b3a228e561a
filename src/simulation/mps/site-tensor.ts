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

/** Returns the matrix of a gate with a control on the left or on the right of its target; the value of the left site is the higher bit of an index. */
export function controlledMatrix(m: Matrix, value: number, isControlLeft: boolean): Matrix {
  const out = new Float64Array(32);
  for (let control = 0; control < 2; control++)
    for (let row = 0; row < 2; row++)
      for (let column = 0; column < 2; column++) {
        const at = (target: number) => (isControlLeft ? 2 * control + target : 2 * target + control);
        const to = 8 * at(row) + 2 * at(column);
        out[to] = control === value ? m[4 * row + 2 * column]! : Number(row === column);
        out[to + 1] = control === value ? m[4 * row + 2 * column + 1]! : 0;
      }
  return out;
}

/** Applies a matrix to the values of two sites in their product, whose rows are (left, first value) and columns (second value, right). */
export function applyPairMatrix(product: TensorMatrix, m: Matrix, left: number): TensorMatrix {
  const { columns, re, im } = product;
  const out = zeros(product.rows, columns);
  const width = columns / 2;
  for (let row = 0; row < left; row++)
    for (let to = 0; to < 4; to++)
      for (let from = 0; from < 4; from++) {
        const x = m[8 * to + 2 * from]!;
        const y = m[8 * to + 2 * from + 1]!;
        if (x === 0 && y === 0) continue;
        let source = (2 * row + (from >> 1)) * columns + (from & 1) * width;
        let target = (2 * row + (to >> 1)) * columns + (to & 1) * width;
        for (let i = 0; i < width; i++, source++, target++) {
          out.re[target]! += x * re[source]! - y * im[source]!;
          out.im[target]! += x * im[source]! + y * re[source]!;
        }
      }
  return out;
}

/** Multiplies a tensor by a matrix on its right index. */
export function changeRight(tensor: TensorMatrix, change: TensorMatrix | undefined): TensorMatrix {
  return change ? reshape(multiply(reshape(tensor, 2 * tensor.rows), change), tensor.rows) : tensor;
}
