import type { RuntimeJob } from "../../contract/index.ts";
import {
  countStatuses,
  displayable,
  formatNumber,
  jobsProgressView,
  type ProgressView,
  progressView,
} from "../../display/index.ts";
import { type Live, live } from "../../kernels/index.ts";

/** Jobs that are waited for: their latest records, what they are called together, and when the waiting began. */
export interface WaitingEntry {
  readonly jobs: RuntimeJob[];
  readonly title?: string | undefined;
  readonly started: number;
  trouble?: string | undefined;
}

/** Something that is fetched: how much of it is there, in words and as a share of 1. */
export interface LoadingEntry {
  readonly title: string;
  readonly started: number;
  detail?: string;
  fraction?: number;
}

const SHOW_DELAY_MS = 400;
const redraw = 250;

/** The shown jobs. Those that have ended stay until nothing is under way, so all are counted. */
const entries = new Set<WaitingEntry | LoadingEntry>();
let active = 0;
let display: Live | undefined;
let timer: NodeJS.Timeout | undefined;

/** Shows how far something is until the returned function is called. All that is under way shares one display. */
export function showProgress(entry: WaitingEntry | LoadingEntry): () => void {
  entries.add(entry);
  active += 1;
  timer ??= setInterval(draw, redraw);
  return () => {
    if (!("jobs" in entry)) entries.delete(entry);
    active -= 1;
    if (active > 0) return;
    entries.clear();
    clearInterval(timer);
    display?.clear();
    timer = undefined;
    display = undefined;
  };
}

function draw(): void {
  const now = performance.now();
  const elapsedMs = now - Math.min(...Array.from(entries, ({ started }) => started));
  if (elapsedMs < SHOW_DELAY_MS) return;
  const waiting = [...entries].filter(entry => "jobs" in entry);
  const troubles = new Set(waiting.flatMap(({ trouble }) => trouble ?? []));
  const views = [
    ...waitingView(waiting, now),
    ...Array.from(troubles, detail =>
      progressView({ title: "Service", status: "UNKNOWN", detail, elapsedMs }),
    ),
    ...[...entries].flatMap(entry =>
      "jobs" in entry ? [] : progressView({ ...entry, status: "LOADING", elapsedMs: now - entry.started }),
    ),
  ];
  const joined = (form: "html" | "text") => views.map(view => view[form]).join("\n");
  display ??= live();
  display.update({
    ...displayable({ html: `<div>${joined("html")}</div>`, text: joined("text") }),
    line: views.map(({ line }) => line).join(" · "),
  });
}

/** One job by its name and place in the queue; several by how many stand where, and what failed. */
function waitingView(entries: readonly WaitingEntry[], now: number): ProgressView[] {
  const jobs = entries.flatMap(entry => entry.jobs);
  const [first] = jobs;
  if (!first) return [];
  const elapsedMs = now - Math.min(...entries.map(({ started }) => started));
  if (jobs.length === 1) {
    const { name, deviceQrn, status, queuePosition, metadata, numCircuits } = first;
    const view = { title: name ?? deviceQrn, status, queuePosition, elapsedMs };
    if (status !== "RUNNING" || typeof metadata.progress !== "number") return [progressView(view)];
    const [fraction, programs] = [Math.min(1, Math.max(0, metadata.progress)), numCircuits ?? 1];
    const done = formatNumber(Math.min(programs, Math.floor((fraction + 5e-4) * programs)));
    const detail = programs > 1 && { detail: `${done} of ${formatNumber(programs)} programs done` };
    return [progressView({ ...view, fraction, ...detail })];
  }
  const title = (entries.length === 1 && entries[0]?.title) || `${jobs.length} jobs`;
  const counts = countStatuses(jobs.map(({ status }) => status));
  const failures = jobs.filter(({ status }) => status === "FAILED");
  return [jobsProgressView({ title, counts, elapsedMs, failures })];
}
