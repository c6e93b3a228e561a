/**
 * A square complex matrix, row by row, real and imaginary parts interleaved. In the matrix of a gate, the first qubit is
 * the lowest bit of an index.
 */
export type Matrix = Float64Array;

export const sizeOf = (m: Matrix): number => Math.sqrt(m.length / 2);

export const zeros = (size: number): Matrix => new Float64Array(2 * size * size);

export function identity(size: number): Matrix {
  const out = zeros(size);
  for (let i = 0; i < size; i++) out[2 * i * (size + 1)] = 1;
  return out;
}

export function multiply(a: Matrix, b: Matrix): Matrix {
  const out = new Float64Array(a.length);
  const width = 2 * sizeOf(a);
  for (let row = 0; row < a.length; row += width)
    for (let k = 0; k < width; k += 2) {
      const x = a[row + k]!;
      const y = a[row + k + 1]!;
      if (x === 0 && y === 0) continue;
      const from = (k * width) / 2;
      for (let column = 0; column < width; column += 2) {
        const p = b[from + column]!;
        const q = b[from + column + 1]!;
        out[row + column]! += x * p - y * q;
        out[row + column + 1]! += x * q + y * p;
      }
    }
  return out;
}

export function transpose(m: Matrix): Matrix {
  const out = new Float64Array(m.length);
  const size = sizeOf(m);
  for (let row = 0, from = 0; row < size; row++)
    for (let column = 0; column < size; column++, from += 2) {
      const to = 2 * (column * size + row);
      out[to] = m[from]!;
      out[to + 1] = m[from + 1]!;
    }
  return out;
}

export const conjugate = (m: Matrix): Matrix => m.map((part, i) => (i % 2 === 0 ? part : -part));

export const adjoint = (m: Matrix): Matrix => conjugate(transpose(m));

export const scale = (m: Matrix, factor: number): Matrix => m.map(part => factor * part);

/** Returns the tensor product of two operators, the first of them on the lower qubits. */
export function kron(low: Matrix, high: Matrix): Matrix {
  const n = sizeOf(low);
  const size = n * sizeOf(high);
  const out = zeros(size);
  for (let row = 0, to = 0; row < size; row++)
    for (let column = 0; column < size; column++, to += 2) {
      const i = 2 * ((row % n) * n + (column % n));
      const j = 2 * (Math.floor(row / n) * (size / n) + Math.floor(column / n));
      out[to] = low[i]! * high[j]! - low[i + 1]! * high[j + 1]!;
      out[to + 1] = low[i]! * high[j + 1]! + low[i + 1]! * high[j]!;
    }
  return out;
}

export function exchangeQubits(m: Matrix): Matrix {
  const out = zeros(4);
  const place = (index: number) => ((index & 1) << 1) | (index >> 1);
  for (let row = 0, from = 0; row < 4; row++)
    for (let column = 0; column < 4; column++, from += 2) {
      const to = 8 * place(row) + 2 * place(column);
      out[to] = m[from]!;
      out[to + 1] = m[from + 1]!;
    }
  return out;
}

/** Returns the inner product `Tr(A†·B)` as real and imaginary part. */
export function innerProduct(a: Matrix, b: Matrix): readonly [number, number] {
  let [re, im] = [0, 0];
  for (let i = 0; i < a.length; i += 2) {
    re += a[i]! * b[i]! + a[i + 1]! * b[i + 1]!;
    im += a[i]! * b[i + 1]! - a[i + 1]! * b[i]!;
  }
  return [re, im];
}

/** Returns the distance of two matrices up to a phase and a scale: 0 if they are equal, 1 if they are orthogonal. */
export const distanceUpToPhase = (a: Matrix, b: Matrix): number =>
  1 - Math.hypot(...innerProduct(a, b)) / (Math.hypot(...a) * Math.hypot(...b));

/** Returns the determinant as real and imaginary part, by Gaussian elimination with partial pivoting. */
export function determinant(m: Matrix): readonly [number, number] {
  const a = m.slice();
  const size = sizeOf(m);
  const width = 2 * size;
  let [re, im] = [1, 0];
  for (let k = 0; k < size; k++) {
    let pivot = k;
    const modulus = (row: number) => Math.hypot(a[width * row + 2 * k]!, a[width * row + 2 * k + 1]!);
    for (let row = k + 1; row < size; row++) if (modulus(row) > modulus(pivot)) pivot = row;
    if (pivot !== k) {
      for (let i = 0; i < width; i++)
        [a[width * k + i], a[width * pivot + i]] = [a[width * pivot + i]!, a[width * k + i]!];
      [re, im] = [-re, -im];
    }
    const [x, y] = [a[(width + 2) * k]!, a[(width + 2) * k + 1]!];
    [re, im] = [re * x - im * y, re * y + im * x];
    const norm = x * x + y * y;
    for (let row = k + 1; row < size; row++) {
      const [p, q] = [a[width * row + 2 * k]!, a[width * row + 2 * k + 1]!];
      const [f, g] = [(p * x + q * y) / norm, (q * x - p * y) / norm];
      for (let i = k; i < size; i++) {
        const [u, v] = [a[width * k + 2 * i]!, a[width * k + 2 * i + 1]!];
        a[width * row + 2 * i]! -= f * u - g * v;
        a[width * row + 2 * i + 1]! -= f * v + g * u;
      }
    }
  }
  return [re, im];
}
