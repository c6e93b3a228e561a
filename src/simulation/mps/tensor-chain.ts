import { type Matrix2, matrix2, multiply2 } from "../circuit/matrix.ts";
import {
  type ComplexMatrix,
  diagonal,
  multiply,
  multiplyAdjoint,
  reshape,
  scale,
  squaredNorm,
} from "./complex-matrix.ts";
import { singularVectors, type Truncation } from "./singular-vectors.ts";
import {
  applyMatrix,
  applyPairMatrix,
  changeRight,
  directSum,
  type PairMatrix,
  swapValues,
} from "./site-tensor.ts";
import { triangularFactor } from "./triangular-factor.ts";

const ONE = Float64Array.of(1);
/** Numbers that are touched in the time that the handling of a site takes. */
const SITE_OVERHEAD = 2000;

/** The projections on the values 0 and 1. */
export const PROJECTIONS: readonly [Matrix2, Matrix2] = [
  matrix2(1, 0, 0, 0, 0, 0, 0, 0),
  matrix2(0, 0, 0, 0, 0, 0, 1, 0),
];

/**
 * A matrix product state in right-canonical form: a tensor a site and the Schmidt values of each bond. A tensor with
 * indices (left, value, right) is kept as a matrix of `left` rows and `2·right` columns, which are orthonormal.
 */
export class TensorChain {
  readonly #tensors: ComplexMatrix[];
  /** For each site the unitary matrix that is yet to be applied to its tensor. */
  #pending: (Matrix2 | undefined)[] = [];
  /** The Schmidt values on the right of each site. */
  readonly #schmidt: Float64Array[];
  readonly #truncation: Truncation;
  /** The sum of the shares of the squared norm that were left out. */
  discardedWeight = 0;
  /** The largest number of Schmidt values that a bond has had. */
  bondDimension = 1;

  constructor(tensors: readonly ComplexMatrix[], schmidt: readonly Float64Array[], truncation: Truncation) {
    this.#tensors = [...tensors];
    this.#schmidt = [...schmidt];
    this.#truncation = truncation;
  }

  /** Makes the product state in which each site has the value 0. */
  static ofZeros(length: number, truncation: Truncation): TensorChain {
    const zero = { rows: 1, columns: 2, re: Float64Array.of(1, 0), im: new Float64Array(2) };
    return new TensorChain(new Array(length).fill(zero), new Array(length).fill(ONE), truncation);
  }

  get length(): number {
    return this.#tensors.length;
  }

  /** Bytes of all tensors. */
  get bytes(): number {
    return this.#tensors.reduce((sum, { re }) => sum + 16 * re.length, 0);
  }

