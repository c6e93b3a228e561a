import { placesOf, stringName } from "../../simulation/index.ts";
import type { Inputs } from "../programs/inputs.ts";
import { type Extrapolation, extrapolate, total, usualRate } from "./extrapolate.ts";
import type { Group, Terms } from "./terms.ts";

/** Programs to measure, and how to combine their outcomes. Each has some copies, all of them with the same shots. */
export interface Design {
  readonly terms: Terms;
  readonly groups: readonly Group[];
  /** Number of programs, or of sets of inputs, that the observables are wanted of. */
  readonly points: number;
  readonly factors: readonly number[];
  readonly qubits: readonly number[];
  /** For each group at each point, the places of the measured bits among those that the calibration measures. */
  readonly places: readonly (readonly number[])[];
  readonly copies: number;
  /** Whether the first program calibrates the readout, and every other copy flips its bits before they are measured. */
  readonly flips: boolean;
  /** Rate at which means decay by the device's calibration, if there is one. */
  readonly rate?: number | undefined;
}

/** Numbers of the programs that measure a group at a point, one for each noise factor. */
export const programsOf = ({ flips, groups, factors }: Design, point: number, group: number): number[] =>
  factors.map((_, i) => Number(flips) + (point * groups.length + group) * factors.length + i);

/**
 * Verdict on an estimate: `resolved`, a value whose interval follows from the shots; `partly bounded`, where some terms
 * only have bounds; `beyond reach`, where these leave more than a tenth of all values open; `methods disagree`, where noise does
 * not decay as it should.
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
  /** Part of the interval's half-width that more shots reduce: 1.96 standard errors. */
  readonly statistical: number;
  /** The rest of it: bounds of terms that can't be extrapolated, and doubt in the others. */
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

/** The mean of an observable, with what the next round is planned by. */
export interface SumMean extends EstimatedValue {
  /** Half of the width of the bounds of terms, added up. */
  readonly bound: number;
  /** Half of a further interval, at 95 %: what extrapolation and random gates may leave of the device's errors. */
  readonly doubt: number;
  /** For each program, the variance that one of its shots adds, once no term has only a bound. */
  readonly variances: readonly number[];
}

export type Assessment = ReturnType<typeof assess>;

/** Standard errors on each side of 95 %. */
export const Z95 = 1.959964;
/** Doubt in an extrapolation, as part of the added value: folds do not lengthen each error alike (4% on emulated QPUs). */
const DOUBTED_PART = 0.08;
/** Doubt in each term from one copy, as few random gates do not average the errors of gates out. It falls with the copies. */
const DOUBTED_TERM = 0.02;
/** Least mean of a parity in the calibration. Below it, outcomes tell too little to be corrected. */
const LEAST_CONTRAST = 0.05;
/** Part of all values of an observable that bounds may leave open where it is within reach. */
const MOST_OPEN = 0.1;

