import {
  type Chart,
  type ComparisonOptions,
  comparison,
  type EnergyOptions,
  energies,
  type HistogramOptions,
  histogram,
  nothingMeasured,
} from "../../charts/index.ts";
import { KetbookError, rethrowAsKetbookError } from "../../client/errors.ts";
import { formatNumber, type ProvenanceRecord } from "../../display/index.ts";
import {
  type Distribution,
  isExactly,
  type Layout,
  mapOutcomes,
  matrixOfMeans,
  outcomesOf,
  positionsOf,
  select,
  withZeros,
} from "../../results/index.ts";
import { Job } from "../jobs/job.ts";
import { type Run, run } from "../jobs/run.ts";
import type { Ketbook } from "../ketbook.ts";
import { defaultSession } from "../session.ts";
import type { DisplayableValue } from "../values/displayable-value.ts";
import { LazyValue } from "../values/lazy-value.ts";
import type { BitOrder } from "./bit-order.ts";
import { DensityMatrix, pauliStrings } from "./density-matrix.ts";
import { ExpectationList, expectationRows } from "./expectation-list.ts";
import { haveMixedOrders, OutcomeStatistics } from "./outcome-statistics.ts";
import { completeContext, differences, makeProvenance, ownerOf } from "./provenance.ts";
import { captionOf, labelOf } from "./result-caption.ts";
import { isPicture, readResultFile, writeResultFile } from "./result-file.ts";
import { onDevice, outcomesLine } from "./result-line.ts";
import { type ResultRecord, readDerivedRecord, readSaved, readUserRecord } from "./result-record.ts";
import { unpackResults } from "./results-file.ts";

/**
 * What a program gave. It shows itself as a histogram, the solutions of an annealer as a chart of their energies, the state of a
 * program that measures nothing as its amplitudes. It never changes: each method returns a new object. Bit 0 is the first of the first register (`c[0]`); it stands
 * on the right of an outcome, unless `bitOrder` says otherwise.
 */
export class Result extends OutcomeStatistics {
  #chart: Chart | undefined;
  #expectations: ExpectationList | undefined;

  /**
   * Makes a result from what `toJSON` gave, or from a service's own record of one; the smallest is
   * `{ resultData: { measurementCounts: { "00": 5, "11": 3 } } }`, or `measurementProbabilities` for an exact one.
   *
   * @throws KetbookError that names the member that is wrong.
   */
  static from(json: object): Result {
    const { members, job, context } = readSaved(json);
    return new Result(members, job, context, readUserRecord);
  }

  /** Reads a result that `save` wrote as JSON. */
  static load(path: string): Result {
    const json = readResultFile(path);
    const several = unpackResults(json);
    if (several) throw new KetbookError(`${path} holds ${several.length} results: Results.load reads them.`);
    return Result.from(json as object);
  }

  /**
   * The expectation values of the run's `observables`, in their order, which a simulator computed from the final states
   * themselves: a list that shows itself as a table. Empty where none were asked for.
   *
   * @throws KetbookError if the service ignored them.
   *
   * @example
   * ```ts
   * import { qasm, run } from "ketbook";
   * const bell = qasm`include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1];`;
   * const { observables } = await run(bell).observables("XX", "0.5*ZI - ZZ");
   * observables[0]?.value; // 1
   * ```
   */
  get observables(): ExpectationList {
    const advice = "Measure, and take result.expectation(…); or run on a simulator that computes them.";
    this.requireHonored("observables", "observables", advice);
    this.#expectations ??= ExpectationList.simulated(expectationRows([this]));
    return this.#expectations;
  }

