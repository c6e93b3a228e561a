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

const waiting = new Set<WaitingEntry>();
const loading = new Set<LoadingEntry>();
let active = 0;
let display: Live | undefined;
let timer: NodeJS.Timeout | undefined;

/** Shows how far something is until the returned function is called. All that is under way shares one display. */
export function showProgress(entry: WaitingEntry | LoadingEntry): () => void {
  if ("jobs" in entry) waiting.add(entry);
  else loading.add(entry);
  active += 1;
  timer ??= setInterval(draw, redraw);
  return () => {
    if (!("jobs" in entry)) loading.delete(entry);
    active -= 1;
    if (active > 0) return;
    waiting.clear();
    clearInterval(timer);
    display?.clear();
    timer = undefined;
    display = undefined;
  };
}

function draw(): void {
  const now = performance.now();
  const begun = Math.min(...[...waiting, ...loading].map(({ started }) => started));
  if (now - begun < SHOW_DELAY_MS) return;
  const troubles = new Set(
    Array.from(waiting, ({ trouble }) => trouble).filter(trouble => trouble !== undefined),
  );
  const views = [
    ...waitingView(now),
    ...Array.from(troubles, detail =>
      progressView({ title: "Service", status: "UNKNOWN", detail, elapsedMs: now - begun }),
    ),
    ...Array.from(loading, ({ started, ...entry }) =>
      progressView({ ...entry, status: "LOADING", elapsedMs: now - started }),
    ),
  ];
  const joined = (form: "html" | "text") => views.map(view => view[form]).join("\n");
  display ??= live();
  display.update({
    ...displayable({ html: joined("html"), text: joined("text") }),
    line: views.map(({ line }) => line).join(" · "),
  });
}

/** One job by its name and place in the queue; several by how many stand where, and what failed. */
function waitingView(now: number): ProgressView[] {
  const entries = [...waiting];
  const jobs = entries.flatMap(entry => entry.jobs);
  const [first] = jobs;
  if (!first) return [];
  const elapsedMs = now - Math.min(...entries.map(({ started }) => started));
  if (jobs.length === 1) {
    const { name, deviceQrn, status, queuePosition, metadata, numCircuits } = first;
    const done =
      status === "RUNNING" && typeof metadata.progress === "number" ? metadata.progress : undefined;
    const fraction = done === undefined ? {} : { fraction: Math.min(1, Math.max(0, done)) };
    const programs = numCircuits ?? 1;
    const detail =
      programs > 1 && done !== undefined
        ? {
            detail: `${formatNumber(Math.min(programs, Math.floor((done + 5e-4) * programs)))} of ${formatNumber(programs)} programs done`,
          }
        : {};
    const view = { title: name ?? deviceQrn, status, queuePosition, elapsedMs, ...fraction, ...detail };
    return [progressView(view)];
  }
  const title = (entries.length === 1 && entries[0]?.title) || `${jobs.length} jobs`;
  const counts = countStatuses(jobs.map(({ status }) => status));
  const failures = jobs.filter(({ status }) => status === "FAILED");
  return [jobsProgressView({ title, counts, elapsedMs, failures })];
}
