import {
  type Chart,
  nothingMeasured,
  programName,
  type SmallMultiplesOptions,
  smallMultiples,
} from "../../charts/index.ts";
import { KetbookError, rethrowAsKetbookError } from "../../client/index.ts";
import {
  approximation,
  clip,
  type Displayable,
  displayable,
  formatCount,
  formatNumber,
  formatPercent,
  formatValue,
  numbers,
  type RenderedView,
  singleLine,
  table,
} from "../../display/index.ts";
import {
  compareOutcomes,
  intervalWords,
  isExactly,
  likeliestOutcomes,
  type Observable,
  outcomeRows,
  outcomesOf,
  shareOf,
  topOutcomes,
  unionOfOutcomes,
  withOutcomes,
} from "../../results/index.ts";
import { naming } from "../programs/program-figures.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { ExpectationList, expectationRows, meansLine, observableName } from "./expectation-list.ts";
import type { OutcomeStatistics } from "./outcome-statistics.ts";
import type { ResultRow } from "./outcomes.ts";
import { packResults } from "./packed-results.ts";
import { saveResult } from "./result-file.ts";
import { onDevice } from "./result-line.ts";
import { chartOrTable, inputColumns, sweepChart, sweptInputs } from "./sweep-chart.ts";

/** A row of several results: where it is from, the values of the program's inputs by name, and the result's own row. */
export interface ResultsRow extends ResultRow {
  /** Place of the result's program in its batch, from 0. */
  program: number;
  /** The value of an input; of one that has the name of another column, as `input.count`. */
  [input: string]: unknown;
}

const MAX_FILLED_ROWS = 100_000;

/** Outcomes of several programs, with their charts, tables and files. */
export abstract class ResultList<Row extends OutcomeStatistics> extends DisplayableList<Row, ResultsRow> {
  /** @internal */
  static override readonly noun: string = "results";

  /**
   * Writes the results to a file whose name ends in `.json`, for `Results.load`, or in `.csv`; or in `.svg`,
   * `.pdf`, `.png`, `.html` or `.txt` as it is shown. What all results have
   * alike, such as their job, is written once.
   */
  override save(path: string): void {
    saveResult(path, {
      json: () => packResults(Array.from(this, result => ({ ...result.toJSON() }))),
      csv: () => this.toCSV(),
      show: () => super.save(path),
    });
  }

  /** Credits that the programs cost together, of a whole batch what its job cost; null when that is not known. */
  get cost(): number | null {
    const job = this[0]?.jobRecord;
    const whole = job?.jobQrn && this.every(result => result.jobRecord.jobQrn === job.jobQrn);
    if (whole && job.numCircuits === this.length && job.cost !== null) return job.cost;
    const micros = this.reduce((sum, { cost }) => sum + (cost === null ? Number.NaN : cost * 1e6), 0);
    return Number.isNaN(micros) ? null : Math.round(micros) / 1e6;
  }

  /**
   * Rows for a table: those of every result, with the number of its program, from 0, and its parameters in front. In a
   * sweep each result has a row for every outcome that any of them has, of 0 where it was not seen, unless that makes
   * more than 100,000 rows.
   */
  override toRows(): ResultsRow[] {
    const runs = this.#runs;
    const outcomes = this.#sweptOutcomes(runs);
    return Array.from(this).flatMap((result, program) => {
      const { values } = result;
      const rows =
        outcomes && outcomesOf(values).length > 0
          ? outcomeRows(withOutcomes(values, outcomes), result.accuracy)
          : result.toRows();
      return rows.map(row => ({ program, ...runs[program], ...row }));
    });
  }

