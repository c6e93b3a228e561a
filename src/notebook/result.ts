import {
  type Chart,
  type ComparisonOptions,
  comparison,
  type HistogramOptions,
  histogram,
} from "../charts/index.ts";
import { KetbookError } from "../client/errors.ts";
import type { RuntimeJob } from "../contract/job.ts";
import type { RuntimeResult } from "../contract/result.ts";
import { displayMetadata, jupyterDisplay, type MimeBundle } from "../display/bundle.ts";
import { formatCredits, formatDuration } from "../display/index.ts";
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
  outcomesCsv,
  outcomesOf,
  positionsOf,
  probabilitiesOf,
  regroup,
  select,
  withZeros,
} from "../results/index.ts";
import { readResultFile, writeResultFile } from "./result-file.ts";
import { type ResultRecord, readResult, registersOf } from "./result-record.ts";
import { TopList } from "./result-top.ts";
import { Shown } from "./shown.ts";

/** Turns the complaints of the mathematics into errors of the library, with what was asked in front. */
function asked<T>(question: string, compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new KetbookError(`${question}: ${cause.message}`, { cause });
  }
}

/**
 * What a program gave. It shows itself as a histogram, and never changes: each method gives something new.
 *
 * Bits are numbered in the order of the program: 0 is the first bit of the first register (`c[0]`), the rightmost
 * of an outcome. The numbers go on to the left through all registers; the spaces between them don't count.
 */
export class Result extends Shown {
  /** Bit string to how often it was seen; the last declared bit is on the left. Empty for an exact run. */
  readonly counts: Distribution;
  /** Repetitions; 0 for an exact run. */
  readonly shots: number;
  /** Credits that the job did cost. */
  readonly cost: number | null;
  /** Milliseconds that the job ran. */
  readonly duration: number | null;
  /** The record of the job that gave this result; its texts are empty when the result was made by hand. */
  readonly job: Readonly<RuntimeJob>;
  readonly #record: RuntimeResult & { readonly bits?: number[] };
  #exact: boolean | undefined;
  #probabilities: Distribution | undefined;
  #layout: Layout | null | undefined;
  #chart: Chart | undefined;

  /** @internal */
  constructor(record: RuntimeResult, job: RuntimeJob) {
    super();
    this.#record = record;
    this.job = job;
    this.counts = Object.freeze(record.resultData.measurementCounts ?? {});
    this.shots = job.shots;
    this.cost = record.cost ?? job.cost;
    this.duration = record.timeStamps.executionDuration ?? job.timeStamps.executionDuration;
  }

  /**
   * Makes a result from what `toJSON` gave, or from a service's own record of one; the smallest is
   * `{ resultData: { measurementCounts: { "00": 5, "11": 3 } } }`, or `measurementProbabilities` for an exact one.
   *
   * @throws KetbookError that names the member that is wrong.
   */
  static from(json: object): Result {
    const { job, ...record } = readResult(json);
    return new Result(record, job);
  }

  /** Reads a result that `save` wrote as JSON. */
  static load(path: string): Result {
    const json = readResultFile(path);
    if (Array.isArray(json))
      throw new KetbookError(`${path} holds ${json.length} results: Results.load reads them.`);
    return Result.from(json as object);
  }