  /**
   * The density matrix of some qubits in the final state of an exact run, before the measurements that end the program,
   * the other qubits traced out. Under noise, or if the program ends in several states, the run must have asked for
   * `.observables(...pauliStrings(qubits))`.
   *
   * @example
   * ```ts
   * import { pauliStrings, qasm, run } from "ketbook";
   * const bell = qasm`include "stdgates.inc"; qubit[2] q; h q[0]; cx q[0], q[1];`;
   * const result = await run(bell).on("density").observables(...pauliStrings([0, 1])).shots(0);
   * result.densityMatrix([0, 1]).purity; // below 1, for the noise
   * ```
   *
   * @throws KetbookError if these means are missing, or depend on shots.
   */
  densityMatrix(qubits: readonly number[]): DensityMatrix {
    if (this.statevector) return this.state.densityMatrix(qubits);
    const list = `[${[qubits].flat().slice(0, 8).join(", ")}]`;
    const means = new Map(this.simulatedExpectations.map(mean => [mean.observable, mean]));
    const strings = pauliStrings(qubits);
    const missing = strings.find(string => !means.has(string));
    if (missing !== undefined)
      throw new KetbookError(
        `densityMatrix(${list}): the result lacks the mean of ${missing}. Add .observables(...pauliStrings(${list})).shots(0) to the run.`,
      );
    if (this.estimatedFidelity !== null || strings.some(string => means.get(string)!.shots > 0))
      throw new KetbookError(
        `densityMatrix(${list}): the means are not exact. Run the program exactly, with .shots(0), on a simulator that leaves nothing out.`,
      );
    return new DensityMatrix(matrixOfMeans(qubits, string => means.get(string)!.value));
  }

  /**
   * Keeps some bits, in the order in which they stand, and adds up what differs in the others: the outcomes of
   * `marginal([0, 2])` are `c[2] c[0]`, as of `marginal(["c[0]", "c[2]"])`; `marginal(["c"])` keeps a register. Bits keep
   * the program's numbers, in what `marginal` and `reverseBits` gave too.
   *
   * @throws KetbookError for a bit that is not there, or named twice.
   */
  marginal(bits: readonly (number | string)[]): Result {
    const question = `marginal([${[bits].flat().slice(0, 8).join(", ")}])`;
    const layout = this.layoutFor(question);
    return rethrowAsKetbookError(question, () =>
      this.#select(layout, positionsOf(layout, bits), this.bitOrder),
    );
  }

  /** Reverses the order of the bits, so that `c[0]` is on the left; a second time restores it. */
  reverseBits(): Result {
    const layout = this.layoutFor("reverseBits()");
    const { order, reason } = this.bitOrder;
    const reversed = { "msb-first": "lsb-first", "lsb-first": "msb-first", unknown: "unknown" } as const;
    const bitOrder = { order: reversed[order], reason: `Reversed by reverseBits(). Before: ${reason}` };
    return this.#select(layout, [...layout.bits.keys()].reverse(), bitOrder);
  }

