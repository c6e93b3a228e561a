import type { RecordedTags, RuntimeJob } from "../contract/job.ts";
import { isTerminalJob } from "../contract/status.ts";
import { card, type Fact } from "./card.ts";
import { type Cell, code, paragraph } from "./cell.ts";
import {
  formatAge,
  formatAmount,
  formatCount,
  formatCredits,
  formatDuration,
  formatFidelity,
  formatMoment,
  formatNumber,
  missing,
} from "./format.ts";
import type { RenderedView } from "./rendered-view.ts";
import { briefStatus, statusCell } from "./status.ts";
import { type TableRemarks, table } from "./table.ts";
import { clip, clipMiddle } from "./text.ts";
import { timeline } from "./timeline.ts";

/** The moment that relative ages are told from, in milliseconds since 1970. */
export interface TimeReference {
  now: number;
}

const maxTags = 20;

/** Tags in one line, the first twenty of them. */
export function tagsText(tags: RecordedTags): string {
  const pairs = Object.entries(tags);
  const shown = pairs
    .slice(0, maxTags)
    .map(([key, value]) => `${clip(key, 40)}: ${clip(String(value ?? missing), 60)}`);
  return [...shown, ...(pairs.length > maxTags ? [`+${pairs.length - maxTags} more`] : [])].join(" · ");
}

/** What a job cost, or what it is expected to cost, saying which of the two. */
function costOf(job: RuntimeJob): string | null {
  if (job.cost !== null) return formatCredits(job.cost);
  return job.estimatedCost === null ? null : `${formatCredits(job.estimatedCost)} (estimate)`;
}

const shortCost = (job: RuntimeJob) =>
  job.cost === null && job.estimatedCost !== null
    ? `est. ${formatAmount(job.estimatedCost)}`
    : formatAmount(job.cost);

function shotsOf({ shots, metadata: { estimatedFidelity } }: RuntimeJob): string {
  if (shots !== 0) return formatNumber(shots);
  return typeof estimatedFidelity === "number" && estimatedFidelity < 1 ? "none, approximate" : "exact";
}

/** Shows one job: status, timeline, device, shots, cost and times. */
export function jobCard(job: RuntimeJob, { now }: TimeReference): RenderedView {
  const steps = timeline(job);
  const batch = (job.numCircuits ?? 1) > 1;
  const facts: Fact[] = [
    ["Device", code(job.deviceQrn)],
    ["Shots", batch ? `${shotsOf(job)} × ${formatNumber(job.numCircuits)} programs` : shotsOf(job)],
    ["Cost", costOf(job)],
    ["Created", formatMoment(job.timeStamps.createdAt ?? job.createdAt, now)],
  ];
  if (isTerminalJob(job.status)) facts.push(["Ended", formatMoment(job.timeStamps.endedAt, now)]);
  if (job.timeStamps.executionDuration !== null)
    facts.push(["Ran for", formatDuration(job.timeStamps.executionDuration)]);
  if (job.groupJobQrn) facts.push(["Group", code(job.groupJobQrn)]);
  if (Object.keys(job.tags).length > 0) facts.push(["Tags", tagsText(job.tags)]);
  if (job.statusMsg) facts.push(["Message", paragraph(job.statusMsg)]);
  const queue = queueText(job, now);
  if (queue) facts.push(["Queue", queue]);
  const { estimatedFidelity } = job.metadata;
  if (typeof estimatedFidelity === "number" && estimatedFidelity < 1)
    facts.push(["Estimated fidelity", formatFidelity(estimatedFidelity)]);
  for (const note of notesOf(job)) facts.push(["Note", paragraph(note)]);
  return card({
    kind: batch ? "batch" : "job",
    title: clip(job.name ?? "", 120) || (batch ? "Unnamed batch" : "Unnamed job"),
    name: job.jobQrn,
    badge: statusCell(job.status),
    blocks: [{ html: steps, text: `  ${steps.text}` }],
    facts,
  });
}

/** How a job queues: its position and when it is expected to start; and of which others that it queued behind are simulated. */
function queueText({ status, queuePosition, metadata }: RuntimeJob, now: number): string | null {
  const { backgroundJobs, estimatedStart } = Object(metadata.emulation) as Record<string, unknown>;
  const parts = [
    queuePosition === null || isTerminalJob(status) ? null : `${formatCount(queuePosition, "jobs")} ahead`,
    typeof estimatedStart === "string" && !isTerminalJob(status)
      ? `starts about ${formatMoment(estimatedStart, now)}`
      : null,
    typeof backgroundJobs === "number" && backgroundJobs > 0
      ? `behind ${formatCount(backgroundJobs, "jobs")} of simulated other users`
      : null,
  ].filter(part => part !== null);
  return parts.length > 0 ? parts.join(", ") : null;
}

/** What the service notes of a program that runs otherwise than one might think, each after its place. */
function notesOf({ metadata: { diagnostics } }: RuntimeJob): string[] {
  if (!Array.isArray(diagnostics)) return [];
  return diagnostics.flatMap(one =>
    one?.severity === "note" ? [`${one.line}:${one.column}: ${one.message}`] : [],
  );
}

/** What a table of jobs may be told. */
export interface JobTableOptions extends TimeReference, TableRemarks {}

/** Shows jobs as a table, one a row. */
export function jobTable(jobs: readonly RuntimeJob[], { now, ...remarks }: JobTableOptions): RenderedView {
  const name = (job: RuntimeJob): Cell => (job.name ? clip(job.name, 40) : null);
  return table<RuntimeJob>({
    noun: "jobs",
    rows: jobs,
    ...remarks,
    columns: [
      { label: "Status", value: job => briefStatus(job.status, "COMPLETED") },
      { label: "Name", value: name },
      { label: "Device", value: job => clipMiddle(job.deviceQrn, 48) },
      { label: "Shots", align: "right", value: job => shotsOf(job) },
      { label: "Cost (credits)", align: "decimal", value: shortCost },
      { label: "Created", value: job => formatAge(job.timeStamps.createdAt ?? job.createdAt, now) },
      { label: "Ran for", align: "right", value: job => formatDuration(job.timeStamps.executionDuration) },
      { label: "Job", value: job => code(clip(job.jobQrn, 120)) },
    ],
  });
}
