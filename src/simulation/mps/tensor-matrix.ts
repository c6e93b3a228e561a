/** A tensor as a complex matrix of any shape, row by row, real and imaginary parts in separate arrays. It is immutable once it is shared. */
export interface TensorMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
}

export const zeros = (rows: number, columns: number): TensorMatrix => ({
  rows,
  columns,
  re: new Float64Array(rows * columns),
  im: new Float64Array(rows * columns),
});

/** Returns the numbers of a matrix in rows of another length. */
export const reshape = ({ re, im }: TensorMatrix, rows: number): TensorMatrix => ({
  rows,
  columns: re.length / rows,
  re,
  im,
});

export function identity(size: number): TensorMatrix {
  const matrix = zeros(size, size);
  for (let i = 0; i < size; i++) matrix.re[i * (size + 1)] = 1;
  return matrix;
}

export function transpose({ rows, columns, re, im }: TensorMatrix): TensorMatrix {
  const out = zeros(columns, rows);
  for (let row = 0, at = 0; row < rows; row++)
    for (let to = row; to < re.length; to += rows, at++) {
      out.re[to] = re[at]!;
      out.im[to] = im[at]!;
    }
  return out;
}

/** Returns a matrix of which every number is multiplied by a real one. */
export const scale = ({ rows, columns, re, im }: TensorMatrix, factor: number): TensorMatrix => ({
  rows,
  columns,
  re: re.map(part => part * factor),
  im: im.map(part => part * factor),
});

/** Returns the sum of the squared absolute values of a matrix. */
export function squaredNorm({ re, im }: TensorMatrix): number {
  let sum = 0;
  for (let i = 0; i < re.length; i++) sum += re[i]! * re[i]! + im[i]! * im[i]!;
  return sum;
}

/** Returns the product of two matrices. */
export function multiply(a: TensorMatrix, b: TensorMatrix): TensorMatrix {
  const n = b.columns;
  const product = zeros(a.rows, n);
  const { re, im } = product;
  for (let i = 0; i < a.rows; i++) {
    const to = i * n;
    for (let k = 0; k < a.columns; k++) {
      const x = a.re[i * a.columns + k]!;
      const y = a.im[i * a.columns + k]!;
      if (x === 0 && y === 0) continue;
      const from = k * n;
      for (let j = 0; j < n; j++) {
        const u = b.re[from + j]!;
        const v = b.im[from + j]!;
        re[to + j]! += x * u - y * v;
        im[to + j]! += x * v + y * u;
      }
    }
  }
  return product;
}

/** Returns the product of a matrix and the conjugate transpose of another. */
export function multiplyAdjoint(a: TensorMatrix, b: TensorMatrix): TensorMatrix {
  const n = a.columns;
  const product = zeros(a.rows, b.rows);
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < b.rows; j++) {
      let re = 0;
      let im = 0;
      for (let k = 0, p = i * n, q = j * n; k < n; k++, p++, q++) {
        re += a.re[p]! * b.re[q]! + a.im[p]! * b.im[q]!;
        im += a.im[p]! * b.re[q]! - a.re[p]! * b.im[q]!;
      }
      product.re[i * b.rows + j] = re;
      product.im[i * b.rows + j] = im;
    }
  return product;
}
