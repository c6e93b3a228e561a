import { type Extrapolation, extrapolate, type NoisyMean } from "./extrapolate.ts";
import type { Group, Reading } from "./groups.ts";
import { placesOf, type Terms } from "./terms.ts";

/** A program that is run: it measures a group of terms at a point and a noise factor, or calibrates the readout. */
export interface DesignedProgram {
  readonly kind: "measure" | "calibrate";
  /** The program that it is of, or the set of inputs. Of a calibration: 0. */
  readonly point: number;
  /** The group of terms. Of a calibration: the bit that all qubits are prepared in. */
  readonly group: number;
  readonly factor: number;
  /** The place in the list of readout errors of each measured bit. */
  readonly readouts: readonly number[];
}

/** What is measured, and how. */
export interface Design {
  readonly terms: Terms;
  readonly groups: readonly Group[];
  /** Number of programs, or of sets of inputs, that the observables are wanted of. */
  readonly points: number;
  readonly factors: readonly number[];
  /** The qubit of each measured bit. */
  readonly qubits: readonly number[];
  /** Number of qubits whose readout is corrected; 0: none is. */
  readonly readouts: number;
  readonly programs: readonly DesignedProgram[];
}

/** Outcomes of a program: bit strings, the first bit on the right, with counts. */
export type Tally = ReadonlyMap<string, number>;

/** The mean of a term. */
export interface TermMean extends Extrapolation {
  readonly point: number;
  readonly term: number;
  readonly group: number;
  /** Standard error of a fitted or measured value, from its own shots. */
  readonly error: number;
  readonly means: readonly NoisyMean[];
}

/** The mean of an observable. */
export interface SumMean {
  readonly point: number;
  readonly sum: number;
  readonly value: number;
  readonly error: number;
  /** Half of the width of the bounds of terms, added up. */
  readonly bound: number;
  /** What extrapolation added to the means of terms, sizes added up. */
  readonly correction: number;
  /** The mean of the outcomes as they are, and its standard error. */
  readonly raw: number;
  readonly rawError: number;
  /** For each program, the variance that one of its shots adds. */
  readonly variances: readonly number[];
}

/** Means of all terms and observables. */
export interface Assessment {
  readonly sums: readonly SumMean[];
  readonly terms: readonly TermMean[];
}

/** Readout of a qubit: a bit of value z, ±1, is read as `offset + contrast · z` on average. */
interface Readout {
  readonly offset: number;
  readonly contrast: number;
}

const IDEAL: Readout = { offset: 0, contrast: 1 };
/** Least contrast of a readout. Below it, a bit tells too little to be corrected. */
const LEAST_CONTRAST = 0.05;

/** Outcomes of a program as signs. */
interface Signs {
  readonly shots: number;
  /** Share of each outcome. */
  readonly weights: readonly number[];
  /** For each measured bit, its sign in each outcome. */
  readonly bits: readonly (readonly number[])[];
}

function signsOf(tally: Tally, width: number): Signs {
  const shots = [...tally.values()].reduce((sum, count) => sum + count, 0);
  const outcomes = [...tally.keys()];
  return {
    shots,
    weights: Array.from(tally.values(), count => count / shots),
    bits: Array.from({ length: width }, (_, place) =>
      outcomes.map(outcome => (outcome[outcome.length - 1 - place] === "1" ? -1 : 1)),
    ),
  };
}

const meanOf = (values: readonly number[], weights: readonly number[]): number =>
  values.reduce((sum, value, i) => sum + value * weights[i]!, 0);

/** Variance of one shot, never 0: a value that no shot had may have come up in one more, up to `reach` away. */
function varianceOf(values: readonly number[], { weights, shots }: Signs, reach: number): number {
  const mean = meanOf(values, weights);
  const squares = values.reduce((sum, value, i) => sum + weights[i]! * (value - mean) ** 2, 0);
  return (squares * shots + reach * reach) / (shots + 1);
}

