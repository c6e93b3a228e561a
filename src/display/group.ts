import type { JobGroup } from "../contract/index.ts";
import type { RenderedView } from "./bundle.ts";
import { card, code, type Fact, html } from "./cell.ts";
import { formatAge, formatCount, formatDuration, formatMoment, formatNumber } from "./format.ts";
import { type TimeReference, tagsText } from "./job.ts";
import { type FailedJob, failureList, type StatusCounts, statusBar, statusCell } from "./status.ts";
import { numbers, type TableRemarks, table } from "./table.ts";
import { clip, present } from "./text.ts";

/** States of a group's jobs, if it has any; a group does not tell apart jobs that have not ended. */
function countsOf({ jobCount, completedCount, failedCount, cancelledCount }: JobGroup): StatusCounts | null {
  if (!jobCount || completedCount === null || failedCount === null || cancelledCount === null) return null;
  return {
    COMPLETED: completedCount,
    FAILED: failedCount,
    CANCELLED: cancelledCount,
    PENDING: Math.max(0, jobCount - completedCount - failedCount - cancelledCount),
  };
}

/** Shows one group: its status, its jobs as one bar, those that failed with their reasons, and until when it takes more. */
export function groupCard(
  group: JobGroup,
  { now, failures = [] }: TimeReference & { failures?: readonly FailedJob[] },
): RenderedView {
  const counts = countsOf(group);
  const bar = counts && statusBar(counts);
  const failed = failureList(failures);
  const facts = present<Fact>([
    ["Group", code(group.groupJobQrn)],
    ["Jobs", group.jobCount === null ? null : formatCount(group.jobCount, "jobs")],
    ["Created", formatMoment(group.createdAt, now)],
    group.status === "OPEN" && ["Closes", formatMoment(group.expiresAt, now)],
    Object.keys(group.tags).length > 0 && ["Tags", tagsText(group.tags)],
  ]);
  return card({
    kind: "group",
    title: clip(group.name ?? "", 120) || "Unnamed group",
    badge: statusCell(group.status),
    blocks: [
      bar && {
        html: html`${bar.html}${failed?.html}`,
        text: present([`  ${bar.text}`, failed?.text]).join("\n"),
      },
    ],
    facts,
  });
}

export function groupTable(
  groups: readonly JobGroup[],
  { now, ...remarks }: TimeReference & TableRemarks,
): RenderedView {
  return table<JobGroup>({
    noun: "groups",
    rows: groups,
    ...remarks,
    columns: [
      { label: "Status", value: group => statusCell(group.status) },
      { label: "Name", value: group => (group.name ? clip(group.name, 40) : null) },
      { label: "Jobs", align: "right", value: group => formatNumber(group.jobCount) },
      {
        label: "Progress",
        value: group => {
          const counts = countsOf(group);
          return counts && statusBar(counts, { width: 120, counted: false });
        },
      },
      { label: "Failed", align: "right", value: group => formatNumber(group.failedCount) },
      numbers("Open for", group => formatDuration(group.maxTTL && group.maxTTL * 1000)),
      { label: "Created", value: group => formatAge(group.createdAt, now) },
      { label: "Group", value: group => code(clip(group.groupJobQrn, 120)) },
    ],
  });
}
