import {
  type AmplitudeOptions,
  amplitudeChart,
  type BlochOptions,
  type BlochVector,
  basisState,
  blochChart,
  blochVector,
  type Chart,
  cityChart,
  type DensityOptions,
  entanglementOf,
  hintonChart,
  outcomesLine,
  type QsphereOptions,
  qsphereChart,
  qubitsOf,
  reducedDensityMatrix,
} from "../../charts/index.ts";
import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import { describeValue } from "../../contract/index.ts";
import { approximation, formatCount } from "../../display/index.ts";
import {
  type MutableDistribution,
  type Observable,
  readObservable,
  simulatedExpectation,
  stateExpectation,
} from "../../results/index.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { DensityMatrix } from "./density-matrix.ts";
import { ExpectationValue } from "./expectation-list.ts";

/** A complex number: a real one, its parts by name, or real and imaginary part. */
export type ComplexNumber =
  | number
  | {
      /** Real part. */
      readonly re: number;
      /** Imaginary part. Default: 0. */
      readonly im?: number;
    }
  | readonly [re: number, im: number];

/** Amplitudes of a state: one an entry, by basis state, or in a typed array with real and imaginary parts interleaved. */
export type GivenAmplitudes =
  | readonly ComplexNumber[]
  | { readonly [basisState: string]: ComplexNumber }
  | Float64Array
  | Float32Array;

const maxQubits = 24;
/** So far from 1 may probabilities sum up: amplitudes are often written with two digits. */
const roundingError = 0.02;

/** Reads amplitudes as interleaved parts, and normalizes rounded ones. Throws a `RangeError` for anything but a state. */
export function readAmplitudes(given: GivenAmplitudes): Float64Array {
  const parts = partsOf(given);
  let norm = 0;
  for (const part of parts) norm += part * part;
  if (!(Math.abs(norm - 1) <= roundingError))
    throw new RangeError(
      `the probabilities of a state must sum to 1, but these sum to ${norm.toPrecision(4)}. Divide the amplitudes by ${Math.sqrt(norm).toPrecision(4)}.`,
    );
  return parts.map(part => part / Math.sqrt(norm));
}

function partsOf(given: GivenAmplitudes): Float64Array {
  if (given instanceof Float64Array || given instanceof Float32Array) return Float64Array.from(given);
  if (typeof given !== "object" || given === null)
    throw new RangeError(
      'amplitudes are a list such as [1, 0], or an object such as { "00": 0.7071, "11": 0.7071 }.',
    );
  if (Array.isArray(given)) {
    if (!Number.isInteger(Math.log2(given.length)) || given.length < 2)
      throw new RangeError(`a state of n qubits has 2^n amplitudes, so it cannot have ${given.length}.`);
    return Float64Array.from(given.flatMap((value, index) => complexOf(value, `amplitude ${index}`)));
  }
  const entries = Object.entries(given as { [basisState: string]: ComplexNumber });
  const width = entries[0]?.[0].replace(/^\|(.*)[⟩>]$/, "$1").length ?? 0;
  if (width > maxQubits) throw new RangeError(`a state can have at most ${maxQubits} qubits, not ${width}.`);
  const parts = new Float64Array(2 ** (width + 1));
  for (const [name, value] of entries) {
    const bits = name.replace(/^\|(.*)[⟩>]$/, "$1");
    if (!/^[01]+$/.test(bits) || bits.length !== width)
      throw new RangeError(
        `${JSON.stringify(name.slice(0, 40))} is not a basis state of ${width} qubits. Write a 0 or 1 for each.`,
      );
    parts.set(complexOf(value, name), 2 * Number.parseInt(bits, 2));
  }
  return parts;
}

/** Returns the real and the imaginary part of a number. Throws a `RangeError` that names it for anything else. */
export function complexOf(value: ComplexNumber, name: string): [number, number] {
  const [re, im = 0] =
    typeof value === "number" ? [value] : Array.isArray(value) ? value : [Object(value).re, Object(value).im];
  if (Number.isFinite(re) && Number.isFinite(im)) return [re, im];
  throw new RangeError(`${name} is not a complex number. Use 0.5, [0.5, 0.5] or { re: 0.5, im: 0.5 }.`);
}

