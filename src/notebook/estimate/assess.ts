import type { Inputs } from "../programs/inputs.ts";
import { type Extrapolation, extrapolate, type NoisyMean, total, usualRate } from "./extrapolate.ts";
import type { Group } from "./terms.ts";
import { placesOf, type Terms } from "./terms.ts";

/** A program that is run in some copies: it measures a group of terms, or calibrates the readout. */
export interface DesignedProgram {
  readonly kind: "measure" | "calibrate";
  /** The program that it is of, or the set of inputs. Of a calibration: 0. */
  readonly point: number;
  /** The group of terms. Of a calibration: 0. */
  readonly group: number;
  readonly factor: number;
  /** Of each measured bit, its place among those that the calibration measures. */
  readonly places: readonly number[];
}

/** Programs to measure, and how to combine their outcomes. */
export interface Design {
  readonly terms: Terms;
  readonly groups: readonly Group[];
  /** Number of programs, or of sets of inputs, that the observables are wanted of. */
  readonly points: number;
  readonly factors: readonly number[];
  /** The qubit of each measured bit. */
  readonly qubits: readonly number[];
  readonly programs: readonly DesignedProgram[];
  /** Copies of each program. All of them have the same shots. */
  readonly copies: number;
  /** Whether every other copy flips its bits before they are measured. */
  readonly flips: boolean;
}

/**
 * Verdict on an estimate: `resolved`, a value whose interval follows from the shots; `partly bounded`, where some terms
 * only have bounds; `beyond reach`, where most of it does; `methods disagree`, where noise does not decay as it should.
 */
export type EstimateVerdict = "resolved" | "partly bounded" | "beyond reach" | "methods disagree";

/** The mean of an observable at one point. */
export interface EstimatedValue {
  /** The number of the program, or of the set of inputs, from 0. */
  readonly point: number;
  /** The inputs of the point. */
  readonly inputs: Inputs;
  /** The observable, such as `Z0 + 0.5*X0 X1`. */
  readonly observable: string;
  /** The mean, errors of the device removed as far as was asked for. */
  readonly value: number;
  /** Lower end of the interval, at 95%. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
  /** Standard error, as the shots are finite. */
  readonly standardError: number;
  /** Part of half the interval that more shots make smaller: 1.96 standard errors. */
  readonly statistical: number;
  /** The other part: bounds of terms that can't be extrapolated, and doubt in the others. */
  readonly systematic: number;
  /** The mean of the outcomes as they are. */
  readonly raw: number;
  /** Standard error of `raw`. */
  readonly rawError: number;
  /** Shots of all programs of the estimate; 0 where a simulator computed the mean. */
  readonly shots: number;
  /** Judgement of how far the errors could be removed. */
  readonly verdict: EstimateVerdict;
}

/** A term of an estimate: what it gave, and how. */
export interface EstimatedTerm {
  /** Number of the program, or of the set of inputs, from 0. */
  readonly point: number;
  /** The term, such as `X0 X1`. */
  readonly term: string;
  /** Number of the group that it is measured in. */
  readonly group: number;
  /** Its mean, without its coefficient. */
  readonly value: number;
  /** Standard error of the mean. */
  readonly standardError: number;
  /** Half of the width of its bound; 0 where it has a standard error. */
  readonly bound: number;
  /** Method: measured, fitted by an exponential, bounded by the likelihood, or no decay fits. */
  readonly kind: "measured" | "fitted" | "bounded" | "misfit";
  /** Its mean at each noise factor, readout errors corrected as far as was asked for. */
  readonly means: readonly { readonly factor: number; readonly mean: number; readonly error: number }[];
}

/** Outcomes of all copies of a program: bit strings, the first bit on the right, with counts. Flips are undone. */
export type Tally = ReadonlyMap<string, number>;

/** The mean of a term, by its number. */
export interface TermMean
  extends Extrapolation,
    Omit<EstimatedTerm, "term" | "value" | "bound" | "kind" | "means"> {
  readonly term: number;
  /** Its mean at each noise factor. */
  readonly means: readonly MeasuredMean[];
}

