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
import { formatCredits, formatDuration } from "../display/index.ts";
import {
  type Distribution,
  type Layout,
  outcomesCsv,
  positionsOf,
  regroup,
  select,
  withZeros,
} from "../results/index.ts";
import { asked, Measured } from "./measured.ts";
import { readResultFile, writeResultFile } from "./result-file.ts";
import { type OutcomeRecord, readResult } from "./result-record.ts";
import { State } from "./state.ts";

/**
 * What a program gave. It shows itself as a histogram, and never changes: each method gives something new. Bit 0 is
 * the first of the first register (`c[0]`), the rightmost of an outcome; the numbers go on to the left.
 */
export class Result extends Measured {
  /** Repetitions; 0 for an exact run. */
  readonly shots: number;
  /** Credits that the job did cost. */
  readonly cost: number | null;
  /** Milliseconds that the job ran. */
  readonly duration: number | null;
  /** The record of the job that gave this result; its texts are empty when the result was made by hand. */
  readonly job: Readonly<RuntimeJob>;
  readonly #record: OutcomeRecord;
  #chart: Chart | undefined;

  /** @internal */
  constructor(record: OutcomeRecord, job: RuntimeJob) {
    super(record);
    this.#record = record;
    this.job = job;
    this.shots = job.shots ?? 0;
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

  /** One bit string a shot, in order; only when the run asked for `{ memory: true }`. */
  get measurements(): readonly string[] | null {
    return this.#record.resultData.measurements ?? null;
  }

  /** Amplitudes, real and imaginary parts in turn; only when an exact run asked for `{ statevector: true }`. */
  get statevector(): readonly number[] | null {
    return this.#record.resultData.statevector ?? null;
  }

  /**
   * Keeps some bits, in the order in which they stand, and adds up what differs in the others: the outcomes of
   * `marginal([0, 2])` are `c[2] c[0]`. Bits keep the program's numbers, in what `marginal` and `reverseBits` gave too.
   *
   * @throws KetbookError for a bit that is not there, or named twice.
   */
  marginal(bits: readonly number[]): Result {
    const question = `marginal([${bits.slice(0, 8).join(", ")}])`;
    const layout = this.layoutFor(question);
    return asked(question, () => this.#select(layout, positionsOf(layout, bits)));
  }

  /** Turns the order of the bits round, so that `c[0]` is on the left; a second time turns it back. */
  reverseBits(): Result {
    const layout = this.layoutFor("reverseBits()");
    return asked("reverseBits()", () => this.#select(layout, [...layout.bits.keys()].reverse()));
  }

  /** Lists the outcomes that were never seen too, with 0; up to 20 bits. */
  withZeros(): Result {
    const layout = this.layoutFor("withZeros()");
    return this.#changed(asked("withZeros()", () => withZeros(this.values, layout)));
  }

  #select(layout: Layout, positions: readonly number[]): Result {
    const { bits, write } = select(layout, positions);
    const measurements = this.measurements?.map(write);
    return this.#changed(regroup(this.values, write), { bits, ...(measurements && { measurements }) });
  }

  #changed(values: Distribution, change: { bits?: number[]; measurements?: string[] } = {}): Result {
    const { bits = this.#record.bits, measurements = this.#record.resultData.measurements } = change;
    const resultData: OutcomeRecord["resultData"] = {
      measurementCounts: this.exact ? null : values,
      registers: [...(this.layout?.registers ?? [])],
      ...(this.exact && { measurementProbabilities: values }),
      ...(measurements && { measurements }),
    };
    const { status, cost, timeStamps } = this.#record;
    return new Result({ status, cost, timeStamps, resultData, ...(bits && { bits }) }, this.job);
  }

  get #drawn() {
    const { registers, bits } = this.layout ?? {};
    return {
      ...(this.exact ? { probabilities: this.probabilities } : { counts: this.counts }),
      registers,
      bits,
    };
  }

  /** The exact state, which draws itself; only when an exact run asked for `{ statevector: true }`. */
  get state(): State | null {
    return this.statevector ? new State(this.statevector) : null;
  }

  /** Draws the result as bars. */
  histogram(options?: HistogramOptions): Chart<HistogramOptions> {
    const details = [
      this.job.deviceQrn,
      this.cost === null ? "" : formatCredits(this.cost),
      this.duration === null ? "" : formatDuration(this.duration),
    ];
    const title = this.job.name ?? undefined;
    const data = { ...this.#drawn, shots: this.shots, details: details.filter(Boolean), title };
    return asked("histogram", () => histogram(data, options));
  }

  /** Draws this result beside one to three others, with their distances; an exact one as thick ticks. */
  compare(...others: Result[]): Chart<ComparisonOptions>;
  compare(others: readonly Result[], options: ComparisonOptions): Chart<ComparisonOptions>;
  compare(...given: (Result | readonly Result[] | ComparisonOptions)[]): Chart<ComparisonOptions> {
    const [first, second] = given;
    const [others, options] = Array.isArray(first) ? [first, second as ComparisonOptions] : [given, {}];
    for (const other of others) this.check("compare", other as Result);
    const results = [this, ...(others as Result[])];
    const data = results.map(result => ({ label: result.#label, ...result.#drawn }));
    return asked("compare", () => comparison(data, options));
  }

  get #label(): string {
    const device = this.job.deviceQrn.split(":").at(-1) || "result";
    return this.job.name ?? (this.exact ? `${device}, exact` : device);
  }

  /** The result as plain data, from which `Result.from` makes it again. */
  toJSON(): RuntimeResult & { job: RuntimeJob; bits?: number[] } {
    return { ...this.#record, job: this.job };
  }

  /** The outcomes as a CSV table (RFC 4180); what a spreadsheet would take for a formula gets an apostrophe. */
  toCSV(): string {
    return outcomesCsv(this.values, this.exact);
  }

  /** Writes the result to a file whose name ends in `.json`, for `Result.load`, or in `.csv`. */
  save(path: string): void {
    writeResultFile(path, { ".json": () => `${JSON.stringify(this)}\n`, ".csv": () => this.toCSV() });
  }

  /** @internal */
  protected override face(): Chart {
    this.#chart ??= this.histogram();
    return this.#chart;
  }
}