/** A density matrix of more qubits takes more than 16 MB. */
const maxMatrixQubits = 10;

/** The exact state of all qubits. It shows itself as its amplitudes with their phases. */
export class State extends DisplayableValue {
  /** Real and imaginary parts of the amplitudes, interleaved; qubit `q` is bit `q` of an amplitude's place. */
  readonly amplitudes: Float64Array;
  /** Estimated fidelity of an approximate state, from 0 to 1; null for an exact one. */
  readonly estimatedFidelity: number | null;
  /** Qubits of the state. */
  readonly numQubits: number;

  /**
   * Makes a state from its amplitudes: one entry each in a list, by basis state in an object, or real and imaginary parts
   * interleaved in a typed array, as in `amplitudes`. Rounded ones are normalized.
   *
   * @example
   * ```ts
   * import { State } from "ketbook";
   * State.from([Math.SQRT1_2, 0, 0, { re: 0, im: Math.SQRT1_2 }]);
   * State.from({ "00": 0.7071, "11": [0, 0.7071] });
   * ```
   *
   * @throws KetbookError for an invalid state, such as one whose probabilities do not sum to 1.
   */
  static from(amplitudes: GivenAmplitudes): State {
    return rethrowAsKetbookError("State.from", () => new State(readAmplitudes(amplitudes)));
  }

  /** @internal */
  constructor(amplitudes: ArrayLike<number>, estimatedFidelity: number | null = null) {
    super();
    this.estimatedFidelity = estimatedFidelity;
    this.numQubits = qubitsOf(amplitudes);
    this.amplitudes = Float64Array.from(amplitudes);
  }

  /**
   * The amplitude of a basis state, such as `"01"`, the last qubit on the left.
   *
   * @throws KetbookError for another number of qubits.
   */
  amplitude(bits: string): { re: number; im: number } {
    if (typeof bits !== "string" || bits.length !== this.numQubits || !/^[01]*$/.test(bits))
      throw new KetbookError(
        `amplitude(${describeValue(bits)}): a basis state of ${formatCount(this.numQubits, "qubits")} has a 0 or 1 for each, such as ${JSON.stringify("0".repeat(this.numQubits))}.`,
      );
    const index = bits === "" ? 0 : Number.parseInt(bits, 2);
    return { re: this.amplitudes[2 * index]! + 0, im: this.amplitudes[2 * index + 1]! + 0 };
  }

  /** The probability of a basis state, such as `"01"`. */
  probability(bits: string): number {
    const { re, im } = this.amplitude(bits);
    return re * re + im * im;
  }

  /**
   * The mean values of X, Y and Z of one qubit, the others traced out.
   *
   * @throws KetbookError for an unknown qubit.
   */
  blochVector(qubit: number): BlochVector {
    if (!Number.isInteger(qubit) || qubit < 0 || qubit >= this.numQubits)
      throw new KetbookError(
        `blochVector(${describeValue(qubit)}): the state has the qubits 0 to ${this.numQubits - 1}.`,
      );
    const { x, y, z } = blochVector(this.amplitudes, qubit);
    return { x: x + 0, y: y + 0, z: z + 0 };
  }

  /**
   * Entanglement of a qubit with all others: the entropy of its state in bits, from 0 for none to 1.
   *
   * @throws KetbookError for an unknown qubit.
   */
  entanglement(qubit: number): number {
    return entanglementOf(this.blochVector(qubit));
  }

