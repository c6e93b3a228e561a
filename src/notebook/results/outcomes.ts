import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import type { ObservableExpectation, RuntimeJob } from "../../contract/index.ts";
import {
  type Accuracy,
  type Distribution,
  type Layout,
  layoutOf,
  type OutcomeRow,
  outcomeRows,
  outcomesCsv,
  outcomesOf,
  probabilitiesOf,
  removeSpaces,
  rowsToCsv,
  type Solution,
  totalOf,
} from "../../results/index.ts";
import type { Inputs } from "../programs/inputs.ts";
import { parametersOf } from "../programs/parameters.ts";
import { rowsToArrow } from "../values/arrow.ts";
import { DisplayableValue } from "../values/displayable-value.ts";
import { analyzeProgram, type BitOrder, inferBitOrder, type ProgramBits } from "./bit-order.ts";
import { type ExpectationRow, meansOf } from "./expectation-list.ts";
import { SolutionList } from "./outcome-lists.ts";
import { type ReadResult, type ResultContext, readRecord } from "./result-record.ts";
import { State } from "./state.ts";

/**
 * A row of a result: of an outcome, `{ outcome, count, probability, low, high }`, or `{ outcome, probability }` when it
 * is exact; of an annealer, a solution; of observables where nothing was measured, a mean.
 */
export interface ResultRow extends Partial<OutcomeRow>, Partial<Solution>, Partial<ExpectationRow> {}

/** Returns the cost of one program: its equal share if the service reports only the cost of a whole batch. */
function costOfProgram(cost: number | null, job: RuntimeJob): number | null {
  const programs = job.numCircuits ?? 1;
  const isWhole = programs > 1 && (cost === null || cost === job.cost);
  return isWhole && job.cost !== null ? job.cost / programs : (cost ?? job.cost);
}

/** Outcomes of a program, with their provenance. */
export abstract class Outcomes extends DisplayableValue {
  /** Outcome to how often it was seen. Empty for an exact run. */
  readonly counts: Distribution;
  /** Repetitions; 0 for an exact run. */
  readonly shots: number;
  /** Credits that the program cost, of a batch its own part; null if unknown. */
  readonly cost: number | null;
  /** Milliseconds that the job ran; null if unknown. */
  readonly duration: number | null;
  /** @internal The record of the job that gave this result; its strings are empty if the result was made by hand. */
  readonly jobRecord: Readonly<RuntimeJob>;
  /** Data of the run outside the job, such as its program. */
  readonly context: Readonly<ResultContext>;
  /** Description of unreadable parts of the service's record; null if there are none. `toJSON()` has the original. */
  readonly problem: string | null;
  /** The names of options that the service ignored, such as `memory`, or `shots: 0` where it drew shots. */
  readonly ignoredOptions: readonly string[];
  /** @internal Probabilities are known, and no counts. */
  protected readonly exact: boolean;
  /** @internal */
  protected readonly read: ReadResult;
  readonly #program: () => ProgramBits | undefined;
  #probabilities: Distribution | undefined;
  #bitOrder: BitOrder | undefined;
  #parameters: Inputs | undefined;

