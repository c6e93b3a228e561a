import type { NoQuote, Quote } from "../../contract/index.ts";
import { CostLimitError } from "../jobs/quote.ts";
import type { Batch, BatchLimits } from "./rounds.ts";

/** Part by which a job that is billed by its time may cost more than its quote. */
const RESERVE = 0.1;
/** Part of the limit that a pilot round may cost, to leave enough for another one. */
const PILOT_COST = 0.5;
/** Part of the limit that programs may cost to be run again, or in more copies: what these gain is worth a third of the shots. */
export const MOST_OVERHEAD = 0.2;

/** Returns the highest quote for a job that may cost `credits`. If time is billed, it may take longer than quoted. */
export const mostQuoted = (quote: Quote | NoQuote, credits: number, excess = 1): number =>
  credits / (quote.pricingAvailable && quote.breakdown?.time !== 0 ? (1 + RESERVE) * excess : 1);

/** Credits of several jobs, one after the other: what they were quoted and have cost, and what is left. */
export function budgetOf(
  quoteOf: (programs: number, shots: number) => Promise<Quote | NoQuote>,
  { minShots, maxShots }: BatchLimits,
  maxCost: number,
) {
  let [jobs, spent, quoted] = [0, 0, 0];
  /** Maximum ratio of cost to quote of a job. */
  let excess = 1;

  /** Cuts a job down to what may be spent, or to fewer programs by `plan`. Undefined when nothing is left for it. */
  async function afford(
    job: Batch,
    onlyShots: number,
    plan: (maxPrograms: number) => Batch | undefined,
  ): Promise<Batch | undefined> {
    const { programs } = job;
    const least = await quoteOf(programs, minShots);
    const whole = await quoteOf(programs, job.shots);
    const left = mostQuoted(whole, maxCost - spent, excess);
    if (jobs > 0 && least.pricingAvailable && 2 * least.estimatedCost > left) {
      const most = (programs * left) / least.estimatedCost;
      const smaller = plan(Math.floor(most / 2)) ?? plan(Math.floor(most));
      if (smaller && smaller.programs < programs) return afford(smaller, onlyShots, plan);
    }
    if (!least.pricingAvailable || !whole.pricingAvailable || least.estimatedCost > left) {
      if (jobs === 0) throw new CostLimitError(least, maxCost);
      return undefined;
    }
    const isOnly = jobs === 0 && least.estimatedCost > MOST_OVERHEAD * left;
    const budget = jobs === 0 && !isOnly ? left * PILOT_COST : left;
    const most = isOnly ? Math.min(maxShots, onlyShots) : job.shots;
    const slope = (whole.estimatedCost - least.estimatedCost) / Math.max(1, job.shots - minShots);
    const fitting = slope > 0 ? minShots + Math.floor((budget - least.estimatedCost) / slope) : most;
    const shots = Math.max(minShots, Math.min(most, fitting));
    const cut = await quoteOf(programs, shots);
    const isFitting = cut.pricingAvailable && cut.estimatedCost <= left;
    quoted = isFitting ? cut.estimatedCost : least.estimatedCost;
    return { ...job, shots: isFitting ? shots : minShots };
  }

  /** Counts what a job cost: one that was submitted before, or the one that was afforded last. */
  async function pay(cost: number, found?: Batch): Promise<void> {
    if (found) {
      const quote = await quoteOf(found.programs, found.shots);
      quoted = quote.pricingAvailable ? quote.estimatedCost : 0;
    }
    if (quoted > 0) excess = Math.max(excess, cost / quoted);
    spent += cost;
    jobs += 1;
  }

  return { afford, pay };
}