  /**
   * The density matrix of some qubits, the others traced out; the first one listed is the lowest bit. It shows itself as
   * a Hinton diagram.
   *
   * @param qubits - Up to ten. Default: all.
   * @throws KetbookError for a qubit that is unknown or named twice, and for more than ten.
   */
  densityMatrix(qubits: readonly number[] = [...Array(this.numQubits).keys()]): DensityMatrix {
    const isQubit = (qubit: number) => Number.isInteger(qubit) && qubit >= 0 && qubit < this.numQubits;
    const wrong = qubits.find((qubit, at) => !isQubit(qubit) || qubits.indexOf(qubit) < at);
    if (wrong !== undefined || qubits.length < 1 || qubits.length > maxMatrixQubits)
      throw new KetbookError(
        `densityMatrix([${qubits.slice(0, 12).join(", ")}]): list 1 to ${maxMatrixQubits} of the qubits 0 to ${this.numQubits - 1}, each once.`,
      );
    return new DensityMatrix(reducedDensityMatrix(this.amplitudes, qubits));
  }

  /**
   * The mean of an observable, exact unless the state is approximate: `expectation("XX")`, `expectation("Z0 Z3")`, `expectation("0.5*XX - ZZ")` or
   * `expectation({ XX: 0.5, ZZ: -1 })`. Strings have a letter for each qubit, the last one on the left, or the numbers of
   * the qubits that they act on.
   *
   * @throws KetbookError for an observable that can't be read, and for unknown qubits.
   */
  expectation(observable: Observable): ExpectationValue {
    return rethrowAsKetbookError("expectation", () => {
      const qubits = Array.from({ length: this.numQubits }, (_, qubit) => qubit);
      const terms = readObservable(observable, qubits, "qubits");
      const value = stateExpectation(this.amplitudes, terms);
      const mean = { value, variance: 0, shots: 0 };
      return new ExpectationValue(simulatedExpectation(observable, mean, this.estimatedFidelity ?? 1));
    });
  }

  /** Draws the amplitudes: probabilities as bars, phases as colours and hands of a dial. */
  histogram(options?: AmplitudeOptions): Chart<AmplitudeOptions> {
    return rethrowAsKetbookError("histogram", () =>
      amplitudeChart(this.amplitudes, options, approximation(this.estimatedFidelity)),
    );
  }

  /** Draws each qubit by itself in its Bloch sphere. */
  bloch(options?: BlochOptions): Chart<BlochOptions> {
    return rethrowAsKetbookError("bloch", () => blochChart(this.amplitudes, options));
  }

  /** Draws the density matrix of up to six qubits as squares: their area is the size of an entry, their colour its phase. */
  hinton(options?: DensityOptions): Chart<DensityOptions> {
    return rethrowAsKetbookError("hinton", () => hintonChart(this.amplitudes, options));
  }

  /** Draws the density matrix of up to four qubits as a city; `hinton` hides no entry behind another. */
  city(options?: DensityOptions): Chart<DensityOptions> {
    return rethrowAsKetbookError("city", () => cityChart(this.amplitudes, options));
  }

  /**
   * Draws the state on a sphere with a point per basis state, from all zeros on top to all ones; the area is the
   * probability, the colour the phase. At most 12 qubits.
   */
  qsphere(options?: QsphereOptions): Chart<QsphereOptions> {
    return rethrowAsKetbookError("qsphere", () => qsphereChart(this.amplitudes, options));
  }

  /** The number of qubits and the likeliest basis states, in a line. */
  override toString(): string {
    const probabilities: MutableDistribution = {};
    for (let index = 0; index < 2 ** this.numQubits; index++) {
      const bits = basisState(index, this.numQubits);
      probabilities[bits] = this.amplitudes[2 * index]! ** 2 + this.amplitudes[2 * index + 1]! ** 2;
    }
    const remark = approximation(this.estimatedFidelity);
    return `State of ${formatCount(this.numQubits, "qubits")}${remark && ` (${remark})`}: ${outcomesLine(probabilities, true)}`;
  }

  /** Real and imaginary parts of the amplitudes, interleaved. */
  toJSON(): number[] {
    return [...this.amplitudes];
  }

  /** @internal */
  protected override render(): Chart {
    return this.histogram();
  }
}
