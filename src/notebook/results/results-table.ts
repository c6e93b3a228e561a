import { nothingMeasured } from "../../charts/index.ts";
import { formatNumber, formatPercent, formatValue, type RenderedView, table } from "../../display/index.ts";
import { clip, singleLine } from "../../display/text.ts";
import { topOutcomes } from "../../results/index.ts";
import type { Result } from "./result.ts";

const maxInputs = 8;

/** Shows results as a table, one a row: the parameters and the most frequent outcome of each. */
export function resultsTable(results: readonly Result[], caption: string): RenderedView {
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
      { label: "Program", align: "right", value: row => formatNumber(row.program) },
      ...names.map(name => ({
        label: clip(name, 40),
        align: "decimal" as const,
        value: (row: (typeof rows)[number]) => formatValue(row.parameters[name]),
      })),
      { label: "Outcomes", align: "right", value: row => formatNumber(row.outcomes) },
      { label: "Most frequent", value: row => row.outcome ?? row.problem },
      { label: "Share", align: "right", value: row => (row.outcome ? formatPercent(row.share) : null) },
    ],
  });
}

/** Returns a result's entries in a table row: the most frequent outcome, or an annealer's lowest energy. */
export function summaryOf({ probabilities, solutions, problem }: Result) {
  if (solutions) return { outcomes: solutions.length, outcome: String(solutions), share: null, problem };
  const { outcomes, top } = topOutcomes(probabilities, 1);
  return {
    outcomes,
    outcome: top[0] && (singleLine(top[0].outcome) || nothingMeasured),
    share: top[0]?.value ?? null,
    problem,
  };
}