/** The mean of an observable. */
export interface SumMean extends Omit<EstimatedValue, "inputs" | "observable" | "shots" | "verdict"> {
  readonly sum: number;
  /** Half of the width of the bounds of terms, added up. */
  readonly bound: number;
  /** Half of a further interval, at 95 %: what extrapolation and random gates may leave of the device's errors. */
  readonly doubt: number;
  /** For each program, the variance that one of its shots adds, once no term has only a bound. */
  readonly variances: readonly number[];
}

/** Means of all terms and observables. */
export interface Assessment {
  /** Shots of each program. */
  readonly shots: readonly number[];
  readonly sums: readonly SumMean[];
  readonly terms: readonly TermMean[];
}

/** Standard errors on each side of 95 %. */
export const Z95 = 1.959964;
/** Doubt in an extrapolation from one copy: part of what it adds, as folds do not lengthen each error alike. */
const DOUBTED_PART = 0.1;
/** Doubt in each term from one copy, as few random gates do not average the errors of gates out. */
const DOUBTED_TERM = 0.01;
/** Least mean of a parity in the calibration. Below it, outcomes tell too little to be corrected. */
const LEAST_CONTRAST = 0.05;

/** The product of some bits, as signs, in each outcome of a program. */
interface Parity {
  readonly program: number;
  readonly values: readonly number[];
  readonly mean: number;
  /** Variance of one shot. */
  readonly variance: number;
}

/** The mean of a term at a noise factor, and what it follows from. */
interface MeasuredMean extends NoisyMean {
  readonly parity: Parity;
  /** The same bits in the calibration, if the readout is corrected, and the contrast that they leave. */
  readonly calibrated: Parity | undefined;
  readonly contrast: number;
}

/** Estimates everything that the outcomes tell. */
export function assess(design: Design, tallies: readonly Tally[]): Assessment {
  const { programs, qubits, points, factors, groups, terms, copies } = design;
  const samples = tallies.map(sampleOf);
  const calibration = programs.findIndex(({ kind }) => kind === "calibrate");
  const placeOf = new Map(qubits.map((qubit, place) => [qubit, place]));
  const programOf = new Map(
    programs.map(({ kind, point, group, factor }, i) => [`${kind} ${point} ${group} ${factor}`, i]),
  );
  const contrasts = new Map<string, Parity>();
  const contrastOf = (places: readonly number[]): Parity => {
    const key = places.toString();
    const known = contrasts.get(key) ?? parityOf(samples[calibration]!, calibration, places, 1);
    contrasts.set(key, known);
    return known;
  };
  const found: TermMean[] = [];
  const sums: SumMean[] = [];
  for (let point = 0; point < points; point++) {
    const measured = groups.flatMap(({ readings }, group) =>
      readings.map(({ term, mask, sign }) => {
        const places = placesOf(mask).map(qubit => placeOf.get(qubit)!);
        const means = factors.map((factor): MeasuredMean => {
          const program = programOf.get(`measure ${point} ${group} ${factor}`)!;
          const parity = parityOf(samples[program]!, program, places, sign);
          const calibrated =
            calibration < 0 ? undefined : contrastOf(places.map(place => programs[program]!.places[place]!));
          const contrast = calibrated ? Math.max(LEAST_CONTRAST, calibrated.mean) : 1;
          const error = Math.sqrt(parity.variance / samples[program]!.shots) / contrast;
          return { factor, mean: parity.mean / contrast, error, parity, calibrated, contrast };
        });
        return { point, term, group, means };
      }),
    );
    const usual = usualRate(measured.map(({ means }) => means));
    const means = new Map(
      measured.map((own): [number, TermMean] => {
        const extrapolated = extrapolate(own.means, usual);
        const errors = extrapolated.gradient.map((slope, i) => slope * own.means[i]!.error);
        return [own.term, { ...extrapolated, ...own, standardError: Math.hypot(...errors) }];
      }),
    );
    found.push(...means.values());
    terms.sums.forEach(({ constant, weights }, sum) => {
      let [value, bound, correction, raw] = [constant, 0, 0, constant];
      const plain = new Influences(samples);
      const whole = new Influences(samples);
      const resolved = new Influences(samples);
      for (const [term, weight] of weights) {
        const mean = means.get(term)!;
        value += weight * mean.value;
        bound += Math.abs(weight) * mean.bound;
        if (mean.bound === 0) correction += Math.abs(weight * (mean.value - mean.means[0]!.mean));
        raw += weight * mean.means[0]!.parity.mean;
        plain.add(mean.means[0]!.parity, weight);
        mean.means.forEach(({ parity, calibrated, contrast }, i) => {
          for (const [influences, slopes] of [
            [whole, mean.gradient],
            [resolved, mean.slopes],
          ] as const) {
            const slope = (weight * slopes[i]!) / contrast;
            influences.add(parity, slope);
            if (calibrated) influences.add(calibrated, (-slope * parity.mean) / contrast);
          }
        });
      }
      const [standardError, rawError] = [whole.error(), plain.error()];
      const size = factors.length > 1 ? Math.hypot(...weights.values()) : 0;
      const doubt = Math.hypot(DOUBTED_PART * correction, DOUBTED_TERM * size) / Math.sqrt(copies);
      // Bounds are added to the standard error, the doubt in extrapolations as its own error.
      const statistical = Z95 * standardError;
      const half = Math.hypot(statistical, doubt) + bound;
      sums.push({
        ...{ point, value, low: value - half, high: value + half, standardError, statistical },
        ...{
          systematic: half - statistical,
          raw,
          rawError,
          sum,
          bound,
          doubt,
          variances: resolved.variances(),
        },
      });
    });
  }
  return { shots: samples.map(({ shots }) => shots), sums, terms: found };
}

