import { type Form, formatNumber, formatPercent, table } from "../display/index.ts";
import { topOutcomes } from "../results/index.ts";
import { ShownList } from "./list.ts";
import { Result } from "./result.ts";
import { readResultFile, writeResultFile } from "./result-file.ts";

/** The results of a batch, in the order of its programs: an array that shows itself as a table. */
export class Results extends ShownList<Result> {
  /** @internal */
  protected override noun(): string {
    return "results";
  }

  /** Reads the results that `save` wrote. */
  static load(path: string): Results {
    const found = [readResultFile(path)].flat(1) as object[];
    return Results.from(found, json => Result.from(json)) as Results;
  }

  /** Writes the results to a file whose name ends in `.json`, for `Results.load`. */
  save(path: string): void {
    writeResultFile(path, { ".json": () => `${JSON.stringify(this)}\n` });
  }

  /** @internal */
  protected override face(): Form {
    const rows = Array.from(this, (result, index) => {
      const { outcomes, top } = topOutcomes(result.probabilities, 1);
      return { index, outcomes, first: top[0] };
    });
    return table({
      caption: `${formatNumber(this.length)} results`,
      noun: "results",
      rows,
      columns: [
        { label: "Program", align: "right", value: row => formatNumber(row.index) },
        { label: "Outcomes", align: "right", value: row => formatNumber(row.outcomes) },
        { label: "Most frequent", value: row => row.first?.outcome ?? null },
        { label: "Share", align: "right", value: row => (row.first ? formatPercent(row.first.value) : null) },
      ],
    });
  }
}
