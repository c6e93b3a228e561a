import type { Chart } from "../../charts/chart.ts";
import type { AmplitudeOptions } from "../../charts/state/amplitudes.ts";
import { type BlochOptions, blochChart } from "../../charts/state/bloch.ts";
import { type CityOptions, cityChart } from "../../charts/state/city.ts";
import { type HintonOptions, hintonChart } from "../../charts/state/hinton.ts";
import { type QsphereOptions, qsphereChart } from "../../charts/state/qsphere.ts";
import type { BlochVector, ComplexMatrix } from "../../charts/state/reduced.ts";
import { rethrowAsKetbookError } from "../../client/rethrow.ts";
import { densityMatrixOfRows } from "../results/density-matrix.ts";
import type { ComplexNumber, GivenAmplitudes } from "../results/given-amplitudes.ts";
import { State } from "../results/state.ts";

/** The state of a qubit by its angles in radians: from the north pole, and around the z axis from x. */
export interface BlochAngles {
  /** Angle from |0⟩, 0 to π. */
  theta: number;
  /** Angle around the z axis. Default: 0. */
  phi?: number;
}

/** A state, or the amplitudes of one. */
export type GivenState = State | GivenAmplitudes;

const stateOf = (given: GivenState): State => (given instanceof State ? given : State.from(given));

/**
 * Draws the amplitudes of a state: probabilities as bars, phases as colours and hands of a dial.
 *
 * @example
 * ```ts
 * import { amplitudes } from "ketbook";
 * amplitudes({ "00": 0.7071, "11": [0, 0.7071] });
 * ```
 *
 * @throws KetbookError for what is no state, and an option that is not there.
 */
export function amplitudes(state: GivenState, options?: AmplitudeOptions): Chart<AmplitudeOptions> {
  return stateOf(state).histogram(options);
}

/**
 * Draws each qubit in its Bloch sphere: of a state, of angles, or of vectors, one or a list of them.
 *
 * @example
 * ```ts
 * import { bloch } from "ketbook";
 * bloch({ theta: Math.PI / 2, phi: Math.PI / 4 });
 * bloch([{ x: 0, y: 0, z: 1 }, { x: 0.5, y: 0, z: 0 }]);
 * bloch({ "00": 0.7071, "11": 0.7071 });
 * ```
 *
 * @throws KetbookError for what is no state, a vector longer than 1, and an option that is not there.
 */
export function bloch(
  state: GivenState | BlochAngles | BlochVector | readonly (BlochAngles | BlochVector)[],
  options?: BlochOptions,
): Chart<BlochOptions> {
  const list = Array.isArray(state) ? state : [state];
  if (!list.every(isDirection)) return stateOf(state as GivenState).bloch(options);
  return rethrowAsKetbookError("bloch", () => blochChart(list.map(vectorOf), options));
}

const isDirection = (given: unknown): given is BlochAngles | BlochVector => {
  if (typeof given !== "object" || given === null || given instanceof State) return false;
  return "theta" in given || ("x" in given && "y" in given && "z" in given);
};

function vectorOf(given: BlochAngles | BlochVector): BlochVector {
  if ("theta" in given) {
    const { theta, phi = 0 } = given;
    if (!Number.isFinite(theta) || !Number.isFinite(phi))
      throw new RangeError("theta and phi must be angles in radians.");
    return { x: Math.sin(theta) * Math.cos(phi), y: Math.sin(theta) * Math.sin(phi), z: Math.cos(theta) };
  }
  const { x, y, z } = given;
  if (Math.hypot(x, y, z) <= 1 + 1e-6) return { x, y, z };
  throw new RangeError(`The Bloch vector (${x}, ${y}, ${z}) is longer than 1. Divide it by its length.`);
}

/** A density matrix, or the rows of one. */
export type GivenDensityMatrix = ComplexMatrix | readonly (readonly ComplexNumber[])[];

/** Returns the density matrix that is given; `undefined` for a state. */
function matrixOf(given: GivenState | GivenDensityMatrix): ComplexMatrix | undefined {
  const isMatrix = typeof given === "object" && given !== null && "size" in given && "values" in given;
  return isMatrix ? (given as ComplexMatrix) : densityMatrixOfRows(given);
}

/**
 * Draws the density matrix of up to four qubits as a city: the size of an entry as a tower's height. It is that of a
 * state, or one that is given: its rows, or what `state.densityMatrix([0])` returns.
 *
 * @throws KetbookError for what is no state, and an option that is not there.
 */
export function city(state: GivenState | GivenDensityMatrix, options?: CityOptions): Chart<CityOptions> {
  return rethrowAsKetbookError("city", () => {
    const matrix = matrixOf(state);
    return matrix ? cityChart(matrix, options) : stateOf(state as GivenState).city(options);
  });
}

/**
 * Draws the density matrix of up to six qubits as squares: the area is the size of an entry, the colour its phase. It is
 * that of a state, or one that is given: its rows, or what `state.densityMatrix([0])` returns.
 *
 * ```ts
 * import { hinton } from "ketbook";
 * hinton({ "00": 0.7071, "11": 0.7071 });
 * hinton([[0.75, 0.25], [0.25, 0.25]]);
 * ```
 *
 * @throws KetbookError for what is no state, and an option that is not there.
 */
export function hinton(
  state: GivenState | GivenDensityMatrix,
  options?: HintonOptions,
): Chart<HintonOptions> {
  return rethrowAsKetbookError("hinton", () => {
    const matrix = matrixOf(state);
    return matrix ? hintonChart(matrix, options) : stateOf(state as GivenState).hinton(options);
  });
}

/**
 * Draws a state on a sphere: a point a basis state, from all zeros on top to all ones; the area is the probability, the
 * colour the phase.
 *
 * @throws KetbookError for what is no state of 1 to 12 qubits, and an option that is not there.
 */
export function qsphere(state: GivenState, options?: QsphereOptions): Chart<QsphereOptions> {
  const { amplitudes } = stateOf(state);
  return rethrowAsKetbookError("qsphere", () => qsphereChart(amplitudes, options));
}
