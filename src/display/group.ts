import type { JobGroup } from "../contract/group.ts";
import { card, type Fact } from "./card.ts";
import { code } from "./cell.ts";
import type { Form } from "./form.ts";
import { formatAge, formatDuration, formatMoment, formatNumber } from "./format.ts";
import type { At } from "./job.ts";
import { statusCell } from "./status.ts";
import { table } from "./table.ts";
import { clip } from "./text.ts";

/** How the jobs of a group stand, in words: `7 jobs: 4 completed, 1 failed, 2 under way`. */
function jobsText({ jobCount, completedCount, failedCount, cancelledCount }: JobGroup): string {
  const parts = [
    [completedCount, "completed"],
    [failedCount, "failed"],
    [cancelledCount, "cancelled"],
    [jobCount - completedCount - failedCount - cancelledCount, "under way"],
  ] as const;
  const known = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatNumber(count)} ${word}`);
  return `${formatNumber(jobCount)} ${jobCount === 1 ? "job" : "jobs"}${known.length > 0 ? `: ${known.join(", ")}` : ""}`;
}

/** Shows one group: its status, its jobs, and until when it takes more. */
export function groupCard(group: JobGroup, { now }: At): Form {
  const facts: Fact[] = [
    ["Group", code(group.groupJobQrn)],
    ["Jobs", jobsText(group)],
    ["Created", formatMoment(group.createdAt, now)],
  ];
  if (group.status === "OPEN") facts.push(["Closes", formatMoment(group.expiresAt, now)]);
  return card({
    kind: "group",
    title: clip(group.name ?? "", 120) || "Unnamed group",
    badge: statusCell(group.status),
    facts,
  });
}

/** Shows groups as a table, one a row. */
export function groupTable(groups: readonly JobGroup[], { now }: At): Form {
  return table<JobGroup>({
    noun: "groups",
    rows: groups,
    columns: [
      { label: "Status", value: group => statusCell(group.status) },
      { label: "Name", value: group => (group.name ? clip(group.name, 40) : null) },
      { label: "Jobs", value: jobsText },
      { label: "Open for", align: "right", value: group => formatDuration(group.maxTTL * 1000) },
      { label: "Created", value: group => formatAge(group.createdAt, now) },
      { label: "Group", value: group => code(clip(group.groupJobQrn, 120)) },
    ],
  });
}
