import type { NoQuote, Quote } from "../../contract/index.ts";
import { CostLimitError } from "../jobs/quote.ts";
import { type Batch, type BatchLimits, total } from "./allocate.ts";

/** Part by which a job that is billed by its time may cost more than its quote. */
const RESERVE = 0.1;
/** Part of the limit that a pilot round may cost, to leave enough for another one. */
const PILOT_COST = 0.5;

/** Returns the highest quote for a job that may cost `credits`. If time is billed, it may take longer than quoted. */
export const mostQuoted = (quote: Quote | NoQuote, credits: number, excess = 1): number =>
  credits / (quote.pricingAvailable && quote.breakdown?.time !== 0 ? (1 + RESERVE) * excess : 1);

type QuoteOf = (programs: number, shots: number) => Promise<Quote | NoQuote>;

/** Credits of one estimate: what its rounds were quoted and have cost, and what is left. */
export class Budget {
  readonly #quote: QuoteOf;
  readonly #limits: BatchLimits;
  readonly #maxCost: number;
  #rounds = 0;
  #spent = 0;
  #quoted = 0;
  /** Maximum ratio of cost to quote of a job. */
  #excess = 1;

  constructor(quote: QuoteOf, limits: BatchLimits, maxCost: number) {
    this.#quote = quote;
    this.#limits = limits;
    this.#maxCost = maxCost;
  }

  /**
   * Cuts a batch down to what may be spent; a round that leaves nothing for another one gets up to `onlyShots`. Undefined when
   * nothing is left for it.
   *
   * @param plan - Plans the same round with fewer programs, for devices that charge more for a program than for its shots.
   * @throws CostLimitError when the first round costs too much, or there is no quote for it.
   */
  async afford(
    batch: Batch,
    onlyShots: number,
    plan: (maxPrograms: number) => Batch | undefined,
  ): Promise<Batch | undefined> {
    const { minShots, maxShots, copies } = this.#limits;
    const programs = total(batch.repeats) * copies;
    const least = await this.#quote(programs, minShots);
    const whole = await this.#quote(programs, batch.shots);
    const left = mostQuoted(whole, this.#maxCost - this.#spent, this.#excess);
    if (this.#rounds > 0 && least.pricingAvailable && 2 * least.estimatedCost > left) {
      const smaller = plan(Math.floor((programs * left) / (2 * least.estimatedCost)));
      if (smaller && total(smaller.repeats) * copies < programs) return this.afford(smaller, onlyShots, plan);
    }
    if (!least.pricingAvailable || !whole.pricingAvailable || least.estimatedCost > left) {
      if (this.#rounds === 0) throw new CostLimitError(least, this.#maxCost);
      return undefined;
    }
    const isOnly = this.#rounds === 0 && 2 * least.estimatedCost > left;
    const budget = this.#rounds === 0 && !isOnly ? left * PILOT_COST : left;
    const most = isOnly ? Math.min(maxShots, onlyShots) : batch.shots;
    const slope = (whole.estimatedCost - least.estimatedCost) / Math.max(1, batch.shots - minShots);
    const fitting = slope > 0 ? minShots + Math.floor((budget - least.estimatedCost) / slope) : most;
    const shots = Math.max(minShots, Math.min(most, fitting));
    const cut = await this.#quote(programs, shots);
    const isFitting = cut.pricingAvailable && cut.estimatedCost <= left;
    this.#quoted = isFitting ? cut.estimatedCost : least.estimatedCost;
    return { ...batch, shots: isFitting ? shots : minShots };
  }

  /** Counts what a round cost: one that was submitted before, or the one that was afforded last. */
  async pay(cost: number, found?: Batch): Promise<void> {
    if (found) {
      const quote = await this.#quote(total(found.repeats) * this.#limits.copies, found.shots);
      this.#quoted = quote.pricingAvailable ? quote.estimatedCost : 0;
    }
    if (this.#quoted > 0) this.#excess = Math.max(this.#excess, cost / this.#quoted);
    this.#spent += cost;
    this.#rounds += 1;
  }
}
