import type { Precision } from "../execution/simulator.ts";
import { type Workspace, workspace } from "./workspace.ts";

/** Real and imaginary parts, as they lie in the memory. */
export interface Parts {
  readonly re: Float32Array | Float64Array;
  readonly im: Float32Array | Float64Array;
}

/** Padding in bytes that keeps the planes off the same cache lines. */
const PLANE_PADDING = 4096 + 512;

interface Lease {
  readonly space: Workspace;
  at: number;
}

/** Releases the memory of states that a run has left behind when it was stopped. */
const leaked = new FinalizationRegistry<Lease>(({ space, at }) => space.free(at));

/** Room in the kernels' memory for the real and the imaginary parts of amplitudes, a plane each. */
export class PlaneMemory {
  /** Bytes of a part. */
  readonly numberBytes: 4 | 8;
  readonly #lease: Lease;
  #capacity: number;

  /** Finds room for the amplitudes of some qubits, which are not set yet. */
  constructor(precision: Precision, numQubits: number) {
    this.numberBytes = precision === "single" ? 4 : 8;
    this.#capacity = numQubits;
    const space = workspace(precision === "reproducible");
    this.#lease = { space, at: space.allocate(this.#bytesFor(numQubits)) };
    leaked.register(this, this.#lease, this);
  }

  /** The memory, and the kernels that work on it. */
  get space(): Workspace {
    return this.#lease.space;
  }

  /** Qubits that there is room for. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Bytes that there is room for. */
  get bytes(): number {
    return 2 * this.numberBytes * 2 ** this.#capacity;
  }

  /** Addresses of the planes. */
  get places(): { re: number; im: number } {
    const { at } = this.#lease;
    return { re: at, im: at + this.numberBytes * 2 ** this.#capacity + PLANE_PADDING };
  }

  /** Returns the parts of so many qubits' amplitudes, as they lie in the memory now. */
  parts(numQubits: number): Parts {
    const { re, im } = this.places;
    const size = 2 ** numQubits;
    const { buffer } = this.space.memory;
    return this.numberBytes === 4
      ? { re: new Float32Array(buffer, re, size), im: new Float32Array(buffer, im, size) }
      : { re: new Float64Array(buffer, re, size), im: new Float64Array(buffer, im, size) };
  }

  /** Moves to where there is room for so many qubits; what lies at the old place is there until it has been copied. */
  move(numQubits: number, copy: () => void): void {
    const { space, at } = this.#lease;
    this.#lease.at = space.allocate(this.#bytesFor(numQubits));
    this.#capacity = numQubits;
    copy();
    space.free(at);
  }

  /** Releases the memory. */
  release(): void {
    leaked.unregister(this);
    this.#lease.space.free(this.#lease.at);
  }

  #bytesFor(numQubits: number): number {
    return 2 * this.numberBytes * 2 ** numQubits + PLANE_PADDING;
  }
}
