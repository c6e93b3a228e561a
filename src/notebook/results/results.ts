import { nothingMeasured } from "../../charts/index.ts";
import type { RuntimeJob } from "../../contract/job.ts";
import {
  type Form,
  formatCount,
  formatCredits,
  formatNumber,
  formatPercent,
  table,
} from "../../display/index.ts";
import { plain } from "../../display/text.ts";
import { topOutcomes } from "../../results/index.ts";
import { ShownList } from "../values/list.ts";
import { jobOf } from "./job-record.ts";
import { Result } from "./result.ts";
import { isPicture, readResultFile, saveResults } from "./result-file.ts";
import { onDevice } from "./result-line.ts";
import { readGiven, readSaved } from "./result-record.ts";
import { inputColumns, type ResultsRow } from "./result-row.ts";
import { packResults, unpackResults } from "./results-file.ts";

/** The results of a batch, in the order of its programs: an array that shows itself as a table. */
export class Results extends ShownList<Result, ResultsRow> {
  /** @internal */
  protected override noun(): string {
    return "results";
  }

  /** Reads the results that `save` wrote as JSON. */
  static load(path: string): Results {
    const file = readResultFile(path);
    const records = unpackResults(file) ?? [file];
    const jobs = new Map<unknown, RuntimeJob>();
    const readJob = (job: unknown) => {
      const known = jobs.get(job) ?? jobOf(job);
      jobs.set(job, known);
      return known;
    };
    return Results.from(records, record => {
      const { members, job, context } = readSaved(record, readJob);
      return new Result(members, job, context, readGiven);
    }) as Results;
  }

  /**
   * Writes the results to a file whose name ends in `.json`, for `Results.load`, or in `.csv`; or in `.svg`,
   * `.pdf`, `.png`, `.html` or `.txt` as it is shown. What all results have
   * alike, such as their job, is written once. What is known is written at once; a JSON file is written again with what
   * `provenance` fetches, and complete when the promise resolves.
   */
  override save(path: string): Promise<void> {
    if (isPicture(path)) return Promise.resolve(super.save(path));
    return saveResults(path, this, () => ({
      ".json": () => `${JSON.stringify(packResults(Array.from(this, result => ({ ...result.toJSON() }))))}\n`,
      ".csv": () => this.toCSV(),
    }));
  }

  /** Credits that the programs cost together, of a whole batch what its job cost; null when that is not known. */
  get cost(): number | null {
    const job = this[0]?.job;
    const whole = job?.jobQrn && this.every(result => result.job.jobQrn === job.jobQrn);
    if (whole && job.numCircuits === this.length && job.cost !== null) return job.cost;
    const micros = this.reduce((sum, { cost }) => sum + (cost === null ? Number.NaN : cost * 1e6), 0);
    return Number.isNaN(micros) ? null : Math.round(micros) / 1e6;
  }

  /** Rows for a table: those of every result, with the number of its program, from 0, and its parameters in front. */
  override toRows(): ResultsRow[] {
    return Array.from(this).flatMap((result, index) => {
      const parameters = inputColumns(result.parameters);
      return result.toRows().map(row => ({ program: index, ...parameters, ...row }));
    });
  }

  /** The number of results and the most frequent outcome of the first ones, in a line. */
  override toString(): string {
    const words = Array.from(this.slice(0, 8), result => summary(result).outcome ?? "no outcomes");
    return `${formatCount(this.length, "results")}${onDevice(this[0]?.job.deviceQrn)}: ${[...words, ...(this.length > 8 ? ["…"] : [])].join(", ")}`;
  }

  /** @internal */
  protected override face(): Form {
    const { cost } = this;
    return table({
      caption: [formatCount(this.length, "results"), ...(cost === null ? [] : [formatCredits(cost)])].join(
        " · ",
      ),
      noun: "results",
      rows: Array.from(this, (result, program) => ({ program, ...summary(result) })),
      columns: [
        { label: "Program", align: "right", value: row => formatNumber(row.program) },
        { label: "Outcomes", align: "right", value: row => formatNumber(row.outcomes) },
        { label: "Most frequent", value: row => row.outcome ?? row.problem },
        { label: "Share", align: "right", value: row => (row.outcome ? formatPercent(row.share) : null) },
        { label: "Cost (credits)", align: "decimal", value: row => formatNumber(row.cost) },
      ],
    });
  }
}

/** What stands of a result in a row: of an annealer the lowest energy in place of the most frequent outcome. */
function summary({ probabilities, solutions, problem, cost }: Result) {
  if (solutions)
    return { outcomes: solutions.length, outcome: String(solutions), share: null, problem, cost };
  const { outcomes, top } = topOutcomes(probabilities, 1);
  return {
    outcomes,
    outcome: top[0] && (plain(top[0].outcome) || nothingMeasured),
    share: top[0]?.value ?? null,
    problem,
    cost,
  };
}
