/** Physical qubit of each program qubit, and the inverse. Unused physical qubits have numbers too. */
export class Layout {
  readonly toPhysical: Int32Array;
  readonly toVirtual: Int32Array;

  /** Makes a layout of the physical qubit of each virtual one; all of the device's have to be in it. */
  constructor(toPhysical: ArrayLike<number>) {
    this.toPhysical = Int32Array.from(toPhysical);
    this.toVirtual = new Int32Array(toPhysical.length);
    this.toPhysical.forEach((physical, virtual) => {
      this.toVirtual[physical] = virtual;
    });
  }

  /** Returns a layout that begins with the given qubits; the unused ones follow in their order. */
  static starting(physical: readonly number[], numQubits: number): Layout {
    const used = new Set(physical);
    const rest = Array.from({ length: numQubits }, (_, i) => i).filter(i => !used.has(i));
    return new Layout([...physical, ...rest]);
  }

  /** Returns an independent copy. */
  copy(): Layout {
    return new Layout(this.toPhysical);
  }

  /** Exchanges what is on two physical qubits. */
  swap(a: number, b: number): void {
    const [p, q] = [this.toVirtual[a]!, this.toVirtual[b]!];
    this.toVirtual[a] = q;
    this.toVirtual[b] = p;
    this.toPhysical[p] = b;
    this.toPhysical[q] = a;
  }
}
