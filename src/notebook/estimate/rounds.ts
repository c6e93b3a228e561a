import { type Batch, type BatchLimits, chooseBatch, neyman, varianceWith } from "./allocate.ts";
import { type Assessment, assess, type Design, type SumMean, type Tally } from "./assess.ts";

/** What is asked for: an error, or a number of shots. */
export interface Goal {
  /** Half of the width of each interval. */
  readonly within?: number | undefined;
  /** Shots of all programs together. Default: 10,000 where no error is asked for. */
  readonly shots?: number | undefined;
}

/** Rounds at most, the pilot round included. */
export const MAX_ROUNDS = 5;
const DEFAULT_SHOTS = 10_000;
/** Shots of each program in the pilot round. */
const PILOT_SHOTS = 500;
/** Part of the shots that the pilot round may take. */
const PILOT_SHARE = 0.25;
/** Standard errors that a mean should be from 0, so that its sign is told at three. */
const FLOOR = 4.5;
/** Part of all shots that may be spent on telling the signs of terms. */
const FLOOR_SHARE = 1;
/** Part of the shots so far that another round has at least, to tell signs. */
const MORE_SHARE = 0.3;
/** Part of the shots so far below which another round is not worth its price. */
const LEAST_SHARE = 0.02;
/** Part by which each round aims below the error that is asked for. */
const MARGIN = 0.04;
/** Part of an extrapolation that is doubted: folding a gate does not lengthen each of its errors alike. */
const DOUBT = 0.03;
/** Standard errors on each side of 95 %. */
export const Z95 = 1.959964;

/** The interval of an observable, at 95 %. */
export interface SumInterval {
  readonly statistical: number;
  readonly systematic: number;
  readonly low: number;
  readonly high: number;
}

/** Returns the interval of a mean: its statistical and its systematic part are added. */
export function intervalOf({ value, error, bound, correction }: SumMean): SumInterval {
  const statistical = Z95 * error;
  const systematic = bound + DOUBT * correction;
  const half = statistical + systematic;
  return { statistical, systematic, low: value - half, high: value + half };
}

/** Returns the number of shots of each program. */
const shotsBy = (tallies: readonly Tally[]): number[] =>
  tallies.map(tally => [...tally.values()].reduce((sum, count) => sum + count, 0));

/**
 * Plans the next round: first a few shots of each program, then what the goal still lacks, in proportion to the spread that was
 * seen. Undefined when there is nothing to gain.
 */
export function nextBatch(
  design: Design,
  tallies: readonly Tally[],
  goal: Goal,
  limits: BatchLimits,
  round: number,
): Batch | undefined {
  const count = design.programs.length;
  const total = goal.within === undefined ? (goal.shots ?? DEFAULT_SHOTS) : goal.shots;
  if (round === 0) {
    const share = total === undefined ? PILOT_SHOTS : Math.floor((PILOT_SHARE * total) / count);
    const each = Math.min(limits.maxShots, Math.max(limits.minShots, 1, Math.min(share, 4 * PILOT_SHOTS)));
    return { repeats: design.programs.map(() => 1), shots: each };
  }
  if (round >= MAX_ROUNDS) return undefined;
  const known = shotsBy(tallies);
  const spent = known.reduce((sum, shots) => sum + shots, 0);
  const assessment = assess(design, tallies);
  const variances = jointVariances(assessment);
  const left = total === undefined ? Number.POSITIVE_INFINITY : total - spent;
  const wanted = goal.within === undefined ? left : lackOf(assessment, variances, known, goal.within, round);
  const shots = Math.min(left, wanted, limits.maxPrograms * limits.maxShots);
  if (!(shots >= Math.max(limits.minShots, LEAST_SHARE * spent))) return undefined;
  return chooseBatch(variances, known, shots, limits, floorsOf(design, assessment, known, shots));
}

/** Adds the variances of all observables up, each relative to its own. */
function jointVariances({ sums }: Assessment): number[] {
  const [first] = sums;
  return first!.variances.map((_, program) =>
    sums.reduce((sum, { variances, error }) => sum + variances[program]! / (error * error || 1), 0),
  );
}

/** Returns the shots that are lacking for an error, by the spread that was seen. */
function lackOf(
  { sums }: Assessment,
  variances: readonly number[],
  known: readonly number[],
  within: number,
  round: number,
): number {
  const open = sums.filter(sum => sum.value - intervalOf(sum).low > within);
  const spent = known.reduce((total, shots) => total + shots, 0);
  const wanted = open.map(sum => {
    const room = within * (1 - MARGIN * round) - (intervalOf(sum).systematic - sum.bound);
    const more = sum.bound > 0 ? MORE_SHARE * spent : 0;
    if (!(room > 0)) return more;
    const target = (room / Z95) ** 2;
    let [least, most] = [0, 1];
    const isEnough = (shots: number) => {
      const more = neyman(variances, known, shots);
      return (
        varianceWith(
          sum.variances,
          known.map((count, i) => count + more[i]!),
        ) <= target
      );
    };
    while (!isEnough(most) && most < 1e12) most *= 2;
    for (let step = 0; step < 40; step++) {
      const middle = (least + most) / 2;
      if (isEnough(middle)) most = middle;
      else least = middle;
    }
    return Math.max(most, more);
  });
  return Math.ceil(Math.max(0, ...wanted));
}

/** Returns shots that tell the signs of terms at the two smallest noise factors, as far as that is worth it. */
function floorsOf(
  { programs, factors }: Design,
  { terms }: Assessment,
  known: readonly number[],
  shots: number,
): number[] {
  const most = (FLOOR_SHARE * (shots + known.reduce((sum, count) => sum + count, 0))) / programs.length;
  const floors = programs.map(() => 0);
  if (factors.length === 1) return floors;
  programs.forEach((program, index) => {
    if (program.kind !== "measure" || program.factor > factors[1]!) return;
    for (const { point, group, means } of terms) {
      if (point !== program.point || group !== program.group) continue;
      const { mean, error } = means[factors.indexOf(program.factor)]!;
      const deviation = error * Math.sqrt(known[index]!);
      const needed = ((FLOOR * deviation) / Math.max(Math.abs(mean), error)) ** 2;
      floors[index] = Math.max(floors[index]!, Math.min(needed, most));
    }
  });
  return floors;
}
