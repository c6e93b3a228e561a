import type { CliffordTarget } from "../circuit/clifford.ts";
import type { PauliString } from "../execution/quantum-state.ts";
import { PauliProduct } from "./pauli-product.ts";

/**
 * The Clifford gate U of a state U|φ⟩, where φ is all zeros in a stabilizer state: for each qubit, what the inverse of U
 * makes of X and of Z. Gates multiply or exchange these. Gates whose names begin with `inner` are done to φ, and their
 * inverse to U from the right, so the state stays as it is. What was measured with a random outcome is kept, and
 * stabilizes the state besides the Z of zeros; only a measurement that does not commute with it changes U.
 */
export class Tableau implements CliffordTarget {
  readonly numQubits: number;
  #xs: PauliProduct[] = [];
  #zs: PauliProduct[] = [];
  /** The measured products, each with a qubit on which it has X or Y and no later one has, and its power of i. */
  #measured: { readonly product: PauliProduct; readonly pivot: number; readonly power: number }[] = [];
  /** Whether there were gates since the first of them was measured. */
  #isChanged = false;

  /** Makes the state in which each of the qubits is 0. */
  constructor(numQubits: number) {
    this.numQubits = numQubits;
    for (let qubit = 0; qubit < numQubits; qubit++) {
      const [x, z] = [PauliProduct.identity(numQubits), PauliProduct.identity(numQubits)];
      x.flipX(qubit);
      z.flipZ(qubit);
      this.#xs.push(x);
      this.#zs.push(z);
    }
  }

  /** Bytes that a state of the given number of qubits takes up. */
  static bytes(numQubits: number): number {
    return 24 * numQubits * Math.ceil(numQubits / 32);
  }

  copy(): Tableau {
    const copy = new Tableau(this.numQubits);
    copy.#xs = this.#xs.map(x => x.copy());
    copy.#zs = this.#zs.map(z => z.copy());
    copy.#measured = this.#measured.map(one => ({ ...one, product: one.product.copy() }));
    copy.#isChanged = this.#isChanged;
    return copy;
  }

  h(qubit: number): void {
    [this.#xs[qubit], this.#zs[qubit]] = [this.#zs[qubit]!, this.#xs[qubit]!];
    this.#isChanged = true;
  }

  s(qubit: number): void {
    this.#xs[qubit]!.multiply(this.#zs[qubit]!, 3);
    this.#isChanged = true;
  }

  x(qubit: number): void {
    this.#zs[qubit]!.sign ^= 1;
  }

  z(qubit: number): void {
    this.#xs[qubit]!.sign ^= 1;
  }

  cx(control: number, target: number): void {
    this.#xs[control]!.multiply(this.#xs[target]!);
    this.#zs[target]!.multiply(this.#zs[control]!);
    this.#isChanged = true;
  }

  cz(a: number, b: number): void {
    this.#xs[a]!.multiply(this.#zs[b]!);
    this.#xs[b]!.multiply(this.#zs[a]!);
    this.#isChanged = true;
  }

  swap(a: number, b: number): void {
    for (const rows of [this.#xs, this.#zs]) [rows[a], rows[b]] = [rows[b]!, rows[a]!];
  }

  /** Measures a qubit of a stabilizer state. Of two possible outcomes it takes 0. */
  measure(qubit: number): number {
    const own = this.#zs[qubit]!;
    if (this.#isChanged && !this.#commutesWithMeasured(own)) {
      for (const { product } of this.#measured) this.innerToPivot(product, product.firstX(), true);
      this.#measured = [];
    }
    if (this.#measured.length === 0) this.#isChanged = false;
    if (own.firstX() < 0) return own.sign;
    const product = own.copy();
    this.#reduce(product);
    const pivot = product.firstX();
    if (pivot < 0) return product.sign;
    this.#measured.push({ product, pivot, power: product.power() });
    return 0;
  }

  /** Returns the expectation value of a Pauli string in a stabilizer state: 1, 0 or -1. */
  expectation(string: PauliString): number {
    const image = this.imageOf(string);
    if (!this.#commutesWithMeasured(image)) return 0;
    this.#reduce(image);
    return image.firstX() >= 0 ? 0 : 1 - 2 * image.sign;
  }

  #commutesWithMeasured(image: PauliProduct): boolean {
    return this.#measured.every(({ product }) => product.commutes(image));
  }

  /** Multiplies a product by the measured ones whose pivots it has. It commutes with all, so powers of i are simply added. */
  #reduce(image: PauliProduct): void {
    let power = image.power();
    for (const { product, pivot, power: own } of this.#measured)
      if (image.xAt(pivot)) power += own + image.multiplyOrdered(product);
    image.sign = 0;
    image.sign = ((power - image.power()) >> 1) & 1;
  }

  /** Returns the image U†·P·U of a Pauli string P: what a measurement of it measures of φ. */
  imageOf(string: PauliString): PauliProduct {
    const image = PauliProduct.identity(this.numQubits);
    for (const { qubit, pauli } of string) {
      const factor = (pauli === "X" ? this.#xs : this.#zs)[qubit]!;
      if (pauli === "Y") {
        const y = this.#xs[qubit]!.copy();
        y.multiply(factor, 1);
        image.multiply(y);
      } else image.multiply(factor);
    }
    return image;
  }

  /** Returns the image of the product of Z on some qubits. */
  imageOfZ(...qubits: readonly number[]): PauliProduct {
    return this.imageOf(qubits.map(qubit => ({ qubit, pauli: "Z" })));
  }

  innerH(qubit: number): void {
    this.#eachRow(row => row.h(qubit));
  }

  innerSdg(qubit: number): void {
    this.#eachRow(row => row.sdg(qubit));
  }

  innerX(qubit: number): void {
    this.#eachRow(row => {
      row.sign ^= row.zAt(qubit);
    });
  }

  innerCx(control: number, target: number): void {
    const x = PauliProduct.identity(this.numQubits);
    x.flipX(target);
    const range = x.range();
    this.#eachRow(row => row.controlled(control, x, range));
  }

  /**
   * Makes an image that has X or Y on a qubit of φ, which is 0, X of that qubit alone: controls on a 0 do nothing. With
   * `isZ`, it is Z then, and the qubit, which was 0 in the X basis, is 0.
   */
  innerToPivot(image: PauliProduct, pivot: number, isZ: boolean): void {
    const rest = image.copy();
    const isY = rest.zAt(pivot) === 1;
    rest.flipX(pivot);
    if (isY) rest.flipZ(pivot);
    const range = rest.range();
    const isAlone = range[1] === 0 && rest.sign === 0;
    this.#eachRow(row => {
      if (isY) row.sdg(pivot);
      if (!isAlone) row.controlled(pivot, rest, range);
      if (isZ) row.h(pivot);
    });
  }

  #eachRow(visit: (row: PauliProduct) => void): void {
    for (const row of this.#xs) visit(row);
    for (const row of this.#zs) visit(row);
    for (const { product } of this.#measured) visit(product);
  }
}