/** Computes the means of a design from its outcomes; `shots` are those of each program. */
export function assess(design: Design, tallies: readonly Tally[], inputs: readonly Inputs[] = []) {
  const { places, qubits, points, factors, groups, terms, copies, flips, rate } = design;
  const samples = tallies.map(sampleOf);
  const shots = samples.map(sample => sample.shots);
  const estimated: EstimatedTerm[] = [];
  const sums: SumMean[] = [];
  for (let point = 0; point < points; point++) {
    const measured = groups.flatMap(({ readings }, group) =>
      readings.map(({ term, mask, sign }) => {
        const bits = placesOf(mask).map(qubit => qubits.indexOf(qubit));
        const calibrating = bits.map(bit => places[point * groups.length + group]![bit]!);
        const calibrated = flips ? parityOf(samples, 0, calibrating, 1) : undefined;
        const contrast = calibrated ? Math.max(LEAST_CONTRAST, calibrated.mean) : 1;
        const means = programsOf(design, point, group).map((program, i) => {
          const parity = parityOf(samples, program, bits, sign);
          return {
            factor: factors[i]!,
            mean: parity.mean / contrast,
            error: parity.error / contrast,
            parity,
          };
        });
        return { term, group, means, calibrated, contrast };
      }),
    );
    const usual = usualRate(
      measured.map(({ means }) => means),
      rate,
    );
    const found = new Map(measured.map(own => [own.term, { ...own, ...extrapolate(own.means, usual) }]));
    for (const { term, group, means, value, gradient, bound, kind } of found.values())
      estimated.push({
        ...{ point, term: stringName(terms.strings[term]!), group, value, bound, kind },
        standardError: Math.hypot(...gradient.map((slope, i) => slope * means[i]!.error)),
        means: means.map(({ factor, mean, error }) => ({ factor, mean, error })),
      });
    for (const { name, constant, weights } of terms.sums) {
      const own = Array.from(weights, ([term, weight]) => ({ weight, ...found.get(term)! }));
      const variancesBy = (by: "gradient" | "slopes") =>
        variancesOf(
          samples,
          own.flatMap(({ weight, means, calibrated, contrast, [by]: slopes }) =>
            means.flatMap(({ parity }, i): Influence[] => {
              const slope = (weight * slopes[i]!) / contrast;
              const correction = (-slope * parity.mean) / contrast;
              return [[parity, slope], ...(calibrated ? [[calibrated, correction] as const] : [])];
            }),
          ),
        );
      const sumOf = (of: (mean: (typeof own)[0]) => number) => total(own.map(of));
      const size = factors.length > 1 ? Math.hypot(...weights.values()) : 0;
      const correction = sumOf(({ weight, value, bound, means: [first] }) =>
        bound === 0 ? Math.abs(weight * (value - first!.mean)) : 0,
      );
      const doubt = Math.hypot(DOUBTED_PART * correction, (DOUBTED_TERM * size) / copies);
      const bound = sumOf(mean => Math.abs(mean.weight) * mean.bound);
      const value = constant + sumOf(mean => mean.weight * mean.value);
      const standardError = Math.sqrt(varianceWith(variancesBy("gradient"), shots));
      const plain = own.map(({ weight, means: [first] }): Influence => [first!.parity, weight]);
      // Bounds are added to the standard error, the doubt in extrapolations as its own error.
      const statistical = Z95 * standardError;
      const half = Math.hypot(statistical, doubt) + bound;
      sums.push({
        ...{ point, inputs: inputs[point] ?? {}, observable: name },
        ...{ value, low: value - half, high: value + half, standardError, statistical },
        systematic: half - statistical,
        raw: constant + total(plain.map(([{ mean }, weight]) => weight * mean)),
        rawError: Math.sqrt(varianceWith(variancesOf(samples, plain), shots)),
        shots: total(shots),
        verdict: verdictOf(own, statistical),
        ...{ bound, doubt, variances: variancesBy("slopes") },
      });
    }
  }
  return { shots, sums, terms: estimated };
}

type WeightedMean = Pick<Extrapolation, "kind" | "bound"> & { readonly weight: number };

function verdictOf(terms: readonly WeightedMean[], statistical: number): EstimateVerdict {
  const sizes = (kind: string) =>
    total(terms.map(term => (term.kind === kind ? Math.abs(term.weight) * term.bound : 0)));
  const bounded = sizes("bounded");
  if (bounded > MOST_OPEN * total(terms.map(({ weight }) => Math.abs(weight)))) return "beyond reach";
  if (sizes("misfit") > statistical) return "methods disagree";
  return bounded > 0 ? "partly bounded" : "resolved";
}

type Sample = ReturnType<typeof sampleOf>;

function sampleOf(tally: Tally) {
  const shots = total([...tally.values()]);
  return { shots, outcomes: [...tally.keys()], weights: Array.from(tally.values(), count => count / shots) };
}

/** The product of some bits of a program, as signs, in each outcome. */
type Parity = ReturnType<typeof parityOf>;

function parityOf(samples: readonly Sample[], program: number, places: readonly number[], sign: number) {
  const sample = samples[program]!;
  const values = sample.outcomes.map(outcome =>
    places.reduce((value, place) => (outcome.at(-1 - place) === "1" ? -value : value), sign),
  );
  const mean = total(values.map((value, i) => value * sample.weights[i]!));
  return { program, values, mean, error: Math.sqrt(varianceOf(values, sample, 1) / sample.shots) };
}

/** Variance of one shot, never 0: a value that no shot had may have come up in one more, up to `reach` away. */
function varianceOf(values: readonly number[], { weights, shots }: Sample, reach: number): number {
  const mean = total(values.map((value, i) => value * weights[i]!));
  const squares = total(values.map((value, i) => weights[i]! * (value - mean) ** 2));
  return (squares * shots + reach * reach) / (shots + 1);
}

/** A parity that a mean follows from, and the change of the mean with it. */
type Influence = readonly [Parity, slope: number];

/** Returns for each program the variance that one shot adds to a mean: influences add up in each outcome. */
function variancesOf(samples: readonly Sample[], influences: readonly Influence[]): number[] {
  return samples.map((sample, program) => {
    const own = influences.filter(([parity]) => parity.program === program);
    const values = sample.outcomes.map((_, i) => total(own.map(([{ values }, slope]) => slope * values[i]!)));
    return varianceOf(values, sample, total(own.map(([, slope]) => Math.abs(slope))));
  });
}

/** Returns the variance that is left when programs have these shots, of that which one shot of each adds. */
export const varianceWith = (variances: readonly number[], shots: readonly number[]): number =>
  total(variances.map((variance, i) => (variance === 0 ? 0 : variance / shots[i]!)));