/** Estimates everything that the outcomes tell. Programs without outcomes are left out, but of each there must be some. */
export function assess(design: Design, tallies: readonly Tally[]): Assessment {
  const { programs, qubits, points, factors, groups, terms } = design;
  const signs = tallies.map((tally, program) => signsOf(tally, programs[program]!.readouts.length));
  const readouts = readoutsOf(design, signs);
  const placeOf = new Map(qubits.map((qubit, place) => [qubit, place]));
  const placesBy = groups.map(({ readings }) =>
    readings.map(({ mask }) => placesOf(mask).map(qubit => placeOf.get(qubit)!)),
  );
  const measured = programs.map((program, index) => {
    if (program.kind !== "measure") return null;
    const of = program.readouts.map(readout => readouts[readout] ?? IDEAL);
    const { readings } = groups[program.group]!;
    return readings.map((reading, i) =>
      measureTerm(reading, placesBy[program.group]![i]!, signs[index]!, of),
    );
  });
  const places = new Map(
    programs.flatMap((program, index) =>
      program.kind === "measure"
        ? [[`${program.point} ${program.group} ${program.factor}`, index] as const]
        : [],
    ),
  );
  const found: TermMean[] = [];
  const sums: SumMean[] = [];
  for (let point = 0; point < points; point++) {
    const byTerm = new Map<number, { mean: TermMean; programs: number[]; reading: number }>();
    groups.forEach(({ readings }, group) => {
      const indices = factors.map(factor => places.get(`${point} ${group} ${factor}`)!);
      readings.forEach(({ term }, reading) => {
        const means = indices.map((index, i) => {
          const { mean, variance } = measured[index]![reading]!;
          return { factor: factors[i]!, mean, error: Math.sqrt(variance / signs[index]!.shots) };
        });
        const extrapolated = extrapolate(means);
        const error = Math.hypot(...extrapolated.gradient.map((slope, i) => slope * means[i]!.error));
        const mean = { ...extrapolated, point, term, group, error, means };
        byTerm.set(term, { mean, programs: indices, reading });
        found.push(mean);
      });
    });
    terms.sums.forEach(({ constant, weights }, sum) => {
      const influence = programs.map(() => new Map<number, number>());
      let [value, bound, correction, raw] = [constant, 0, 0, constant];
      const rawInfluence = new Map<number, Map<number, number>>();
      for (const [term, weight] of weights) {
        const { mean, programs: indices, reading } = byTerm.get(term)!;
        value += weight * mean.value;
        bound += Math.abs(weight) * mean.bound;
        if (mean.bound === 0) correction += Math.abs(weight * (mean.value - mean.means[0]!.mean));
        raw += weight * measured[indices[0]!]![reading]!.raw;
        indices.forEach((index, i) => {
          influence[index]!.set(reading, weight * mean.gradient[i]!);
        });
        const own = rawInfluence.get(indices[0]!) ?? new Map<number, number>();
        rawInfluence.set(indices[0]!, own.set(reading, weight));
      }
      const variances = variancesOf(design, signs, readouts, measured, influence);
      const rawVariances = Array.from(rawInfluence, ([index, weightOf]) => {
        const values = combine(measured[index]!, weightOf, "rawValues", signs[index]!);
        return varianceOf(values, signs[index]!, sizeOf(weightOf)) / signs[index]!.shots;
      });
      const error = Math.sqrt(
        variances.reduce((total, variance, i) => total + variance / signs[i]!.shots, 0),
      );
      const rawError = Math.sqrt(rawVariances.reduce((total, variance) => total + variance, 0));
      sums.push({ point, sum, value, error, bound, correction, raw, rawError, variances });
    });
  }
  return { sums, terms: found };
}

/** A term in the outcomes of one program. */
interface MeasuredTerm {
  /** Its value in each outcome, readout errors corrected, and as it is. */
  readonly values: readonly number[];
  readonly rawValues: readonly number[];
  readonly mean: number;
  readonly raw: number;
  readonly variance: number;
  readonly reach: number;
  readonly places: readonly number[];
}

