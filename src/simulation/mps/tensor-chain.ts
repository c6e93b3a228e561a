import type { Matrix } from "../linear-algebra/matrix.ts";
import { matrix2 } from "../linear-algebra/one-qubit.ts";
import { orthonormalRows, type RowFactors, singularVectors, type Truncation } from "./factorizations.ts";
import { applyMatrix, changeRight, directSum, swapValues } from "./site-tensor.ts";
import {
  multiply,
  multiplyAdjoint,
  reshape,
  scale,
  squaredNorm,
  type TensorMatrix,
  transpose,
} from "./tensor-matrix.ts";

/** Numbers that are touched in the time that the handling of a site takes. */
const SITE_OVERHEAD = 2000;

/** The projections on the values 0 and 1. */
export const PROJECTIONS: readonly [Matrix, Matrix] = [
  matrix2(1, 0, 0, 0, 0, 0, 0, 0),
  matrix2(0, 0, 0, 0, 0, 0, 1, 0),
];

/**
 * A matrix product state in mixed canonical form: a tensor a site, of which one is the centre. A tensor with indices
 * (left, value, right) is kept as a matrix of `left` rows and `2·right` columns. On the right of the centre these rows are
 * orthonormal; on its left the columns are of the same numbers as a matrix of `2·left` rows. Changes of one site, or of
 * two neighbours, change nothing else, once the centre is there.
 */
export class TensorChain {
  readonly #tensors: TensorMatrix[];
  #centre = 0;
  readonly #truncation: Truncation;
  /** The product of the shares of the squared norm that were kept. */
  fidelity = 1;
  /** The largest number of Schmidt values that a bond has had. */
  bondDimension = 1;

  private constructor(tensors: readonly TensorMatrix[], truncation: Truncation) {
    this.#tensors = [...tensors];
    this.#truncation = truncation;
  }

  /** Makes the product state in which each site has the value 0. */
  static ofZeros(length: number, truncation: Truncation): TensorChain {
    const zero = { rows: 1, columns: 2, re: Float64Array.of(1, 0), im: new Float64Array(2) };
    return new TensorChain(new Array(length).fill(zero), truncation);
  }

  get length(): number {
    return this.#tensors.length;
  }

  get bytes(): number {
    return this.#tensors.reduce((sum, { re }) => sum + 16 * re.length, 0);
  }

