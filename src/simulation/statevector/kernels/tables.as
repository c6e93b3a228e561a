/** Returns the address of the phase of a bit, or of a pair of bits, of which `high` is the higher one. */
@inline
function phaseOf(phases: usize, bits: i32, high: i32, low: i32): usize {
  return phases + (<usize>(high * bits + low) << 4);
}

/** Writes products of complex numbers in memory. */
@inline
function multiply(a: usize, b: usize, to: usize): void {
  const x = load<f64>(a);
  const y = load<f64>(a, 8);
  const c = load<f64>(b);
  const s = load<f64>(b, 8);
  store<f64>(to, x * c - y * s);
  store<f64>(to, x * s + y * c, 8);
}

/** Writes the products of the phases that a bit has with each selection of the bits from `from` to `to`, the first of which is written. */
@inline
function partnerProducts(phases: usize, bits: i32, bit: i32, from: i32, to: i32, out: usize): void {
  for (let other = from; other < to; other++) {
    const size = <usize>16 << (other - from);
    const phase = phaseOf(phases, bits, max(bit, other), min(bit, other));
    if (load<f64>(phase) == 1 && load<f64>(phase, 8) == 0) memory.copy(out + size, out, size);
    else for (let i: usize = 0; i < size; i += 16) multiply(out + i, phase, out + size + i);
  }
}

/** Writes the products of the phases among the bits from `from` to `to`, the first of which is written. */
@inline
function products(phases: usize, bits: i32, from: i32, to: i32, out: usize): void {
  for (let bit = from; bit < to; bit++) {
    const size = <usize>16 << (bit - from);
    const upper = out + size;
    const own = phaseOf(phases, bits, bit, bit);
    store<f64>(upper, load<f64>(own));
    store<f64>(upper, load<f64>(own, 8), 8);
    partnerProducts(phases, bits, bit, from, bit, upper);
    for (let i: usize = 0; i < size; i += 16) multiply(out + i, upper + i, upper + i);
  }
}

/**
 * Fills the tables of a diagonal operation from the phases of a tile's bits and of their pairs, a square of complex
 * numbers: where `row` is not 0, the factors within a row, real parts, imaginary parts and sums, after which there is room for as many complex numbers of
 * double precision; the factors of the rows, the first of which is written; for each of the coupled bits, of which the
 * number is written, the factor that it has in each row; and the rows in an order in which those follow each other that
 * differ only in bits that are not among `coupledRows`.
 */
export function fillTables(
  numberBytes: i32,
  bits: i32,
  rowBits: i32,
  phases: usize,
  row: usize,
  factors: usize,
  numCoupled: i32,
  coupled: usize,
  order: usize,
  coupledRows: u32,
): void {
  const rows: u32 = 1 << (bits - rowBits);
  if (row) {
    const size = <usize>1 << rowBits;
    const own = row + 3 * numberBytes * size;
    store<f64>(own, 1);
    store<f64>(own, 0, 8);
    products(phases, bits, 0, rowBits, own);
    for (let i: usize = 0; i < size; i++) {
      const re = load<f64>(own + 16 * i);
      const im = load<f64>(own + 16 * i, 8);
      if (numberBytes == 4) {
        store<f32>(row + 4 * i, <f32>re);
        store<f32>(row + 4 * (size + i), <f32>im);
        store<f32>(row + 4 * (2 * size + i), <f32>(re + im));
      } else {
        store<f64>(row + 8 * i, re);
        store<f64>(row + 8 * (size + i), im);
        store<f64>(row + 8 * (2 * size + i), re + im);
      }
    }
  }
  products(phases, bits, rowBits, bits, factors);
  for (let k = 0; k < numCoupled; k++) {
    const own = coupled + <usize>k * (8 + 16 * <usize>rows);
    store<f64>(own + 8, 1);
    store<f64>(own + 8, 0, 8);
    partnerProducts(phases, bits, load<i32>(own), rowBits, bits, own + 8);
  }
  if (numCoupled == 0) return;
  const otherRows = (rows - 1) & ~coupledRows;
  for (let key: u32 = 0; ; key = (key - coupledRows) & coupledRows) {
    for (let other: u32 = 0; ; other = (other - otherRows) & otherRows) {
      store<u32>(order, key | other);
      order += 4;
      if (other == otherRows) break;
    }
    if (key == coupledRows) break;
  }
}