function measureTerm(
  { sign }: Reading,
  places: readonly number[],
  signs: Signs,
  readouts: readonly Readout[],
): MeasuredTerm {
  const product = (factor: (bit: number, place: number) => number) =>
    signs.weights.map((_, outcome) =>
      places.reduce((value, place) => value * factor(signs.bits[place]![outcome]!, place), sign as number),
    );
  const values = product((bit, place) => (bit - readouts[place]!.offset) / readouts[place]!.contrast);
  const rawValues = product(bit => bit);
  const reach = places.reduce((size, place) => size / readouts[place]!.contrast, 1);
  return {
    values,
    rawValues,
    mean: meanOf(values, signs.weights),
    raw: meanOf(rawValues, signs.weights),
    variance: varianceOf(values, signs, reach),
    reach,
    places,
  };
}

const sizeOf = (weights: ReadonlyMap<number, number>): number =>
  [...weights.values()].reduce((sum, weight) => sum + Math.abs(weight), 0);

/** Adds the terms of a program up, in each outcome. */
function combine(
  terms: readonly MeasuredTerm[],
  weights: ReadonlyMap<number, number>,
  values: "values" | "rawValues",
  signs: Signs,
): number[] {
  const total = signs.weights.map(() => 0);
  for (const [reading, weight] of weights)
    terms[reading]![values].forEach((value, outcome) => {
      total[outcome]! += weight * value;
    });
  return total;
}

/** Returns the variance that a shot of each program adds to an observable, that of the readout's calibration included. */
function variancesOf(
  { programs }: Design,
  signs: readonly Signs[],
  readouts: readonly Readout[],
  measured: readonly (readonly MeasuredTerm[] | null)[],
  influence: readonly ReadonlyMap<number, number>[],
): number[] {
  const byOffset = readouts.map(() => 0);
  const byContrast = readouts.map(() => 0);
  const variances = programs.map((program, index) => {
    const terms = measured[index];
    if (!terms) return 0;
    const own = signs[index]!;
    let reach = 0;
    for (const [reading, weight] of influence[index]!) {
      if (weight === 0) continue;
      const { values, mean, places, reach: size } = terms[reading]!;
      reach += Math.abs(weight) * size;
      for (const place of places) {
        const readout = program.readouts[place]!;
        const known = readouts[readout];
        if (!known) continue;
        const bits = own.bits[place]!;
        byContrast[readout]! -= (weight * mean) / known.contrast;
        byOffset[readout]! -=
          weight *
          meanOf(
            values.map((value, i) => value / (bits[i]! - known.offset)),
            own.weights,
          );
      }
    }
    return varianceOf(combine(terms, influence[index]!, "values", own), own, reach);
  });
  programs.forEach((program, index) => {
    if (program.kind !== "calibrate") return;
    const own = signs[index]!;
    const slopes = program.readouts.map(
      readout => (byOffset[readout]! + (program.group === 0 ? 1 : -1) * byContrast[readout]!) / 2,
    );
    const values = own.weights.map((_, outcome) =>
      slopes.reduce((sum, slope, place) => sum + slope * own.bits[place]![outcome]!, 0),
    );
    const reach = slopes.reduce((sum, slope) => sum + Math.abs(slope), 0);
    variances[index] = varianceOf(values, own, reach);
  });
  return variances;
}

/** Returns the readout of each qubit, of the programs that prepare all of them in 0 and in 1. */
function readoutsOf({ programs, readouts }: Design, signs: readonly Signs[]): Readout[] {
  if (readouts === 0) return [];
  const means = [new Array<number>(readouts).fill(1), new Array<number>(readouts).fill(-1)];
  programs.forEach((program, index) => {
    if (program.kind !== "calibrate") return;
    program.readouts.forEach((readout, place) => {
      means[program.group]![readout] = meanOf(signs[index]!.bits[place]!, signs[index]!.weights);
    });
  });
  return means[0]!.map((zero, readout) => {
    const one = means[1]![readout]!;
    return { offset: (zero + one) / 2, contrast: Math.max(LEAST_CONTRAST, (zero - one) / 2) };
  });
}
