import {
  type BinOptions,
  type BlochOptions,
  type BlochVector,
  binChart,
  blochChart,
  type Chart,
  histogram as drawHistogram,
  type HistogramOptions,
} from "../../charts/index.ts";
import { rethrowAsKetbookError } from "../../client/index.ts";
import { describeValue } from "../../contract/index.ts";
import { type MutableDistribution, totalOf } from "../../results/index.ts";
import { Result } from "../results/result.ts";

/**
 * Outcomes with how often each was seen, or how probable it is: by outcome, as rows such as `result.toRows()` returns, or
 * the outcome of each shot.
 */
export type OutcomeValues =
  | { readonly [outcome: string]: number | bigint }
  | ReadonlyMap<string, number | bigint>
  | readonly { outcome: string; count?: number; probability?: number }[]
  | readonly string[];

type OutcomeValueRow = { outcome: string; count?: number; probability?: number };

/** Numbers in a list, or in a typed array. */
export type Numbers = readonly number[] | Float64Array | Float32Array | Int32Array;

const roundingError = 0.02;

/**
 * Draws outcomes as bars: counts (whole numbers) with their 95 % intervals, or probabilities (fractions that sum to 1;
 * with negative ones among them quasi-probabilities, as mitigation of readout errors makes them).
 * They are an object, a map, rows, or the outcome of each shot; of numbers it is a histogram with bins. A result draws
 * itself: `result.histogram()`.
 *
 * @example
 * ```ts
 * import { histogram } from "ketbook";
 * const qubits = [{ T1: 120 }, { T1: 95 }, { T1: 101 }];
 * histogram({ "00": 503, "11": 497 }, { sort: "outcome", labels: "ket" });
 * histogram({ "00": 0.5, "11": 0.5 });
 * histogram(["00", "11", "00"]);
 * histogram(qubits.map(({ T1 }) => T1), { bins: 20, x: "T1 (µs)" });
 * ```
 *
 * @throws KetbookError for an unknown option, and for values that are neither counts nor probabilities.
 */
export function histogram(numbers: Numbers, options?: BinOptions): Chart<BinOptions>;
export function histogram(outcomes: OutcomeValues, options?: HistogramOptions): Chart<HistogramOptions>;
export function histogram(
  given: OutcomeValues | Numbers,
  options: HistogramOptions | BinOptions = {},
): Chart<HistogramOptions> | Chart<BinOptions> {
  return rethrowAsKetbookError("histogram", (): Chart<HistogramOptions> | Chart<BinOptions> => {
    if (ArrayBuffer.isView(given) || (Array.isArray(given) && typeof given[0] === "number"))
      return binChart(Array.from(given as readonly number[]), options);
    const values = valuesOf(given as OutcomeValues);
    const { as } = options as HistogramOptions;
    return drawHistogram(distributionOf(values, as === "probabilities"), options);
  });
}

function valuesOf(given: OutcomeValues): MutableDistribution {
  if (typeof Object(given).then === "function")
    throw new RangeError("Outcomes must be counts, not a promise. Is an await missing?");
  if (given instanceof Result) throw new RangeError("A result draws itself: result.histogram().");
  if (typeof given !== "object" || given === null)
    throw new RangeError(
      `Outcomes must be an object such as { "00": 503, "11": 497 }, not ${describeValue(given)}.`,
    );
  const entries: [string, number | bigint][] = Array.isArray(given)
    ? (given as readonly (OutcomeValueRow | string)[]).map((row, index) => entryOf(row, index))
    : given instanceof Map
      ? [...(given as ReadonlyMap<string, number | bigint>)]
      : Object.entries(given as { readonly [outcome: string]: number | bigint });
  const values: MutableDistribution = Object.create(null);
  for (const [outcome, value] of entries) values[outcome] = (values[outcome] ?? 0) + checked(value, outcome);
  return values;
}

function entryOf(row: OutcomeValueRow | string, index: number): [string, number] {
  if (typeof row === "string") return [row, 1];
  const { outcome, count, probability } = Object(row) as Partial<OutcomeValueRow>;
  if (typeof outcome !== "string")
    throw new RangeError(`Row ${index} must be an outcome such as { outcome: "01", count: 12 }.`);
  return [outcome, (count ?? probability) as number];
}

function checked(given: number | bigint, outcome: string): number {
  const value = typeof given === "bigint" ? Number(given) : given;
  if (Number.isFinite(value)) return value;
  throw new RangeError(
    `${describeValue(outcome)} has ${describeValue(value)}, which is neither a count nor a probability.`,
  );
}

/** Whole numbers are counts; what sums to 1 is probabilities. */
function distributionOf(values: MutableDistribution, areProbabilities: boolean) {
  const total = totalOf(values);
  const areWhole = Object.values(values).every(Number.isInteger);
  const isOne = Math.abs(total - 1) <= roundingError;
  const negative = Object.keys(values).find(outcome => values[outcome]! < 0);
  if (negative !== undefined && !isOne)
    throw new RangeError(
      `${describeValue(negative)} has ${describeValue(values[negative])}, which is not a count; quasi-probabilities must sum to 1, but these sum to ${Number(total.toPrecision(4))}.`,
    );
  if (areWhole && !(areProbabilities && isOne) && negative === undefined)
    return { counts: values, shots: total };
  if (!isOne)
    throw new RangeError(
      `Counts must be whole numbers, and probabilities must sum to 1. These sum to ${Number(total.toPrecision(4))}.`,
    );
  return { probabilities: values, shots: 0 };
}

type BlochAngles = { theta: number; phi?: number };

/**
 * Draws qubits in their Bloch spheres, one or a list of them: by vectors, or by angles in radians from |0⟩ and around the
 * z axis. A state draws itself:
 * `result.state.bloch()` or `State.from({ "00": 0.6, "11": 0.8 }).bloch()`.
 *
 * @example
 * ```ts
 * import { bloch } from "ketbook";
 * bloch({ theta: Math.PI / 2, phi: Math.PI / 4 });
 * bloch([{ x: 0, y: 0, z: 1 }, { x: 0.5, y: 0, z: 0 }]);
 * ```
 *
 * @throws KetbookError for another value, a vector longer than 1, and an unknown option.
 */
export function bloch(
  qubits:
    | { theta: number; phi?: number }
    | BlochVector
    | readonly ({ theta: number; phi?: number } | BlochVector)[],
  options?: BlochOptions,
): Chart<BlochOptions> {
  const list = [qubits].flat() as (BlochAngles | BlochVector)[];
  return rethrowAsKetbookError("bloch", () => blochChart(list.map(vectorOf), options));
}

function vectorOf(given: BlochAngles | BlochVector): BlochVector {
  if (typeof given === "object" && given && "theta" in given) {
    const { theta, phi = 0 } = given;
    if (!Number.isFinite(theta) || !Number.isFinite(phi))
      throw new RangeError("theta and phi must be angles in radians.");
    return { x: Math.sin(theta) * Math.cos(phi), y: Math.sin(theta) * Math.sin(phi), z: Math.cos(theta) };
  }
  const { x, y, z } = Object(given) as BlochVector;
  if (![x, y, z].every(Number.isFinite))
    throw new RangeError(
      "Give angles such as { theta: 1, phi: 0 }, or vectors { x, y, z }. Draw amplitudes by State.from(…).bloch().",
    );
  if (Math.hypot(x, y, z) <= 1 + 1e-6) return { x, y, z };
  throw new RangeError(`The Bloch vector (${x}, ${y}, ${z}) is longer than 1. Divide it by its length.`);
}