  /** Returns an independent copy; tensors are never written to, and are shared. */
  clone(): TensorChain {
    const copy = new TensorChain(this.#tensors, this.#truncation);
    copy.#centre = this.#centre;
    copy.fidelity = this.fidelity;
    copy.bondDimension = this.bondDimension;
    return copy;
  }

  tensor(site: number): TensorMatrix {
    return this.#tensors[site]!;
  }

  probabilities(site: number): [zero: number, one: number] {
    this.moveCentre(site);
    const { rows, columns, re, im } = this.tensor(site);
    const found: [number, number] = [0, 0];
    for (let row = 0, at = 0; row < rows; row++)
      for (let column = 0; column < columns; column++, at++)
        found[2 * column < columns ? 0 : 1] += re[at]! * re[at]! + im[at]! * im[at]!;
    const total = found[0] + found[1];
    return [found[0] / total, found[1] / total];
  }

  /** Returns the expectation value of a product of operators, one at each of some sites; the whole must be hermitian. */
  expectation(operators: ReadonlyMap<number, Matrix>): number {
    const first = Math.min(...operators.keys());
    const last = Math.max(...operators.keys());
    this.moveCentre(first);
    let right: TensorMatrix | undefined;
    for (let site = last; site >= first; site--) {
      const tensor = this.tensor(site);
      const m = operators.get(site);
      const applied = changeRight(m ? applyMatrix(tensor, m) : tensor, right);
      this.#truncation.onWork(SITE_OVERHEAD + applied.re.length * tensor.rows);
      right = multiplyAdjoint(applied, tensor);
    }
    let sum = 0;
    for (let i = 0; i < right!.re.length; i += right!.columns + 1) sum += right!.re[i]!;
    return sum;
  }

  applyLocal(site: number, m: Matrix): void {
    this.#tensors[site] = applyMatrix(this.#tensors[site]!, m);
  }

  /** Exchanges a site and the one on its right. */
  swapWithNext(site: number): void {
    if (this.#isAlone(site) && this.#isAlone(site + 1)) {
      const [left, right] = [this.tensor(site), this.tensor(site + 1)];
      [this.#tensors[site], this.#tensors[site + 1]] = [right, left];
      return;
    }
    this.#changePair(site, product => swapValues(product, this.#tensors[site]!.rows));
  }

  /**
   * Adds to the state what a product of operators, one at each of some sites, makes of it: so a controlled gate is
   * applied, by projections of its controls and its matrix less the identity. The whole must be unitary.
   */
  addProduct(operators: ReadonlyMap<number, Matrix>): void {
    const first = Math.min(...operators.keys());
    const last = Math.max(...operators.keys());
    this.moveCentre(first);
    for (let site = first; site <= last; site++) {
      const tensor = this.tensor(site);
      const m = operators.get(site);
      this.#tensors[site] = directSum(tensor, m ? applyMatrix(tensor, m) : tensor, {
        isFirst: site === first,
        isLast: site === last,
      });
    }
    this.moveCentre(last);
    while (this.#centre > first) this.#moveLeft(true);
    this.#normalize();
  }

  /** Projects a site on a value, and normalizes the state, whose bonds are compressed for as far as that reaches. */
  project(site: number, value: number): void {
    this.applyAndNormalize(site, PROJECTIONS[value]!);
    while (this.#centre < this.length - 1 && this.#moveRight(true));
    this.moveCentre(site);
    while (this.#centre > 0 && this.#moveLeft(true));
  }

  /** Applies a matrix that need not be unitary to a site, and normalizes the state. */
  applyAndNormalize(site: number, m: Matrix): void {
    this.moveCentre(site);
    this.#tensors[site] = applyMatrix(this.tensor(site), m);
    this.#normalize();
  }

  /** Whether a site is entangled with no other, so it is canonical on either side of the centre. */
  #isAlone(site: number): boolean {
    const { rows, columns } = this.#tensors[site]!;
    return rows === 1 && columns === 2;
  }

  moveCentre(site: number): void {
    while (this.#centre < site) this.#moveRight(false);
    while (this.#centre > site) this.#moveLeft(false);
  }

  #normalize(): void {
    const tensor = this.#tensors[this.#centre]!;
    this.#tensors[this.#centre] = scale(tensor, 1 / Math.sqrt(squaredNorm(tensor)));
  }

  /** Changes the product of a site and the one on its right, which keeps its norm. */
  #changePair(site: number, change: (product: TensorMatrix) => TensorMatrix): void {
    this.moveCentre(this.#centre > site ? site + 1 : site);
    const [left, right] = [this.tensor(site), this.tensor(site + 1)];
    const product = change(multiply(reshape(left, 2 * left.rows), right));
    this.#truncation.onWork(SITE_OVERHEAD + product.re.length * left.columns);
    const { factor, rows } = this.#compressed(product);
    this.#tensors[site + 1] = rows;
    this.#tensors[site] = reshape(factor, left.rows);
    this.#centre = site;
  }

  /** Moves the centre to the left, and compresses the bond there or not; returns whether it has become smaller. */
  #moveLeft(isCompressed: boolean): boolean {
    const site = this.#centre--;
    const tensor = this.tensor(site);
    if (tensor.rows === 1) return false;
    const { factor, rows } = this.#factored(tensor, isCompressed);
    this.#tensors[site] = rows;
    this.#tensors[site - 1] = changeRight(this.tensor(site - 1), factor);
    return rows.rows < tensor.rows;
  }

  /** Moves the centre to the right, and compresses the bond there or not; returns whether it has become smaller. */
  #moveRight(isCompressed: boolean): boolean {
    const site = this.#centre++;
    const tensor = this.tensor(site);
    const bond = tensor.columns / 2;
    if (bond === 1) return false;
    const { factor, rows } = this.#factored(transpose(reshape(tensor, 2 * tensor.rows)), isCompressed);
    this.#tensors[site] = reshape(transpose(rows), tensor.rows);
    this.#tensors[site + 1] = multiply(transpose(factor), this.tensor(site + 1));
    return rows.rows < bond;
  }

  #factored(matrix: TensorMatrix, isCompressed: boolean): RowFactors {
    this.#truncation.onWork(SITE_OVERHEAD + 2 * matrix.re.length * matrix.rows);
    return isCompressed ? this.#compressed(matrix) : orthonormalRows(matrix);
  }

  /** Returns factors of a matrix of norm 1, without its singular values that are left out. */
  #compressed(matrix: TensorMatrix): RowFactors {
    const { vectors, discarded } = singularVectors(matrix, this.#truncation);
    this.fidelity *= 1 - discarded;
    this.bondDimension = Math.max(this.bondDimension, vectors.rows);
    const factor = multiplyAdjoint(matrix, vectors);
    return { factor: scale(factor, 1 / Math.sqrt(squaredNorm(factor))), rows: vectors };
  }
}
