import { type Batch, type BatchLimits, chooseBatch, neyman, total, varianceWith } from "./allocate.ts";
import type { Assessment, Design, SumMean } from "./assess.ts";

/** Goal: an error, or a number of shots. */
export interface Goal {
  /** Half of the width of each interval. */
  readonly within?: number | undefined;
  /** Shots of all programs together. Default: 10,000 where no error is asked for. */
  readonly shots?: number | undefined;
}

/** Rounds at most, the pilot round included. */
export const MAX_ROUNDS = 5;
const DEFAULT_SHOTS = 10_000;
/** Shots of all copies of a program in the pilot round. */
const PILOT_SHOTS = 600;
/** Part of the shots that the pilot round may take. */
const PILOT_SHARE = 0.25;
/** Part of the shots so far that another round has at least, where bounds are wider than the error that is asked for. */
const MORE_SHARE = 0.15;
/** Maximum shots of the next round as part of those so far, because its need is uncertain. */
const MOST_SHARE = 9;
/** Part of the shots so far below which another round is not worth its price. */
const LEAST_SHARE = 0.02;
/** Part of the spread of all programs that each has at least. */
const LEAST_PART = 0.04;
/** Standard errors on each side of 95 %. */
export const Z95 = 1.959964;

/** The interval of an observable, at 95 %. */
export interface SumInterval {
  readonly statistical: number;
  readonly systematic: number;
  readonly low: number;
  readonly high: number;
}

/** Returns the interval of a mean. Bounds are added to its standard error, the doubt in extrapolations as its own error. */
export function intervalOf({ value, error, bound, doubt }: SumMean): SumInterval {
  const statistical = Z95 * error;
  const half = Math.hypot(statistical, doubt) + bound;
  return { statistical, systematic: half - statistical, low: value - half, high: value + half };
}

/**
 * Plans the next round: first a few shots of each program, then what the goal still lacks, in proportion to the spread that was
 * seen. Undefined when there is nothing to gain.
 */
export function nextBatch(
  { programs, copies }: Design,
  assessment: Assessment | undefined,
  goal: Goal,
  limits: BatchLimits,
  round: number,
): Batch | undefined {
  const most = goal.shots ?? (goal.within === undefined ? DEFAULT_SHOTS : Number.POSITIVE_INFINITY);
  if (!assessment) {
    const pilot = goal.within === undefined ? 4 * PILOT_SHOTS : PILOT_SHOTS;
    const each = Math.floor(Math.min(pilot, (PILOT_SHARE * most) / programs.length) / copies);
    const shots = Math.min(limits.maxShots, Math.max(limits.minShots, 1, each));
    return { repeats: programs.map(() => 1), shots };
  }
  if (round >= MAX_ROUNDS) return undefined;
  const known = assessment.shots;
  const variances = jointVariances(assessment);
  const left = most - total(known);
  const lack = goal.within === undefined ? left : lackOf(assessment, variances, known, goal.within);
  const shots = Math.min(left, lack, limits.maxPrograms * limits.maxShots);
  if (!(shots >= Math.max(limits.minShots * copies, LEAST_SHARE * total(known)))) return undefined;
  return chooseBatch(variances, known, shots, limits);
}

/** Adds the variances of all observables up, each relative to its own. No program's part is too small to tell what it is. */
function jointVariances({ sums }: Assessment): number[] {
  const joint = sums[0]!.variances.map((_, program) =>
    total(sums.map(({ variances, error }) => variances[program]! / (error * error || 1))),
  );
  const least = (LEAST_PART * total(joint.map(Math.sqrt))) ** 2;
  return joint.map(variance => Math.max(variance, least));
}

/** Returns the shots that are lacking for an error, or for one as large as the doubt, by the spread that was seen. */
function lackOf(
  { sums }: Assessment,
  variances: readonly number[],
  known: readonly number[],
  within: number,
): number {
  const spent = total(known);
  const lacks = sums.map(sum => {
    const { statistical, systematic } = intervalOf(sum);
    const isInReach = sum.doubt < within;
    if (isInReach ? statistical + systematic <= within : statistical <= sum.doubt) return 0;
    const target = (isInReach ? within ** 2 - sum.doubt ** 2 : sum.doubt ** 2) / Z95 ** 2;
    const varianceAfter = (shots: number) => {
      const more = neyman(variances, known, shots);
      return varianceWith(
        sum.variances,
        known.map((count, i) => count + more[i]!),
      );
    };
    let [least, most] = [0, 1];
    while (varianceAfter(most) > target && most < 1e12) [least, most] = [most, 2 * most];
    while (most - least > 1) {
      const middle = (least + most) / 2;
      if (varianceAfter(middle) > target) least = middle;
      else most = middle;
    }
    return Math.max(most, MORE_SHARE * spent);
  });
  return Math.ceil(Math.min(MOST_SHARE * spent, Math.max(...lacks)));
}