  get #areMeans(): boolean {
    return this.length > 0 && this.every(({ isMeans, problem }) => isMeans && !problem);
  }

  get #runs() {
    return inputColumns(Array.from(this, ({ parameters }) => parameters));
  }

  /** The outcomes of all results of a sweep; `undefined` for other results, and for more outcomes than rows are made of. */
  #sweptOutcomes(runs: Parameters<typeof sweptInputs>[0]): string[] | undefined {
    const isSweep =
      sweptInputs(runs).length > 0 && this.every(({ solutions, isMeans }) => !solutions && !isMeans);
    if (!isSweep) return undefined;
    const all = Array.from(this, ({ values }) => values);
    return unionOfOutcomes(all, Math.floor(MAX_FILLED_ROWS / this.length));
  }

  /**
   * The mean of an observable in each result: `results.expectation("ZZ")`, as `Result.expectation` computes it. The list
   * shows itself as a line over the input that was swept, as heatmaps over several, else over the number of the program.
   *
   * @throws KetbookError that names the result in which it was not measured.
   */
  expectation(observable: Observable, options: { basis?: string } = {}): ExpectationList {
    const name = observableName(observable);
    const runs = this.#runs;
    const rows = Array.from(this, (result, program) => ({
      program,
      ...runs[program],
      observable: name,
      ...naming(`Result ${program}`, () => ({ ...result.expectation(observable, options) }), [KetbookError]),
    }));
    return ExpectationList.from(rows) as ExpectationList;
  }

  /**
   * The expectation values of the run's `observables` in all results, which a simulator computed from the final states
   * themselves: a list that shows itself as a line over the input that was swept, as `expectation` does.
   */
  get observables(): ExpectationList {
    return ExpectationList.simulated(expectationRows(this));
  }

  /**
   * Draws the results: those of a sweep as the probabilities of their likeliest outcomes over its inputs, other ones as
   * histograms beside each other; as their `observables` where nothing was measured.
   */
  chart(): Chart {
    if (this.#areMeans) return this.observables.chart();
    const runs = this.#runs;
    const inputs = sweptInputs(runs);
    if (inputs.length === 0) return this.histograms();
    const { top, rows } = this.#likeliest(runs, inputs.length > 2 ? 1 : 4);
    const isExact = this.every(({ accuracy }) => isExactly(accuracy));
    return sweepChart(rows, inputs, {
      value: "probability",
      ...(top.length > 1 && { series: "outcome" }),
      domain: [0, 1],
      title:
        this[0]?.jobRecord.name ??
        (top.length > 1 ? "Likeliest outcomes" : `Probability of ${singleLine(top[0] ?? "", 40)}`),
      subtitle: this.#caption,
      intervals: [isExact ? "exact" : intervalWords, this.#approximation].filter(Boolean).join(" · "),
    });
  }

  /** Draws the histograms of the first twelve results beside each other, on one scale. */
  histograms(options?: SmallMultiplesOptions): Chart<SmallMultiplesOptions> {
    const named = Array.from(this, (result, program) => {
      const words = Object.entries(result.parameters).map(([name, value]) => `${name} ${formatValue(value)}`);
      const name = words.length > 0 ? words.join(", ") : programName(program);
      return { name, values: result.values, ...result.accuracy };
    });
    const title = this[0]?.jobRecord.name ?? "Measurement outcomes";
    return rethrowAsKetbookError("histograms", () =>
      smallMultiples(named, { title, subtitle: [this.#caption], ...options }),
    );
  }

  #likeliest(runs: readonly { [column: string]: unknown }[], n: number) {
    const all = Array.from(this, ({ values }) => values);
    const top = likeliestOutcomes(all, n).sort(compareOutcomes);
    const rows = Array.from(this).flatMap((result, program) => {
      const { values } = result;
      const chosen = top.length / Math.max(top.length, outcomesOf(values).length);
      return top.map(outcome => ({
        program,
        ...runs[program],
        outcome,
        ...shareOf(values, outcome, { ...result.accuracy, chosen }),
      }));
    });
    return { top, rows };
  }

  get #approximation(): string {
    return approximation(...Array.from(this, ({ estimatedFidelity }) => estimatedFidelity));
  }

  get #caption(): string {
    return formatCount(this.length, "results");
  }

  /** The number of results, and the most frequent outcome of the first ones with its share, in a line. */
  override toString(): string {
    const words = Array.from(this.slice(0, 8), result => {
      const { outcome = "no outcomes", share } = summaryOf(result);
      return share === null ? outcome : `${outcome} ${formatPercent(share)}`;
    });
    return `${formatCount(this.length, "results")}${onDevice(this[0]?.jobRecord.deviceQrn)}: ${[...words, ...(this.length > 8 ? ["…"] : [])].join("; ")}`;
  }

  /** The results as a table: parameters, the most frequent outcome and the cost of each. */
  table(): Displayable & RenderedView {
    if (this.#areMeans) return this.observables.table();
    return displayable(resultsTable(this, this.#caption));
  }

  /** @internal */
  protected override render(): Displayable {
    if (this.#areMeans) return this.observables;
    const isDrawn = this.length > 0 && this.every(isDrawable);
    return isDrawn ? chartOrTable(this) : this.table();
  }
}

const isDrawable = (result: OutcomeStatistics) =>
  !result.problem && !result.solutions && outcomesOf(result.values).some(outcome => outcome !== "");

const maxInputs = 8;

function resultsTable(results: readonly OutcomeStatistics[], caption: string): RenderedView {
  const rows = Array.from(results, (result, program) => ({
    program,
    parameters: result.parameters,
    ...summaryOf(result),
  }));
  const names = [...new Set(rows.flatMap(({ parameters }) => Object.keys(parameters)))].slice(0, maxInputs);
  return table<(typeof rows)[number]>({
    caption,
    noun: "results",
    rows,
    columns: [
      numbers("Program", row => formatNumber(row.program)),
      ...names.map(name => ({
        label: clip(name, 40),
        align: "decimal" as const,
        value: (row: (typeof rows)[number]) => formatValue(row.parameters[name]),
      })),
      numbers("Outcomes", row => formatNumber(row.outcomes)),
      { label: "Most frequent", value: row => row.outcome ?? row.problem },
      numbers("Share", row => (row.outcome ? formatPercent(row.share) : null)),
    ],
  });
}

/** Returns a result's entries in a table row: the most frequent outcome, or an annealer's lowest energy. */
export function summaryOf(result: OutcomeStatistics) {
  const { probabilities, solutions, problem, simulatedExpectations: means } = result;
  if (solutions) return { outcomes: solutions.length, outcome: String(solutions), share: null, problem };
  if (result.isMeans) return { outcomes: 0, outcome: meansLine(means), share: null, problem };
  const { outcomes, top } = topOutcomes(probabilities, 1);
  return {
    outcomes,
    outcome: top[0] && (singleLine(top[0].outcome) || nothingMeasured),
    share: top[0]?.outcome ? top[0].value : null,
    problem,
  };
}