  /** @internal Reads the record of a result, in every shape that services write. */
  constructor(record: unknown, job: RuntimeJob, context: ResultContext = {}, isSaved = false) {
    super();
    this.#program = analyzeProgram(context.program, job.runtimeOptions?.inputs);
    this.read = readRecord(record, isSaved, () => this.#program()?.width);
    const { data, problem } = this.read;
    const { cost, timeStamps } = this.read.record;
    this.counts = data.counts;
    this.exact = !!data.probabilities && outcomesOf(data.counts).length === 0;
    this.jobRecord = job;
    this.context = context;
    this.problem = problem;
    this.ignoredOptions = ignoredOptions(job, this.read);
    this.shots = this.exact ? 0 : job.shots || totalOf(data.counts);
    this.cost = costOfProgram(cost, job);
    this.duration = timeStamps.executionDuration ?? job.timeStamps?.executionDuration ?? null;
  }

  /**
   * Estimated fidelity of the simulated state, from 0 to 1, of a matrix product state that left something out; null for
   * every other.
   */
  get estimatedFidelity(): number | null {
    return this.read.data.estimatedFidelity;
  }

  /** @internal */
  get accuracy(): Accuracy {
    return { exact: this.exact, fidelity: this.estimatedFidelity };
  }

  /** @internal Exact probabilities, or else counts. */
  get values(): Distribution {
    return this.exact ? this.probabilities : this.counts;
  }

  /** Outcome to probability: exact for an exact run, otherwise the share of the shots. */
  get probabilities(): Distribution {
    this.#probabilities ??= (this.exact && this.read.data.probabilities) || probabilitiesOf(this.counts);
    return this.#probabilities;
  }

  /**
   * The values that the program's inputs had, by name, as `sweep` or `inputs` gave them: `{ theta: 0.5 }`; expressions of
   * constants as their number. Empty for a program without.
   */
  get parameters(): Inputs {
    this.#parameters ??= Object.freeze({
      ...(Object(this.jobRecord.runtimeOptions?.inputs) as Inputs),
      ...parametersOf(this.context.program),
    });
    return this.#parameters;
  }

  /**
   * One outcome per shot, in order, if the run asked for `{ memory: true }` or the device always gives them.
   *
   * @throws KetbookError for a result without them, with what to add to the run.
   */
  get measurements(): readonly string[] {
    this.requireHonored("memory", "measurements", "Use the counts, or another device.");
    const { measurements } = this.read.data;
    if (measurements) return measurements;
    throw new KetbookError(
      this.exact
        ? "measurements: an exact run has no shots. Set .shots(1000) and .options({ memory: true })."
        : "measurements: the order of the shots was not kept. Add .options({ memory: true }) to the run.",
    );
  }

  /** @internal Amplitudes of an exact run that gives its state, real and imaginary parts interleaved; else null. */
  protected get statevector(): readonly number[] | null {
    return this.read.data.statevector;
  }

  /** The solutions of an annealer, the lowest energy first, as a table; null for every other device. */
  get solutions(): SolutionList | null {
    const { solutions } = this.read.data;
    return solutions && SolutionList.make(solutions);
  }

  /** @internal Throws a KetbookError if the service ignored an option. */
  protected requireHonored(option: string, question: string, advice: string): void {
    if (!this.ignoredOptions.includes(option)) return;
    throw new KetbookError(`${question}: the service ignored the option ${option}. ${advice}`);
  }

  /** @internal */
  get simulatedExpectations(): readonly ObservableExpectation[] {
    return this.read.data.expectations ?? [];
  }

  /**
   * The exact state, which draws itself, of an exact run (`shots(0)`): up to 10 qubits, or 12 with
   * `{ statevector: true }`.
   *
   * @throws KetbookError for a result without it, with what to add to the run.
   */
  get state(): State {
    const { statevector } = this;
    if (statevector)
      return rethrowAsKetbookError("state", () => new State(statevector, this.estimatedFidelity));
    throw new KetbookError(
      this.exact
        ? "state: the result has no state. Add .options({ statevector: true }) to the run, on a simulator without noise such as statevector."
        : this.ignoredOptions.includes("shots: 0")
          ? "state: the service drew shots instead of an exact run. Use a simulator such as statevector."
          : "state: shots give counts and no state. Run the program exactly: run(…).shots(0).",
    );
  }

  /** @internal Whether the program has no bits, so the outcomes, if any, are those of all its qubits. */
  protected get hasNoBits(): boolean {
    const program = this.#program();
    return program ? !program.measures && program.width === 0 : Object.hasOwn(this.values, "");
  }

  /** @internal Whether the program measures nothing, so its bits are as declared. */
  protected get isUnmeasured(): boolean {
    const [outcome = "1", ...others] = outcomesOf(this.values);
    if (others.length > 0 || /[^0 ]/.test(outcome)) return false;
    const program = this.#program();
    return program?.measures === false && program.width === removeSpaces(outcome).length;
  }

  /** @internal Whether means of observables are all that the result has. */
  get isMeans(): boolean {
    if (this.simulatedExpectations.length === 0) return false;
    return outcomesOf(this.values).every(outcome => outcome === "") || this.isUnmeasured;
  }

  /** From which end the bits of an outcome are to be read, and why that is believed. */
  get bitOrder(): BitOrder {
    this.#bitOrder ??= this.read.record.bitOrder ?? this.#inferBitOrder();
    return this.#bitOrder;
  }

  #inferBitOrder(): BitOrder {
    const { record, data, isUserMade } = this.read;
    const { deviceQrn, experimentType, timeStamps, createdAt } = this.jobRecord;
    return inferBitOrder({
      values: this.values,
      exact: this.exact,
      namesRegisters: data.registers.length > 0,
      isUserMade: isUserMade && !deviceQrn,
      program: this.#program,
      job: this.jobRecord,
      deviceQrn,
      experimentType,
      date: timeStamps?.endedAt ?? timeStamps?.createdAt ?? createdAt ?? record.timeStamps.createdAt,
    });
  }

  /** @internal What the symbols of an outcome stand for; undefined when outcomes are of different shapes. */
  protected get layout(): Layout | undefined {
    const { record, data } = this.read;
    const registers = data.registers.length > 0 ? data.registers : (this.#program()?.registers ?? []);
    const layout = layoutOf(this.values, registers, record.bits);
    if (!layout || record.bits || this.bitOrder.order !== "lsb-first") return layout;
    const named = layout.registers === registers ? registers : layout.registers.toReversed();
    return { ...layout, registers: named, bits: layout.bits.toReversed() };
  }

  /** @internal */
  protected layoutFor(question: string): Layout {
    const layout = this.layout;
    if (layout) return layout;
    throw new KetbookError(`${question}: the outcomes have different lengths, so they share no bits.`);
  }

  /**
   * Rows for a table: one an outcome, in the order of their bit strings, `{ outcome, count, probability, low, high }` with the ends of the
   * interval, or `{ outcome, probability }` when it is exact; of an annealer one a solution. Where observables were asked for
   * and nothing was measured, one an observable, `{ observable, value, standardError, low, high, shots }`.
   */
  toRows(): ResultRow[] {
    if (this.isMeans) return meansOf(this.simulatedExpectations);
    return this.solutions ? [...this.solutions] : outcomeRows(this.values, this.accuracy);
  }

  /** The rows as a CSV table (RFC 4180); what a spreadsheet would take for a formula gets an apostrophe. */
  toCSV(): string {
    const isOther = this.solutions || this.isMeans;
    return isOther ? rowsToCsv(this.toRows()) : outcomesCsv(this.values, this.accuracy);
  }

  /** The rows as the bytes of an Arrow IPC file, for DuckDB, Arquero, pandas or Polars. Needs the package `apache-arrow`. */
  toArrow(): Promise<Uint8Array> {
    return rowsToArrow(this.toRows());
  }
}

const ANSWERED = { observables: "expectations", memory: "measurements", statevector: "statevector" } as const;

/** Returns the options that the service ignored: those that it names, and those of which the answer lacks what they ask for. */
export function ignoredOptions(job: RuntimeJob, { data, record, isUserMade }: ReadResult): string[] {
  if ((isUserMade && !job.deviceQrn) || record.bits) return [];
  const named = Object(job.metadata).ignoredOptions as unknown;
  const options = Object(job.runtimeOptions) as { [option: string]: unknown };
  const isExact = data.probabilities !== null;
  const ignored = Array.isArray(named) ? named.filter(name => typeof name === "string") : [];
  for (const [option, member] of Object.entries(ANSWERED)) {
    const asked = Array.isArray(options[option]) ? options[option].length > 0 : options[option] === true;
    const needsShots = option === "memory";
    if (asked && !data[member] && !(needsShots && isExact)) ignored.push(option);
  }
  if (job.shots === 0 && !isExact) ignored.push("shots: 0");
  return [...new Set(ignored)];
}
