import type { JobsSummary } from "../contract/summary.ts";
import { card } from "./card.ts";
import type { Form } from "./form.ts";
import { formatCredits, formatNumber } from "./format.ts";
import { clip } from "./text.ts";

function countsText(counts: { [name: string]: number }): string {
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  return present.map(([name, count]) => `${formatNumber(count)} ${clip(name, 40)}`).join(", ") || "none";
}

/** Shows figures over all jobs. */
export function summaryCard(summary: JobsSummary): Form {
  const { total, statuses, experimentTypes, deviceTypes, cost, shots } = summary;
  return card({
    kind: "summary",
    title: `${formatNumber(total)} ${total === 1 ? "job" : "jobs"}`,
    facts: [
      ["Statuses", countsText(statuses)],
      ["Experiments", countsText(experimentTypes)],
      ["Devices", countsText(deviceTypes)],
      ["Cost", `${formatCredits(cost.total)}, ${formatCredits(cost.average)} a job`],
      ["Shots", `${formatNumber(shots.total)}, ${formatNumber(shots.average)} a job`],
    ],
  });
}
