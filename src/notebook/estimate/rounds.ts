import { KetbookError } from "../../client/index.ts";
import { type Assessment, type Design, type EstimatedValue, varianceWith, Z95 } from "./assess.ts";
import { total } from "./extrapolate.ts";

/** A batch: how often each program is in it, with all its copies, how many that makes, and the shots of each. */
export interface Batch {
  readonly repeats: readonly number[];
  readonly programs: number;
  readonly shots: number;
}

export interface BatchLimits {
  readonly minShots: number;
  readonly maxShots: number;
  readonly maxPrograms: number;
  readonly copies: number;
}

/** Splits shots between programs so that the variance is least (Neyman): by standard deviations, less what is there. */
export function neyman(variances: readonly number[], known: readonly number[], shots: number): number[] {
  const sizes = variances.map(Math.sqrt);
  let open = sizes.map((_, i) => i);
  for (;;) {
    const sum = shots + total(open.map(i => known[i]!));
    const size = total(open.map(i => sizes[i]!));
    const wanted = new Map(open.map(i => [i, size > 0 ? (sum * sizes[i]!) / size : sum / open.length]));
    const short = open.filter(i => wanted.get(i)! > known[i]!);
    if (short.length === open.length || short.length === 0)
      return sizes.map((_, i) => Math.max(0, (wanted.get(i) ?? 0) - known[i]!));
    open = short;
  }
}

/** Repeats of a program that a batch has on average, at most. */
const SHARES = [1, 2, 4];

/** Chooses the batch of least variance with at most `shots` shots. A program that needs more is in it several times. */
export function chooseBatch(
  variances: readonly number[],
  known: readonly number[],
  shots: number,
  { minShots, maxShots, maxPrograms, copies }: BatchLimits,
): Batch | undefined {
  const wanted = neyman(variances, known, shots);
  let [best, least]: [Batch | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const share of SHARES) {
    const each = Math.min(maxShots, Math.floor(shots / (share * variances.length * copies)));
    if (each < minShots) break;
    const repeats = wanted.map(count => Math.floor(count / (each * copies)));
    let left = Math.floor(shots / (each * copies)) - total(repeats);
    const rests = wanted.map((count, i) => [count / (each * copies) - repeats[i]!, i] as const);
    for (const [part, i] of rests.sort((a, b) => b[0] - a[0])) if (left-- > 0 && part > 0) repeats[i]! += 1;
    const programs = total(repeats) * copies;
    if (programs === 0 || programs > maxPrograms) continue;
    const after = known.map((count, i) => count + repeats[i]! * each * copies);
    const variance = varianceWith(variances, after);
    if (variance < least * 0.99) [best, least] = [{ repeats, programs, shots: each }, variance];
  }
  return best;
}

export interface Goal {
  /** Half of the width of each interval. */
  readonly within?: number | undefined;
  /** Shots of all programs together. Default: 10,000 where no error is asked for. */
  readonly shots?: number | undefined;
}

/** A round of an estimate: a job. */
export interface EstimatedRound {
  /** Number of the round, from 1. */
  readonly round: number;
  /** Resource name of its job. */
  readonly jobQrn: string;
  /** Number of its programs. */
  readonly programs: number;
  /** Shots of all its programs. */
  readonly shots: number;
  /** Credits; null where the service does not say. */
  readonly cost: number | null;
  /** The means after this round. */
  readonly values: readonly EstimatedValue[];
}

export const MAX_ROUNDS = 5;
const DEFAULT_SHOTS = 10_000;
/** Shots of all copies of a program in the pilot round. */
const PILOT_SHOTS = 600;
/** Part of the shots that the pilot round may take. */
const PILOT_SHARE = 0.25;
/** Part of the shots so far that another round has at least, where some term has only a bound. */
const MORE_SHARE = 0.15;
/** Part of the lacking shots that the second round buys: the first round overestimates the lack. */
const SECOND_SHARE = 0.85;
/** Maximum shots of the next round as part of those so far, because its need is uncertain. */
const MOST_SHARE = 9;
/** Part of the shots so far below which another round is not worth its price. */
const LEAST_SHARE = 0.02;
/** Part of the spread of all programs that each has at least. */
const LEAST_PART = 0.04;

/** Returns the shots of all rounds, at most. */
export const mostShots = ({ shots, within }: Goal): number =>
  shots ?? (within === undefined ? DEFAULT_SHOTS : Number.POSITIVE_INFINITY);

/** Plans the next round: first a few shots of each program, then what the goal lacks. Undefined when there is nothing to gain. */
export function nextBatch(
  { points, groups, factors, copies, flips }: Design,
  assessment: Assessment | undefined,
  goal: Goal,
  limits: BatchLimits,
  round: number,
): Batch | undefined {
  const most = mostShots(goal);
  if (!assessment) {
    const pilot = goal.within === undefined ? 4 * PILOT_SHOTS : PILOT_SHOTS;
    const programs = Number(flips) + points * groups.length * factors.length;
    if (programs * copies * limits.minShots > most)
      throw new KetbookError(
        `estimate: ${most} shots are fewer than its ${programs * copies} programs need, of at least ${limits.minShots} each. Give more, or mitigate less, as in .mitigate().`,
      );
    const each = Math.floor(Math.min(pilot, (PILOT_SHARE * most) / programs) / copies);
    const shots = Math.min(limits.maxShots, Math.max(limits.minShots, 1, each));
    return { repeats: new Array(programs).fill(1), programs: programs * copies, shots };
  }
  if (round >= MAX_ROUNDS) return undefined;
  const [known, variances] = [assessment.shots, jointVariances(assessment)];
  const left = most - total(known);
  const share = round === 1 ? SECOND_SHARE : 1;
  const lack = goal.within ? Math.ceil(share * lackOf(assessment, variances, known, goal.within)) : left;
  const shots = Math.min(left, lack, limits.maxPrograms * limits.maxShots);
  if (!(shots >= Math.max(limits.minShots * copies, LEAST_SHARE * total(known)))) return undefined;
  return chooseBatch(variances, known, shots, limits);
}

/** Adds the variances of all observables up, each relative to its own. No program's part is too small to tell what it is. */
function jointVariances({ sums }: Assessment): number[] {
  const joint = sums[0]!.variances.map((_, program) =>
    total(
      sums.map(({ variances, standardError }) => variances[program]! / (standardError * standardError || 1)),
    ),
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
    const { statistical, systematic, doubt } = sum;
    const isInReach = doubt < within;
    if (isInReach ? statistical + systematic <= within : statistical <= doubt) return 0;
    const target = (isInReach ? within ** 2 - doubt ** 2 : doubt ** 2) / Z95 ** 2;
    let [least, most] = [0, 1e12];
    while (most - least > 1) {
      const middle = (least + most) / 2;
      const more = neyman(variances, known, middle).map((count, i) => count + known[i]!);
      if (varianceWith(sum.variances, more) > target) least = middle;
      else most = middle;
    }
    return Math.max(most, (sum.bound > 0 ? MORE_SHARE : 2 * LEAST_SHARE) * spent);
  });
  return Math.min(MOST_SHARE * spent, Math.max(...lacks));
}
