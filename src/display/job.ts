import { isTerminalJob, type JobsSummary, type RecordedTags, type RuntimeJob } from "../contract/index.ts";
import type { RenderedView } from "./bundle.ts";
import { type Cell, card, code, type Fact, html, meter, paragraph, type RichCell, stacked } from "./cell.ts";
import {
  elapsedBetween,
  formatAge,
  formatAmount,
  formatCount,
  formatCredits,
  formatDuration,
  formatFidelity,
  formatMoment,
  formatNumber,
  formatUtc,
  missing,
} from "./format.ts";
import { faint, tone } from "./palette.ts";
import { briefStatus, statusBar, statusCell, statusStyle } from "./status.ts";
import { type TableRemarks, table } from "./table.ts";
import { clip, clipMiddle, dotted, present } from "./text.ts";

/** The moment that relative ages are told from, in milliseconds since 1970. */
export interface TimeReference {
  now: number;
}

const maxTags = 20;

export function tagsText(tags: RecordedTags): string {
  const pairs = Object.entries(tags);
  const shown = pairs
    .slice(0, maxTags)
    .map(([key, value]) => `${clip(key, 40)}: ${clip(String(value ?? missing), 60)}`);
  return dotted(...shown, pairs.length > maxTags && `+${pairs.length - maxTags} more`);
}

/** Cost of a job, or its expected cost, saying which of the two. */
function costOf(job: RuntimeJob): string | null {
  if (job.cost !== null) return formatCredits(job.cost);
  return job.estimatedCost === null ? null : `${formatCredits(job.estimatedCost)} (estimate)`;
}

const shortCost = (job: RuntimeJob) =>
  job.cost === null && job.estimatedCost !== null
    ? `est. ${formatAmount(job.estimatedCost)}`
    : formatAmount(job.cost);

/** Returns the estimated fidelity of an approximate result. */
const fidelityOf = ({ metadata: { estimatedFidelity: given } }: RuntimeJob) =>
  typeof given === "number" && given < 1 ? given : null;

function shotsOf(job: RuntimeJob): string {
  if (job.shots !== 0) return formatNumber(job.shots);
  return fidelityOf(job) === null ? "exact" : "none, approximate";
}

/** Shows one job: status, timeline, device, shots, cost and times. */
export function jobCard(job: RuntimeJob, { now }: TimeReference): RenderedView {
  const steps = timeline(job);
  const batch = (job.numCircuits ?? 1) > 1;
  const { executionDuration, createdAt, endedAt } = job.timeStamps;
  const fidelity = fidelityOf(job);
  const queue = queueText(job, now);
  const facts = present<Fact>([
    ["Device", code(job.deviceQrn)],
    ["Shots", batch ? `${shotsOf(job)} × ${formatNumber(job.numCircuits)} programs` : shotsOf(job)],
    ["Cost", costOf(job)],
    ["Created", formatMoment(createdAt ?? job.createdAt, now)],
    isTerminalJob(job.status) && ["Ended", formatMoment(endedAt, now)],
    executionDuration !== null && ["Ran for", formatDuration(executionDuration)],
    job.groupJobQrn !== null && job.groupJobQrn !== "" && ["Group", code(job.groupJobQrn)],
    Object.keys(job.tags).length > 0 && ["Tags", tagsText(job.tags)],
    Boolean(job.statusMsg) && ["Message", paragraph(job.statusMsg ?? "")],
    queue !== null && ["Queue", queue],
    fidelity !== null && ["Estimated fidelity", formatFidelity(fidelity)],
    ...notesOf(job).map((note): Fact => ["Note", paragraph(note)]),
  ]);
  return card({
    kind: batch ? "batch" : "job",
    title: clip(job.name ?? "", 120) || (batch ? "Unnamed batch" : "Unnamed job"),
    name: job.jobQrn,
    badge: statusCell(job.status),
    blocks: [{ ...steps, text: `  ${steps.text}` }],
    facts,
  });
}

/** Queue of a job: its position, its expected start, and whether the jobs ahead of it are simulated. */
function queueText({ status, queuePosition, metadata }: RuntimeJob, now: number): string | null {
  const { backgroundJobs, estimatedStart } = Object(metadata.emulation) as Record<string, unknown>;
  const isWaiting = !isTerminalJob(status);
  const parts = present([
    queuePosition !== null && isWaiting && `${formatCount(queuePosition, "jobs")} ahead`,
    typeof estimatedStart === "string" && isWaiting && `starts about ${formatMoment(estimatedStart, now)}`,
    typeof backgroundJobs === "number" &&
      backgroundJobs > 0 &&
      `behind ${formatCount(backgroundJobs, "jobs")} of simulated other users`,
  ]);
  return parts.join(", ") || null;
}

/** Notes of the service on a program that may run in unexpected ways, each after its place. */
function notesOf({ metadata: { diagnostics } }: RuntimeJob): string[] {
  if (!Array.isArray(diagnostics)) return [];
  return diagnostics.flatMap(one =>
    one?.severity === "note" ? [`${one.line}:${one.column}: ${one.message}`] : [],
  );
}

