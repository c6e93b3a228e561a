import { type Form, formatNumber, formatPercent, table } from "../display/index.ts";
import { topOutcomes } from "../results/index.ts";
import { ShownList } from "./list.ts";
import type { Result } from "./result.ts";

/** The results of a batch, in the order of its programs: an array that shows itself as a table. */
export class Results extends ShownList<Result> {
  /** @internal */
  protected override form(): Form {
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
