import {
  type Chart,
  type ComparisonOptions,
  comparison,
  type EnergyOptions,
  energies,
  type HistogramOptions,
  histogram,
  nothingMeasured,
  outcomesLine,
} from "../../charts/index.ts";
import { type Client, KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import type { RuntimeJob } from "../../contract/index.ts";
import { type Displayable, formatNumber, type ProvenanceRecord } from "../../display/index.ts";
import { type Distribution, isExactly, outcomesOf } from "../../results/index.ts";
import { Job } from "../jobs/job.ts";
import { type Run, run } from "../jobs/run.ts";
import { defaultSession, type Session } from "../session.ts";
import type { DisplayableValue } from "../values/displayable-value.ts";
import { LazyValue } from "../values/lazy-value.ts";
import { meansLine } from "./expectation-list.ts";
import { haveMixedOrders, OutcomeStatistics } from "./outcome-statistics.ts";
import { unpackResults } from "./packed-results.ts";
import { completeContext, differences, makeProvenance, owners } from "./provenance.ts";
import { readResultFile, saveResult } from "./result-file.ts";
import { captionOf, labelOf, onDevice } from "./result-line.ts";
import { ResultList } from "./result-list.ts";
import { readJobRecord, readSaved } from "./result-record.ts";

/**
 * Result of a program, with its provenance. It shows itself as a histogram, the solutions of an annealer as a chart of their energies, the state of a
 * program that measures nothing as its amplitudes, its observables as a table of their means. It never changes: each method returns a new object. Bit 0 is the first of the first register (`c[0]`); it stands
 * on the right of an outcome, unless `bitOrder` says otherwise.
 */
export class Result extends OutcomeStatistics {
  /**
   * Makes a result from the output of `toJSON`, or from a service's record of one; the smallest is
   * `{ resultData: { measurementCounts: { "00": 5, "11": 3 } } }`, or `measurementProbabilities` for an exact one.
   *
   * @throws KetbookError that names the member that is wrong.
   */
  static from(json: object): Result {
    const { members, job, context } = readSaved(json);
    return new Result(members, job, context, true);
  }

  /** Reads a result that `save` wrote as JSON. */
  static load(path: string): Result {
    const json = readResultFile(path);
    const several = unpackResults(json);
    if (several) throw new KetbookError(`${path} holds ${several.length} results: Results.load reads them.`);
    return Result.from(json as object);
  }

  #drawn({ values, bits }: { values: Distribution; bits: readonly number[] | undefined }) {
    return {
      ...(this.exact ? { probabilities: values } : { counts: values }),
      fidelity: this.estimatedFidelity,
      registers: this.layout?.registers,
      bits,
      unknownOrder: this.bitOrder.order === "unknown",
    };
  }

  /**
   * Draws the result as bars.
   *
   * @throws KetbookError for the solutions of an annealer, which `energies` draws.
   */
  histogram(options?: HistogramOptions): Chart<HistogramOptions> {
    if (this.read.data.solutions)
      throw new KetbookError("histogram: an annealer's result has no counts: draw its energies().");
    const zeros = outcomesOf(this.values).length === 2 ** (this.layout?.bits.length ?? 0);
    const unmeasured = this.isUnmeasured;
    const drawn = this.#drawn({ values: this.values, bits: this.layout?.bits });
    const data = { ...drawn, unmeasured, zeros, shots: this.shots, ...captionOf(this) };
    return rethrowAsKetbookError("histogram", () => histogram(data, options));
  }

  /**
   * Draws how often an annealer found each energy, the lowest one marked.
   *
   * @throws KetbookError for the result of another device, which has no energies.
   */
  energies(options?: EnergyOptions): Chart<EnergyOptions> {
    const { solutions } = this.read.data;
    if (!solutions) throw new KetbookError("energies: this result has no solutions: annealers give them.");
    return rethrowAsKetbookError("energies", () => energies({ solutions, ...captionOf(this) }, options));
  }

  /**
   * Draws this result beside one to three others, with their distances and what differs in how they came about; an
   * exact one as outlines. Results whose bits are known to have different orders are drawn with bit 0 on the
   * right, and so compared.
   */
  compare(others: Result | readonly Result[], options?: ComparisonOptions): Chart<ComparisonOptions> {
    const results = [this, ...[others].flat()] as Result[];
    for (const other of results) this.check("compare", other);
    const isMixed = haveMixedOrders(results);
    const data = results.map(result => ({
      label: labelOf(result),
      ...result.#drawn(isMixed ? result.msbFirst() : { values: result.values, bits: result.layout?.bits }),
    }));
    const differing = differences(results);
    const remark = differing && `differ in ${differing}`;
    return rethrowAsKetbookError("compare", () => comparison(data, options, remark));
  }

  /**
   * Provenance of the result: program, compiled program, device, calibration, options, seed, versions, bill and order
   * of bits. What the service has to be asked for is fetched now, and kept with the result. It shows itself as a card.
   */
  provenance(): LazyValue<ProvenanceRecord & DisplayableValue> {
    return new LazyValue("Provenance", async () => {
      await completeContext(this.jobRecord, this.context);
      return makeProvenance(this);
    });
  }

  /** The job that gave this result. Its strings are empty if the result was made by hand. */
  get job(): Job {
    return new Job(owners.get(this.context) ?? defaultSession(), this.jobRecord);
  }

  /**
   * Prepares the same run again: program, device, shots, options and seed. Await it, or send it elsewhere first:
   * `result.compare(await result.replay().on("perth"))`.
   *
   * @param ketbook - Client that submits it. Default: the one that the result is from, else the notebook's.
   * @throws KetbookError when the program is not known, as for a result that was made by hand.
   */
  replay(ketbook?: {
    readonly client: Client;
    /** @internal */
    readonly session: Session;
  }): Run<Result> {
    const { program, index = 0 } = this.context;
    if (!program) throw new KetbookError("replay: the result does not know its program.");
    const { deviceQrn, runtimeOptions, metadata } = this.jobRecord;
    const seed = index === 0 && typeof metadata.seed === "number" ? { seed: metadata.seed } : {};
    const session = ketbook?.session ?? owners.get(this.context) ?? defaultSession();
    const again = run(session, program) as Run<Result>;
    const prepared = again.shots(this.shots).recorded({ ...seed, ...runtimeOptions });
    return deviceQrn ? prepared.on(deviceQrn) : prepared;
  }

  /** The result in a line, such as `Result of 1,000 shots on svc:svc:sim:statevector: 00 503, 11 497`. */
  override toString(): string {
    const where = onDevice(this.jobRecord.deviceQrn);
    if (this.solutions) return `Result${where}: ${this.solutions}`;
    const exact = isExactly(this.accuracy) ? "Exact result" : "Approximate result";
    const what = this.exact ? exact : `Result of ${formatNumber(this.shots)} shots`;
    if (this.isMeans) return `${what}${where}: ${meansLine(this.simulatedExpectations)}`;
    const shown = this.#isState ? String(this.state) : "";
    if (this.isUnmeasured) return `${what}${where}: ${[nothingMeasured, shown].filter(Boolean).join(". ")}`;
    return `${what}${where}: ${shown || outcomesLine(this.values, this.exact)}`;
  }

  /**
   * Writes the result to a file whose name ends in `.json`, for `Result.load`, or in `.csv`; or in `.svg`,
   * `.pdf`, `.png`, `.html` or `.txt` as it is shown. A JSON file has what is known of the run. To add the compiled
   * program, first `await result.provenance()`.
   */
  override save(path: string): void {
    saveResult(path, { json: () => this, csv: () => this.toCSV(), show: () => super.save(path) });
  }

  get #isState(): boolean {
    return this.statevector !== null && (this.hasNoBits || this.isUnmeasured);
  }

  /** @internal */
  protected override render(): Displayable {
    if (this.read.data.solutions) return this.energies();
    if (this.isMeans && !this.problem) return this.observables;
    if (!this.#isState) return this.histogram();
    const title = this.isUnmeasured ? "State: nothing was measured" : "State";
    return this.state.histogram({ title: this.jobRecord.name ?? title });
  }
}

/** The results of a batch, in the order of its programs: an array that shows itself as `chart` does, or as a table. */
export class Results extends ResultList<Result> {
  /** Reads the results that `save` wrote as JSON. */
  static load(path: string): Results {
    const file = readResultFile(path);
    const records = unpackResults(file) ?? [file];
    const jobs = new Map<unknown, RuntimeJob>();
    const readJob = (job: unknown) => {
      const known = jobs.get(job) ?? readJobRecord(job);
      jobs.set(job, known);
      return known;
    };
    return Results.from(records, record => {
      const { members, job, context } = readSaved(record, readJob);
      return new Result(members, job, context, true);
    }) as Results;
  }
}
