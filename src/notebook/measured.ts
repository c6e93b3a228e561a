import { KetbookError } from "../client/errors.ts";
import {
  type Distances,
  type Distribution,
  distancesOf,
  type Expectation,
  entropyOf,
  expectationOf,
  type Interval,
  intervalsOf,
  type Layout,
  layoutOf,
  numberedCounts,
  outcomesOf,
  probabilitiesOf,
} from "../results/index.ts";
import { type OutcomeRecord, registersOf } from "./result-record.ts";
import { TopList } from "./result-top.ts";
import { Shown } from "./shown.ts";

/** Turns the complaints of the mathematics into errors of the library, with what was asked in front. */
export function asked<T>(question: string, compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new KetbookError(`${question}: ${cause.message}`, { cause });
  }
}

/** Outcomes that were measured or computed, and the figures that follow from them. */
export abstract class Measured extends Shown {
  /** Bit string to how often it was seen; the last declared bit is on the left. Empty for an exact run. */
  readonly counts: Distribution;
  /**
   * Probabilities are known, and no counts.
   *
   * @internal
   */
  protected readonly exact: boolean;
  readonly #record: OutcomeRecord;
  #probabilities: Distribution | undefined;
  #layout: Layout | null | undefined;

  /** @internal */
  constructor(record: OutcomeRecord) {
    super();
    const { measurementCounts, measurementProbabilities } = record.resultData;
    this.#record = record;
    this.counts = Object.freeze(measurementCounts ?? {});
    this.exact = !!measurementProbabilities && outcomesOf(this.counts).length === 0;
  }

  /**
   * Exact probabilities, or else counts.
   *
   * @internal
   */
  protected get values(): Distribution {
    return this.exact ? this.probabilities : this.counts;
  }

  /** Bit string to probability: exact for an exact run, otherwise the share of the shots. */
  get probabilities(): Distribution {
    const exact = this.exact && this.#record.resultData.measurementProbabilities;
    this.#probabilities ??= exact ? Object.freeze(exact) : probabilitiesOf(this.counts);
    return this.#probabilities;
  }

  /** The `n` likeliest outcomes (10 when nothing is said), in falling order. */
  top(n = 10): TopList {
    if (Number.isSafeInteger(n) && n >= 0) return TopList.make(this.values, n, this.exact);
    throw new KetbookError(`top(${String(n)}): the number of outcomes must be whole, 0 or more.`);
  }

  /**
   * The mean of a product of Z on some bits, and its standard error: `expectation("ZZI")`.
   *
   * @param observable - One letter a bit, written like an outcome: `Z`, or `I` for a bit that is left out.
   * @throws KetbookError for X and Y, which the program has to turn to Z before it measures.
   */
  expectation(observable: string): Expectation {
    const question = `expectation(${JSON.stringify(observable.slice(0, 40))})`;
    const layout = this.layoutFor(question);
    return asked(question, () => expectationOf(this.values, layout, observable, this.exact));
  }

  /** The 95 % Wilson interval of the probability of every outcome seen. Empty for an exact run. */
  intervals(): { readonly [outcome: string]: Interval } {
    return intervalsOf(this.counts);
  }

  /** The Shannon entropy of the outcomes' shares, in bits. */
  entropy(): number {
    return entropyOf(this.values);
  }

  /** Half the sum of all differences of probability: 0 for equal results, 1 for those that share no outcome. */
  totalVariation(other: Measured): number {
    return this.#distances("totalVariation", other).totalVariation;
  }

  /** The Hellinger distance √(1 − Σ √(pq)): 0 for equal results, 1 for those that share no outcome. */
  hellinger(other: Measured): number {
    return this.#distances("hellinger", other).hellinger;
  }

  /** The classical fidelity (Σ √(pq))², the Bhattacharyya coefficient squared: 1 for equal results. */
  fidelity(other: Measured): number {
    return this.#distances("fidelity", other).fidelity;
  }

  #distances(question: string, other: Measured): Distances {
    this.check(question, other);
    return distancesOf(this.values, other.values);
  }

  /**
   * Refuses what is no result, and a result whose outcomes are of another width.
   *
   * @internal
   */
  protected check(question: string, other: Measured): void {
    if (!(other instanceof Measured))
      throw new KetbookError(`${question} takes results: is there an await missing?`);
    const [here, there] = [this.layout, other.layout].map(layout => layout?.length);
    if (here && there && here !== there)
      throw new KetbookError(
        `${question}: outcomes of ${here} and of ${there} characters have nothing in common. Take marginals of equal width.`,
      );
  }

  /** Counts by the number that a bit string writes, in decimal digits: `"5"` for `101`. */
  decimalCounts(): Distribution {
    return this.#numbered("decimalCounts()", 10);
  }

  /** Counts by the number that a bit string writes, in hexadecimal digits: `"0x5"` for `101`. */
  hexCounts(): Distribution {
    return this.#numbered("hexCounts()", 16);
  }

  #numbered(question: string, base: 10 | 16): Distribution {
    if (!this.exact) return asked(question, () => numberedCounts(this.counts, base));
    throw new KetbookError(`${question}: an exact result has probabilities, and no counts.`);
  }

  /**
   * What the symbols of an outcome stand for; null when outcomes are of different shapes.
   *
   * @internal
   */
  protected get layout(): Layout | null {
    if (this.#layout === undefined) {
      const { resultData, bits } = this.#record;
      this.#layout = layoutOf(this.values, registersOf(resultData), bits) ?? null;
    }
    return this.#layout;
  }

  /** @internal */
  protected layoutFor(question: string): Layout {
    const layout = this.layout;
    if (layout) return layout;
    throw new KetbookError(`${question}: the outcomes are of different lengths, so that they share no bits.`);
  }
}