/** Different outcomes of a program, and how often each came up. */
interface Sample {
  readonly shots: number;
  readonly outcomes: readonly string[];
  /** Share of each outcome. */
  readonly weights: readonly number[];
}

function sampleOf(tally: Tally): Sample {
  const shots = total([...tally.values()]);
  return { shots, outcomes: [...tally.keys()], weights: Array.from(tally.values(), count => count / shots) };
}

function parityOf(sample: Sample, program: number, places: readonly number[], sign: number): Parity {
  const values = sample.outcomes.map(outcome =>
    places.reduce((value, place) => (outcome.at(-1 - place) === "1" ? -value : value), sign),
  );
  const mean = total(values.map((value, i) => value * sample.weights[i]!));
  return { program, values, mean, variance: varianceOf(values, sample, 1) };
}

/** Variance of one shot, never 0: a value that no shot had may have come up in one more, up to `reach` away. */
function varianceOf(values: readonly number[], { weights, shots }: Sample, reach: number): number {
  const mean = total(values.map((value, i) => value * weights[i]!));
  const squares = total(values.map((value, i) => weights[i]! * (value - mean) ** 2));
  return (squares * shots + reach * reach) / (shots + 1);
}

/** Influences of single shots on a mean: those of the parities that it follows from, added up in each outcome. */
class Influences {
  readonly #samples: readonly Sample[];
  readonly #values: number[][];
  readonly #reaches: number[];

  constructor(samples: readonly Sample[]) {
    this.#samples = samples;
    this.#values = samples.map(({ outcomes }) => outcomes.map(() => 0));
    this.#reaches = samples.map(() => 0);
  }

  add({ program, values }: Parity, slope: number): void {
    const total = this.#values[program]!;
    for (let i = 0; i < values.length; i++) total[i]! += slope * values[i]!;
    this.#reaches[program]! += Math.abs(slope);
  }

  variances(): number[] {
    return this.#samples.map((sample, i) => varianceOf(this.#values[i]!, sample, this.#reaches[i]!));
  }

  error(): number {
    return Math.sqrt(total(this.variances().map((variance, i) => variance / this.#samples[i]!.shots)));
  }
}