  /** Returns an independent copy; tensors are never written to, and are shared. */
  clone(): TensorChain {
    const copy = new TensorChain(this.#tensors, this.#schmidt, this.#truncation);
    copy.#pending = [...this.#pending];
    copy.discardedWeight = this.discardedWeight;
    copy.bondDimension = this.bondDimension;
    return copy;
  }

  tensor(site: number): ComplexMatrix {
    const pending = this.#pending[site];
    if (pending) {
      this.#pending[site] = undefined;
      this.#tensors[site] = applyMatrix(this.#tensors[site]!, pending);
    }
    return this.#tensors[site]!;
  }

  /** Returns the Schmidt values on the left of a site. */
  schmidtBefore(site: number): Float64Array {
    return site === 0 ? ONE : this.#schmidt[site - 1]!;
  }

  /** The number of Schmidt values on the right of a site. */
  bond(site: number): number {
    return this.#schmidt[site]!.length;
  }

  /** Returns the probability of each value of a site. */
  probabilities(site: number): [zero: number, one: number] {
    const { rows, columns, re, im } = this.tensor(site);
    const schmidt = this.schmidtBefore(site);
    const found: [number, number] = [0, 0];
    for (let row = 0, at = 0; row < rows; row++) {
      const weight = schmidt[row]! * schmidt[row]!;
      for (let column = 0; column < columns; column++, at++)
        found[2 * column < columns ? 0 : 1] += weight * (re[at]! * re[at]! + im[at]! * im[at]!);
    }
    const total = found[0] + found[1];
    return [found[0] / total, found[1] / total];
  }

  /** Returns the expectation value of a product of operators, one at each of some sites; the whole must be hermitian. */
  expectation(operators: ReadonlyMap<number, Matrix2>): number {
    const first = Math.min(...operators.keys());
    let right: ComplexMatrix | undefined;
    for (let site = Math.max(...operators.keys()); site >= first; site--) {
      const tensor = this.tensor(site);
      const m = operators.get(site);
      const applied = changeRight(m ? applyMatrix(tensor, m) : tensor, right);
      this.#truncation.onWork(SITE_OVERHEAD + applied.re.length * tensor.rows);
      right = multiplyAdjoint(applied, tensor);
    }
    return this.schmidtBefore(first).reduce(
      (sum, value, i) => sum + value * value * right!.re[i * (right!.columns + 1)]!,
      0,
    );
  }

  /** Applies a unitary matrix to a site. */
  applyLocal(site: number, m: Matrix2): void {
    const pending = this.#pending[site];
    this.#pending[site] = pending ? multiply2(m, pending) : m;
  }

  /** Applies a unitary matrix to a site and the one on its right. */
  applyPair(site: number, m: PairMatrix): void {
    this.#changePair(site, product => applyPairMatrix(product, m, this.#tensors[site]!.rows));
  }

  /**
   * Adds to the state what a product of operators, one at each of some sites, makes of it: so a controlled gate is
   * applied, by projections of its controls and its matrix less the identity. The whole must be unitary.
   */
  addProduct(operators: ReadonlyMap<number, Matrix2>): void {
    const first = Math.min(...operators.keys());
    const last = Math.max(...operators.keys());
    for (let site = first; site <= last; site++) {
      const tensor = this.tensor(site);
      const m = operators.get(site);
      this.#tensors[site] = directSum(tensor, m ? applyMatrix(tensor, m) : tensor, {
        isFirst: site === first,
        isLast: site === last,
      });
    }
    this.#compress(first, last);
  }

  /** Exchanges a site and the one on its right. */
  swapWithNext(site: number): void {
    this.#changePair(site, product => swapValues(product, this.#tensors[site]!.rows));
  }

  /** Changes the product of a site and the one on its right, which keeps its norm. */
  #changePair(site: number, change: (product: ComplexMatrix) => ComplexMatrix): void {
    const [left, right] = [this.tensor(site), this.tensor(site + 1)];
    const both = change(multiply(reshape(left, 2 * left.rows), right));
    const before = multiply(diagonal(this.schmidtBefore(site)), reshape(both, left.rows));
    this.#truncation.onWork(SITE_OVERHEAD + both.re.length * left.columns);
    const { values, vectors, discarded } = singularVectors(reshape(before, 2 * left.rows), this.#truncation);
    const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
    this.discardedWeight += discarded;
    this.bondDimension = Math.max(this.bondDimension, values.length);
    this.#schmidt[site] = values.map(value => value / norm);
    this.#tensors[site + 1] = vectors;
    this.#tensors[site] = scale(reshape(multiplyAdjoint(both, vectors), left.rows), 1 / norm);
  }

  /** Projects a site on a value, and makes the state whole again. */
  project(site: number, value: number): void {
    this.applyAndNormalize(site, PROJECTIONS[value]!);
  }

  /** Applies a matrix that need not be unitary to a site, and normalizes the state. */
  applyAndNormalize(site: number, m: Matrix2): void {
    let first = site;
    let last = site;
    while (first > 0 && this.bond(first - 1) > 1) first--;
    while (last < this.length - 1 && this.bond(last) > 1) last++;
    this.#tensors[site] = applyMatrix(this.tensor(site), m);
    this.#compress(first, last);
  }

  /**
   * Brings the tensors of some sites, those of which on their left and right are in canonical form, into it.
   * The first is found without a division by Schmidt values (Hastings, 2009), which may be small.
   */
  #compress(first: number, last: number): void {
    /** For each site but the last, what the Schmidt basis on the left of `first` makes of the bond on its right. */
    const left: ComplexMatrix[] = [];
    let before = diagonal(this.schmidtBefore(first));
    for (let site = first; site < last; site++) {
      const tensor = this.tensor(site);
      const moved = multiply(before, tensor);
      this.#truncation.onWork(SITE_OVERHEAD + before.rows * tensor.re.length);
      before = triangularFactor(reshape(moved, 2 * moved.rows));
      left.push(before);
    }
    /** The old basis of the bond on the left of the site that was last brought into form, in terms of the new one. */
    let change: ComplexMatrix | undefined;
    for (let site = last; site > first; site--) {
      const tensor = changeRight(this.tensor(site), change);
      const { values, vectors, discarded } = singularVectors(multiply(left.pop()!, tensor), this.#truncation);
      const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
      this.discardedWeight += discarded;
      this.bondDimension = Math.max(this.bondDimension, values.length);
      this.#schmidt[site - 1] = values.map(value => value / norm);
      this.#tensors[site] = vectors;
      change = multiplyAdjoint(tensor, vectors);
    }
    const tensor = changeRight(this.tensor(first), change);
    const norm = Math.sqrt(squaredNorm(multiply(diagonal(this.schmidtBefore(first)), tensor)));
    this.#tensors[first] = scale(tensor, 1 / norm);
  }
}