  get #isExact(): boolean {
    this.#exact ??=
      !!this.#record.resultData.measurementProbabilities && outcomesOf(this.counts).length === 0;
    return this.#exact;
  }

  /** Exact probabilities, or else counts. */
  get #values(): Distribution {
    return this.#isExact ? this.probabilities : this.counts;
  }

  /** Bit string to probability: exact for an exact run, otherwise the share of the shots. */
  get probabilities(): Distribution {
    const exact = this.#isExact && this.#record.resultData.measurementProbabilities;
    this.#probabilities ??= exact ? Object.freeze(exact) : probabilitiesOf(this.counts);
    return this.#probabilities;
  }

  /** One bit string a shot, in order; only when the run asked for `{ memory: true }`. */
  get measurements(): readonly string[] | null {
    return this.#record.resultData.measurements ?? null;
  }

  /** Amplitudes, real and imaginary parts in turn; only when an exact run asked for `{ statevector: true }`. */
  get statevector(): readonly number[] | null {
    return this.#record.resultData.statevector ?? null;
  }

  /** The `n` likeliest outcomes (10 when nothing is said), in falling order. */
  top(n = 10): TopList {
    if (Number.isSafeInteger(n) && n >= 0) return TopList.make(this.#values, n, this.#isExact);
    throw new KetbookError(`top(${String(n)}): the number of outcomes must be whole, 0 or more.`);
  }

  /**
   * Keeps some bits, in the order in which they stand, and adds up what differs in the others: the outcomes of
   * `marginal([0, 2])` are `c[2] c[0]`. Bits keep the program's numbers, in what `marginal` and `reverseBits` gave too.
   *
   * @throws KetbookError for a bit that is not there, or named twice.
   */
  marginal(bits: readonly number[]): Result {
    const question = `marginal([${bits.slice(0, 8).join(", ")}])`;
    const layout = this.#layoutFor(question);
    return asked(question, () => this.#select(layout, positionsOf(layout, bits)));
  }

  /** Turns the order of the bits round, so that `c[0]` is on the left; a second time turns it back. */
  reverseBits(): Result {
    const layout = this.#layoutFor("reverseBits()");
    return asked("reverseBits()", () => this.#select(layout, [...layout.bits.keys()].reverse()));
  }

  /** Lists the outcomes that were never seen too, with 0; up to 20 bits. */
  withZeros(): Result {
    const layout = this.#layoutFor("withZeros()");
    return this.#changed(asked("withZeros()", () => withZeros(this.#values, layout)));
  }

  /**
   * The mean of a product of Z on some bits, and its standard error: `expectation("ZZI")`.
   *
   * @param observable - One letter a bit, written like an outcome: `Z`, or `I` for a bit that is left out.
   * @throws KetbookError for X and Y, which the program has to turn to Z before it measures.
   */
  expectation(observable: string): Expectation {
    const question = `expectation(${JSON.stringify(observable.slice(0, 40))})`;
    const layout = this.#layoutFor(question);
    return asked(question, () => expectationOf(this.#values, layout, observable, this.#isExact));
  }

  /** The 95 % Wilson interval of the probability of every outcome seen. Empty for an exact run. */
  intervals(): { readonly [outcome: string]: Interval } {
    return intervalsOf(this.counts);
  }

  /** The Shannon entropy of the outcomes' shares, in bits. */
  entropy(): number {
    return entropyOf(this.#values);
  }

  /** Half the sum of all differences of probability: 0 for equal results, 1 for those that share no outcome. */
  totalVariation(other: Result): number {
    return this.#distances("totalVariation", other).totalVariation;
  }

  /** The Hellinger distance √(1 − Σ √(pq)): 0 for equal results, 1 for those that share no outcome. */
  hellinger(other: Result): number {
    return this.#distances("hellinger", other).hellinger;
  }

  /** The classical fidelity (Σ √(pq))², the Bhattacharyya coefficient squared: 1 for equal results. */
  fidelity(other: Result): number {
    return this.#distances("fidelity", other).fidelity;
  }

  #distances(question: string, other: Result): Distances {
    this.#check(question, other);
    return distancesOf(this.#values, other.#values);
  }

  /** Refuses what is no result, and a result whose outcomes are of another width. */
  #check(question: string, other: Result): void {
    if (!(other instanceof Result))
      throw new KetbookError(`${question} takes results: is there an await missing?`);
    const [here, there] = [this.#bits, other.#bits].map(layout => layout?.length);
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
    if (!this.#isExact) return asked(question, () => numberedCounts(this.counts, base));
    throw new KetbookError(`${question}: an exact result has probabilities, and no counts.`);
  }

  /** What the symbols of an outcome stand for; null when outcomes are of different shapes. */
  get #bits(): Layout | null {
    if (this.#layout === undefined) {
      const { resultData, bits } = this.#record;
      this.#layout = layoutOf(this.#values, registersOf(resultData), bits) ?? null;
    }
    return this.#layout;
  }

  #layoutFor(question: string): Layout {
    const layout = this.#bits;
    if (layout) return layout;
    throw new KetbookError(`${question}: the outcomes are of different lengths, so that they share no bits.`);
  }

  #select(layout: Layout, positions: readonly number[]): Result {
    const { bits, write } = select(layout, positions);
    const measurements = this.measurements?.map(write);
    return this.#changed(regroup(this.#values, write), { bits, ...(measurements && { measurements }) });
  }

  #changed(values: Distribution, change: { bits?: number[]; measurements?: string[] } = {}): Result {
    const { bits = this.#record.bits, measurements = this.#record.resultData.measurements } = change;
    const resultData: RuntimeResult["resultData"] = {
      measurementCounts: this.#isExact ? null : values,
      registers: [...(this.#bits?.registers ?? [])],
      ...(this.#isExact && { measurementProbabilities: values }),
      ...(measurements && { measurements }),
    };
    const { status, cost, timeStamps } = this.#record;
    return new Result(
      { status, cost, timeStamps, resultData, ...(bits && { bits }) } as RuntimeResult,
      this.job,
    );
  }

  get #drawn() {
    const { registers, bits } = this.#bits ?? {};
    return {
      ...(this.#isExact ? { probabilities: this.probabilities } : { counts: this.counts }),
      registers,
      bits,
    };
  }

  /** Draws the result as bars. */
  histogram(options?: HistogramOptions): Chart {
    const details = [
      this.job.deviceQrn,
      this.cost === null ? "" : formatCredits(this.cost),
      this.duration === null ? "" : formatDuration(this.duration),
    ];
    const title = this.job.name ?? undefined;
    const data = { ...this.#drawn, shots: this.shots, details: details.filter(Boolean), title };
    return histogram(data, options);
  }

  /**
   * Draws this result beside one to three others, with their total variation and Hellinger distance. An exact
   * result among counted ones is drawn as thick ticks.
   */
  compare(...others: Result[]): Chart;
  compare(others: readonly Result[], options: ComparisonOptions): Chart;
  compare(...given: (Result | readonly Result[] | ComparisonOptions)[]): Chart {
    const [first, second] = given;
    const [others, options] = Array.isArray(first) ? [first, second as ComparisonOptions] : [given, {}];
    for (const other of others) this.#check("compare", other as Result);
    const results = [this, ...(others as Result[])];
    const data = results.map(result => ({ label: result.#label, ...result.#drawn }));
    return asked("compare", () => comparison(data, options));
  }

  get #label(): string {
    const device = this.job.deviceQrn.split(":").at(-1) || "result";
    return this.job.name ?? (this.#isExact ? `${device}, exact` : device);
  }

  /** The result as plain data, from which `Result.from` makes it again. */
  toJSON(): ResultRecord {
    return { ...this.#record, job: this.job };
  }

  /**
   * The outcomes as a CSV table (RFC 4180): count, probability and 95 % interval of each, or its exact probability.
   * Outcomes that a spreadsheet would take for formulas get an apostrophe in front.
   */
  toCSV(): string {
    return outcomesCsv(this.#values, this.#isExact);
  }

  /** Writes the result to a file whose name ends in `.json`, for `Result.load`, or in `.csv`. */
  save(path: string): void {
    writeResultFile(path, { ".json": () => `${JSON.stringify(this)}\n`, ".csv": () => this.toCSV() });
  }

  [jupyterDisplay](): MimeBundle {
    return this.#picture()[jupyterDisplay]();
  }

  /** @internal */
  [displayMetadata](): MimeBundle {
    return this.#picture()[displayMetadata]();
  }

  #picture(): Chart {
    this.#chart ??= this.histogram();
    return this.#chart;
  }
}
