import type { NoQuote, Quote } from "../../contract/index.ts";
import { CostLimitError } from "../jobs/quote.ts";
import { type Assessment, type Design, type EstimatedValue, varianceWith, Z95 } from "./assess.ts";
import { total } from "./extrapolate.ts";

/** A batch: how often each program is in it, with all its copies, and the shots of each copy. */
export interface Batch {
  readonly repeats: readonly number[];
  readonly shots: number;
}

/** Limits of a batch. */
export interface BatchLimits {
  readonly minShots: number;
  readonly maxShots: number;
  readonly maxPrograms: number;
  /** Copies of each program. */
  readonly copies: number;
}

/**
 * Splits shots between programs so that the variance is least (Neyman): in proportion to the standard deviations, less
 * what is there already.
 */
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

/**
 * Chooses the batch of at most the given number of shots, all together, that leaves the least variance. All programs of a batch have the
 * same shots, so one that needs more is in it several times.
 */
export function chooseBatch(
  variances: readonly number[],
  known: readonly number[],
  shots: number,
  { minShots, maxShots, maxPrograms, copies }: BatchLimits,
): Batch | undefined {
  const wanted = neyman(variances, known, shots);
  let best: Batch | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const share of SHARES) {
    const each = Math.min(maxShots, Math.floor(shots / (share * variances.length * copies)));
    if (each < minShots) break;
    const repeats = wanted.map(count => Math.floor(count / (each * copies)));
    let left = Math.floor(shots / (each * copies)) - total(repeats);
    const rests = wanted.map((count, i) => [count / (each * copies) - repeats[i]!, i] as const);
    for (const [part, i] of rests.sort((a, b) => b[0] - a[0])) if (left-- > 0 && part > 0) repeats[i]! += 1;
    const programs = total(repeats) * copies;
    if (programs === 0 || programs > maxPrograms) continue;
    const variance = varianceWith(
      variances,
      known.map((count, i) => count + repeats[i]! * each * copies),
    );
    if (variance < least * 0.99) [best, least] = [{ repeats, shots: each }, variance];
  }
  return best;
}

/** Goal: an error, or a number of shots. */
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
/**
 * Plans the next round: first a few shots of each program, then what the goal still lacks, in proportion to the spread that was
 * seen. Undefined when there is nothing to gain.
 */
export function nextBatch(
  { points, groups, factors, copies, flips }: Design,
  assessment: Assessment | undefined,
  goal: Goal,
  limits: BatchLimits,
  round: number,
): Batch | undefined {
  const most = goal.shots ?? (goal.within === undefined ? DEFAULT_SHOTS : Number.POSITIVE_INFINITY);
  if (!assessment) {
    const pilot = goal.within === undefined ? 4 * PILOT_SHOTS : PILOT_SHOTS;
    const programs = Number(flips) + points * groups.length * factors.length;
    const each = Math.floor(Math.min(pilot, (PILOT_SHARE * most) / programs) / copies);
    const shots = Math.min(limits.maxShots, Math.max(limits.minShots, 1, each));
    return { repeats: new Array(programs).fill(1), shots };
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
    const varianceAfter = (shots: number) => {
      const more = neyman(variances, known, shots);
      return varianceWith(
        sum.variances,
        known.map((count, i) => count + more[i]!),
      );
    };
    let [least, most] = [0, 1e12];
    while (most - least > 1) {
      const middle = (least + most) / 2;
      if (varianceAfter(middle) > target) least = middle;
      else most = middle;
    }
    return Math.max(most, MORE_SHARE * spent);
  });
  return Math.ceil(Math.min(MOST_SHARE * spent, Math.max(...lacks)));
}

/** Part by which a job that is billed by its time may cost more than its quote. */
const RESERVE = 0.1;
/** Part of the limit that a pilot round may cost, to leave enough for another one. */
const PILOT_COST = 0.5;

/** Returns the highest quote for a job that may cost `credits`. If time is billed, it may take longer than quoted. */
export const mostQuoted = (quote: Quote | NoQuote, credits: number, excess = 1): number =>
  credits / (quote.pricingAvailable && quote.breakdown?.time !== 0 ? (1 + RESERVE) * excess : 1);

/** Credits of one estimate: what its rounds were quoted and have cost, and what is left. */
export function budgetOf(
  quoteOf: (programs: number, shots: number) => Promise<Quote | NoQuote>,
  { minShots, maxShots, copies }: BatchLimits,
  maxCost: number,
) {
  let [rounds, spent, quoted] = [0, 0, 0];
  /** Maximum ratio of cost to quote of a job. */
  let excess = 1;

  /**
   * Cuts a batch down to what may be spent; a round that leaves nothing for another one gets up to `onlyShots`. Undefined when
   * nothing is left for it.
   *
   * @param plan - Plans the same round with fewer programs, for devices that charge more for a program than for its shots.
   * @throws CostLimitError when the first round costs too much, or there is no quote for it.
   */
  async function afford(
    batch: Batch,
    onlyShots: number,
    plan: (maxPrograms: number) => Batch | undefined,
  ): Promise<Batch | undefined> {
    const programs = total(batch.repeats) * copies;
    const least = await quoteOf(programs, minShots);
    const whole = await quoteOf(programs, batch.shots);
    const left = mostQuoted(whole, maxCost - spent, excess);
    if (rounds > 0 && least.pricingAvailable && 2 * least.estimatedCost > left) {
      const smaller = plan(Math.floor((programs * left) / (2 * least.estimatedCost)));
      if (smaller && total(smaller.repeats) * copies < programs) return afford(smaller, onlyShots, plan);
    }
    if (!least.pricingAvailable || !whole.pricingAvailable || least.estimatedCost > left) {
      if (rounds === 0) throw new CostLimitError(least, maxCost);
      return undefined;
    }
    const isOnly = rounds === 0 && 2 * least.estimatedCost > left;
    const budget = rounds === 0 && !isOnly ? left * PILOT_COST : left;
    const most = isOnly ? Math.min(maxShots, onlyShots) : batch.shots;
    const slope = (whole.estimatedCost - least.estimatedCost) / Math.max(1, batch.shots - minShots);
    const fitting = slope > 0 ? minShots + Math.floor((budget - least.estimatedCost) / slope) : most;
    const shots = Math.max(minShots, Math.min(most, fitting));
    const cut = await quoteOf(programs, shots);
    const isFitting = cut.pricingAvailable && cut.estimatedCost <= left;
    quoted = isFitting ? cut.estimatedCost : least.estimatedCost;
    return { ...batch, shots: isFitting ? shots : minShots };
  }

  /** Counts what a round cost: one that was submitted before, or the one that was afforded last. */
  async function pay(cost: number, found?: Batch): Promise<void> {
    if (found) {
      const quote = await quoteOf(total(found.repeats) * copies, found.shots);
      quoted = quote.pricingAvailable ? quote.estimatedCost : 0;
    }
    if (quoted > 0) excess = Math.max(excess, cost / quoted);
    spent += cost;
    rounds += 1;
  }

  return { afford, pay };
}