  /** Lists the outcomes that were never seen too, with 0; up to 20 bits. */
  withZeros(): Result {
    const layout = this.layoutFor("withZeros()");
    return this.#changed(
      rethrowAsKetbookError("withZeros()", () => withZeros(this.values, layout)),
      layout,
      {
        measurements: this.read.data.measurements,
        bitOrder: this.bitOrder,
      },
    );
  }

  #select(layout: Layout, positions: readonly number[], bitOrder: BitOrder): Result {
    const { bits, write } = select(layout, positions);
    const measurements = this.read.data.measurements?.map(write) ?? null;
    return this.#changed(mapOutcomes(this.values, write), { ...layout, bits }, { measurements, bitOrder });
  }

  #changed(
    values: Distribution,
    { registers, bits }: Pick<Layout, "registers" | "bits">,
    { measurements, bitOrder }: { measurements: readonly string[] | null; bitOrder: BitOrder },
  ): Result {
    const resultData = {
      measurementCounts: this.exact ? null : values,
      registers,
      ...(this.exact && { measurementProbabilities: values }),
      estimatedFidelity: this.estimatedFidelity,
      ...(measurements && { measurements }),
    };
    const { status, cost, timeStamps } = this.read.record;
    const record = { status, cost, timeStamps, resultData, bits, bitOrder };
    return new Result(record, this.jobRecord, this.context, readDerivedRecord);
  }

  get #drawn() {
    const { registers, bits } = this.layout ?? {};
    return {
      ...(this.exact ? { probabilities: this.probabilities } : { counts: this.counts }),
      fidelity: this.estimatedFidelity,
      registers,
      bits,
      unknownOrder: this.bitOrder.order === "unknown",
    };
  }

  get #drawnMsbFirst() {
    const { values, bits } = this.msbFirst();
    return { ...(this.exact ? { probabilities: values } : { counts: values }), bits };
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
    const data = { ...this.#drawn, unmeasured, zeros, shots: this.shots, ...captionOf(this) };
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
   * exact one as thick ticks. Results whose bits are known to stand in different orders are drawn with bit 0 on the
   * right, and so compared.
   */
  compare(others: Result | readonly Result[], options?: ComparisonOptions): Chart<ComparisonOptions> {
    const results = [this, ...[others].flat()] as Result[];
    for (const other of results) this.check("compare", other);
    const isMixed = haveMixedOrders(results);
    const data = results.map(result => ({
      label: labelOf(result),
      ...result.#drawn,
      ...(isMixed && result.#drawnMsbFirst),
    }));
    const differing = differences(results);
    const remark = differing && `differ in ${differing}`;
    return rethrowAsKetbookError("compare", () => comparison(data, options, remark));
  }

  /**
   * How the result came about: program, compiled program, device, calibration, options, seed, versions, bill and order
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
    return new Job(ownerOf(this.context) ?? defaultSession(), this.jobRecord);
  }

  /**
   * Prepares the same run again: program, device, shots, options and seed. Await it, or send it elsewhere first:
   * `result.compare(await result.replay().on("perth"))`.
   *
   * @param ketbook - Whose account it runs on. Default: the one that the result is from, else the notebook's.
   * @throws KetbookError when the program is not known, as for a result that was made by hand.
   */
  replay(ketbook?: Ketbook): Run<Result> {
    const { program, index = 0 } = this.context;
    if (!program) throw new KetbookError("replay: the result does not know its program.");
    const { deviceQrn, runtimeOptions, metadata } = this.jobRecord;
    const seed = index === 0 && typeof metadata.seed === "number" ? { seed: metadata.seed } : {};
    const session = ketbook?.session ?? ownerOf(this.context) ?? defaultSession();
    const again = run(session, program) as Run<Result>;
    const prepared = again.shots(this.shots).recorded({ ...seed, ...runtimeOptions });
    return deviceQrn ? prepared.on(deviceQrn) : prepared;
  }

  /** The result as plain data, from which `Result.from` makes it again: all that the service said, and the order of bits. */
  toJSON(): ResultRecord {
    const { bitOrder, problem, jobRecord: job, context } = this;
    return { ...this.read.record, bitOrder, ...(problem !== null && { problem }), job, context };
  }

  /** The result in a line, such as `Result of 1,000 shots on svc:svc:sim:statevector: 00 503, 11 497`. */
  override toString(): string {
    const where = onDevice(this.jobRecord.deviceQrn);
    if (this.solutions) return `Result${where}: ${this.solutions}`;
    const exact = isExactly(this.accuracy) ? "Exact result" : "Approximate result";
    const what = this.exact ? exact : `Result of ${formatNumber(this.shots)} shots`;
    if (this.isUnmeasured)
      return `${what}${where}: ${this.statevector ? `${nothingMeasured}. ${this.state}` : nothingMeasured}`;
    return `${what}${where}: ${outcomesLine(this.values, this.exact)}`;
  }

  /**
   * Writes the result to a file whose name ends in `.json`, for `Result.load`, or in `.csv`; or in `.svg`,
   * `.pdf`, `.png`, `.html` or `.txt` as it is shown. A JSON file has what is known of the run. To add the compiled
   * program, first `await result.provenance()`.
   */
  override save(path: string): void {
    if (isPicture(path)) super.save(path);
    else
      writeResultFile(path, {
        ".json": () => `${JSON.stringify(this)}\n`,
        ".csv": () => this.toCSV(),
      });
  }

  /** @internal */
  protected override render(): Chart {
    this.#chart ??= this.read.data.solutions
      ? this.energies()
      : this.isUnmeasured && this.statevector
        ? this.state.histogram({ title: this.jobRecord.name ?? "State: nothing was measured" })
        : this.histogram();
    return this.#chart;
  }
}
