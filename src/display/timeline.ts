import type { RuntimeJob } from "../contract/job.ts";
import { isTerminalJob } from "../contract/status.ts";
import type { RichCell } from "./cell.ts";
import { elapsedBetween, formatDuration, formatNumber, formatUtc } from "./format.ts";
import { html } from "./html.ts";
import { faint, tone } from "./palette.ts";
import { statusStyle } from "./status.ts";

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
    html: html`<table style="border-collapse:collapse;margin:0;width:460px;max-width:100%;table-layout:fixed;font-size:13px"><tbody><tr style="background-color:transparent">${segments}</tr></tbody></table>`,
    text: steps.map(step => named(step) + (step.detail && ` (${step.detail})`)).join(" → "),
  };
}
