import { distanceUpToPhase, exchangeQubits, type Matrix, multiply } from "../linear-algebra/matrix.ts";
import { matrix2 } from "../linear-algebra/one-qubit.ts";
import { ONE_QUBIT_GATES } from "./basis.ts";
import { exactPulsesOf, type Pulse, pulsesOf, tidy } from "./one-qubit-synthesis.ts";
import type { Operation, SourceLocation, TwoQubitOperation } from "./operation.ts";
import type { Target } from "./target.ts";
import { hasFreeAngle, nativeMatrix, synthesize } from "./two-qubit-synthesis.ts";
import { weylOf } from "./weyl-cache.ts";

/** Options for translating gates to native ones. */
export interface TranslateOptions {
  /** Whether one-qubit gates that meet are joined; else each gate of the program is translated alone. */
  readonly joins: boolean;
}

/** Qubits of a native two-qubit gate on which a rotation about Z can pass it. */
const Z_PASSES: Readonly<Record<string, readonly boolean[]>> = {
  cx: [true, false],
  cz: [true, true],
  zz: [true, true],
  rzz: [true, true],
  ecr: [false, false],
  ms: [true, true],
};

/**
 * Returns operations on coupled physical qubits as native gates, in the directions that the device has. Rotations about Z
 * wait until something does not commute with them: to most devices they cost nothing, and a measurement ends them.
 */
export function translate(
  operations: readonly Operation[],
  target: Target,
  options: TranslateOptions,
): Operation[] {
  return new Translator(target, options).translate(operations);
}

const rotationZ = (angle: number): Matrix =>
  matrix2(Math.cos(angle / 2), -Math.sin(angle / 2), 0, 0, 0, 0, Math.cos(angle / 2), Math.sin(angle / 2));

class Translator {
  readonly #target: Target;
  readonly #options: TranslateOptions;
  readonly #pending: (Matrix | undefined)[] = [];
  readonly #out: Operation[] = [];

  constructor(target: Target, options: TranslateOptions) {
    this.#target = target;
    this.#options = options;
  }

  translate(operations: readonly Operation[]): Operation[] {
    for (const operation of operations) this.#operation(operation);
    this.#pending.forEach((_, qubit) => {
      this.#flush(qubit);
    });
    return this.#out;
  }

  #operation(operation: Operation): void {
    switch (operation.kind) {
      case "one-qubit":
        this.#oneQubit(operation);
        return;
      case "two-qubit":
        this.#twoQubit(operation);
        return;
      case "measure":
      case "reset": {
        const [qubit] = operation.qubits;
        this.#flush(qubit, operation, true);
        this.#pending[qubit] = undefined;
        this.#out.push(operation);
        return;
      }
      case "rotation":
      case "barrier":
        for (const qubit of operation.qubits) this.#flush(qubit, operation, true);
        this.#out.push(operation);
        return;
      case "statement": {
        for (const qubit of operation.qubits) this.#flush(qubit, operation);
        const bodies = operation.bodies.map(body => translate(body, this.#target, this.#options));
        this.#out.push({ ...operation, bodies });
        return;
      }
      case "native":
        for (const qubit of operation.qubits) this.#flush(qubit, operation);
        this.#out.push(operation);
    }
  }

  #oneQubit(operation: Operation & { kind: "one-qubit" }): void {
    const [qubit] = operation.qubits;
    if (this.#options.joins) {
      this.#append(qubit, operation.matrix);
      return;
    }
    const { gate } = operation;
    if (gate && ONE_QUBIT_GATES[this.#target.basis.oneQubit].includes(gate.name)) {
      this.#flush(qubit, operation);
      this.#out.push({ ...locationOf(operation), kind: "native", ...gate, qubits: [qubit] });
      return;
    }
    this.#flush(qubit, operation, true);
    this.#append(qubit, operation.matrix);
    this.#flush(qubit, operation, true);
  }

  #append(qubit: number, matrix: Matrix): void {
    const before = this.#pending[qubit];
    this.#pending[qubit] = before ? multiply(matrix, before) : matrix;
  }

  #twoQubit(operation: TwoQubitOperation): void {
    const { basis } = this.#target;
    const [a, b] = operation.qubits;
    const coupling = this.#target.couplingOf(a, b)!;
    const isExchanged = !coupling.isSymmetric && coupling.qubits[0] !== a;
    const qubits = isExchanged ? ([b, a] as const) : operation.qubits;
    const matrix = isExchanged ? exchangedOf(operation.matrix) : operation.matrix;
    if (!hasFreeAngle(basis.twoQubit)) {
      const native = nativeMatrix(basis.twoQubit, { params: [] });
      if (distanceUpToPhase(matrix, native) < 4e-15) {
        this.#native([], qubits, operation);
        return;
      }
    }
    const { locals, uses } = synthesize(weylOf(matrix), basis.twoQubit);
    locals.forEach((pair, i) => {
      qubits.forEach((qubit, place) => {
        this.#append(qubit, pair[place]!);
      });
      const use = uses[i];
      if (use) this.#native(use.params, qubits, operation);
    });
  }

  #native(params: readonly number[], qubits: readonly number[], place: SourceLocation): void {
    const { twoQubit } = this.#target.basis;
    const passes = Z_PASSES[twoQubit]!;
    const given = params.map(tidy);
    qubits.forEach((qubit, i) => {
      this.#flush(qubit, place, passes[i]);
      const left = this.#pending[qubit];
      if (twoQubit === "ms" && left)
        given[i] = tidy(given[i]! - pulsesOf(left, this.#target.basis.oneQubit).angle);
    });
    this.#out.push({ ...locationOf(place), kind: "native", name: twoQubit, params: given, qubits });
  }

  /** Writes out what waits on a qubit; where `keepsRotation` is true, a rotation about Z at its end is kept back. */
  #flush(qubit: number, place: SourceLocation = {}, keepsRotation = false): void {
    const matrix = this.#pending[qubit];
    if (!matrix) return;
    const { oneQubit } = this.#target.basis;
    const { pulses, angle } = pulsesOf(matrix, oneQubit);
    this.#pending[qubit] = keepsRotation && angle !== 0 ? rotationZ(angle) : undefined;
    const all: readonly Pulse[] = keepsRotation ? pulses : exactPulsesOf(matrix, oneQubit);
    for (const { name, params } of all)
      this.#out.push({ ...locationOf(place), kind: "native", name, params, qubits: [qubit] });
  }
}

const locationOf = ({ at, end }: SourceLocation): SourceLocation => (at === undefined ? {} : { at, end });

const exchanged = new WeakMap<Float64Array, Float64Array>();

/** Returns the matrix with its qubits exchanged, made once. */
function exchangedOf(matrix: Float64Array): Float64Array {
  let found = exchanged.get(matrix);
  if (!found) {
    found = exchangeQubits(matrix);
    exchanged.set(matrix, found);
  }
  return found;
}