export function jobTable(
  jobs: readonly RuntimeJob[],
  { now, ...remarks }: TimeReference & TableRemarks,
): RenderedView {
  return table<RuntimeJob>({
    noun: "jobs",
    rows: jobs,
    ...remarks,
    columns: [
      { label: "Status", value: job => briefStatus(job.status, "COMPLETED") },
      { label: "Name", value: job => (job.name ? clip(job.name, 40) : null) },
      { label: "Device", value: job => clipMiddle(job.deviceQrn, 48) },
      { label: "Shots", align: "right", value: job => shotsOf(job) },
      { label: "Cost (credits)", align: "decimal", value: shortCost },
      { label: "Created", value: job => formatAge(job.timeStamps.createdAt ?? job.createdAt, now) },
      { label: "Ran for", align: "right", value: job => formatDuration(job.timeStamps.executionDuration) },
      { label: "Job", value: job => code(clip(job.jobQrn, 120)) },
    ],
  });
}

interface Step {
  name: string;
  state: keyof typeof glyphs;
  detail: string;
}

const glyphs = { past: "✓", now: "▸", ahead: "○", skipped: "–", over: "" } as const;

const currentStep: { readonly [status: string]: number | undefined } = {
  __proto__: null as never,
  INITIALIZING: 0,
  QUEUED: 1,
  HOLD: 1,
  VALIDATING: 1,
  RUNNING: 2,
  CANCELLING: 2,
};

const clockTime = (iso: string | null) => (iso === null ? "" : formatUtc(iso).slice(11, 19));

function stepsOf(job: RuntimeJob): Step[] {
  const { createdAt, endedAt, executionDuration } = job.timeStamps;
  const over = isTerminalJob(job.status);
  const completed = job.status === "COMPLETED";
  const current = over ? 3 : (currentStep[job.status] ?? 0);
  const whole = elapsedBetween(createdAt, endedAt);
  const waited =
    over && whole !== undefined ? formatDuration(Math.max(0, whole - (executionDuration ?? 0))) : "";
  const place =
    current === 1 && job.queuePosition !== null ? `position ${formatNumber(job.queuePosition)}` : "";
  const ran = executionDuration === null ? "" : formatDuration(executionDuration);
  const stateOf = (index: number) => (index < current ? "past" : index === current ? "now" : "ahead");
  return [
    { name: "created", state: stateOf(0), detail: clockTime(createdAt) },
    { name: "queued", state: stateOf(1), detail: waited || place },
    { name: "running", state: over && !completed && ran === "" ? "skipped" : stateOf(2), detail: ran },
    {
      name: over && !completed ? job.status.toLowerCase() : "done",
      state: over ? "over" : "ahead",
      detail: over ? clockTime(endedAt) : "",
    },
  ];
}

function backgroundOf(state: Step["state"], status: string): string {
  if (state === "past") return `background-color:${tone.active}`;
  if (state === "over") return `background-color:${tone[statusStyle(status).tone]}`;
  if (state === "now")
    return `background-color:${faint};background-image:linear-gradient(90deg,${tone.active} 50%,transparent 50%)`;
  return `background-color:${faint}`;
}

/** Shows how far a job has come: created → queued → running → done, with the time that each step took. */
export function timeline(job: RuntimeJob): RichCell {
  const steps = stepsOf(job);
  const named = (step: Step) =>
    `${step.state === "over" ? statusStyle(job.status).glyph : glyphs[step.state]} ${step.name}`;
  const segments = steps.map(
    step =>
      html`<td style="text-align:left;vertical-align:top;padding:0 4px 0 0;white-space:nowrap"><div style="height:5px;border-radius:2px;margin:0 0 4px 0;${backgroundOf(step.state, job.status)}"></div><div style="font-weight:${step.state === "now" ? "600" : "400"}">${named(step)}</div><div style="font-size:12px;opacity:0.75">${step.detail}</div></td>`,
  );
  return {
    html: html`<table style="border-collapse:collapse;margin:0;width:460px;max-width:100%;min-width:300px;table-layout:fixed;font-size:13px"><tbody><tr style="background-color:transparent">${segments}</tr></tbody></table>`,
    text: steps.map(step => named(step) + (step.detail && ` (${step.detail})`)).join(" → "),
  };
}

const listed = 8;

function kinds(counts: { [name: string]: number }): Cell {
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  const total = present.reduce((sum, [, count]) => sum + count, 0);
  const shown = present
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, listed)
    .map(([name, count]) =>
      meter(count / total, {
        label: `${formatNumber(count)} ${clip(name.replaceAll("_", " "), 40)}`,
        width: 72,
      }),
    );
  return stacked(shown);
}

/** An average with three digits that count, or all of those before the point. */
const average = (value: number | null) =>
  value && (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

export function summaryCard(summary: JobsSummary): RenderedView {
  const { total, statuses, experimentTypes, deviceTypes, cost, shots } = summary;
  const bar = statusBar(statuses);
  const facts: Fact[] = [
    ["Devices", kinds(deviceTypes)],
    ["Experiments", kinds(experimentTypes)],
    ["Cost", `${formatCredits(cost.total)}, ${formatCredits(average(cost.average))} a job on average`],
    ["Shots", `${formatNumber(shots.total)}, ${formatNumber(average(shots.average))} a job on average`],
  ];
  return card({
    kind: "summary",
    title: formatCount(total, "jobs"),
    blocks: [total && { ...bar, text: `  ${bar.text}` }],
    facts,
  });
}
