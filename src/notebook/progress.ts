import type { RuntimeJob } from "../contract/job.ts";
import { displayable, progressView } from "../display/index.ts";
import { type Live, live } from "../kernels/live.ts";

/** A job that is waited for: its latest record, and when the waiting began. */
export interface Waiting {
  job: RuntimeJob;
  readonly started: number;
}

const unnoticed = 400;
const redraw = 250;

const waiting = new Set<Waiting>();
let display: Live | undefined;
let timer: NodeJS.Timeout | undefined;

/** Shows the progress of a job until the function that it answers is called. All jobs share one display. */
export function showProgress(entry: Waiting): () => void {
  waiting.add(entry);
  timer ??= setInterval(draw, redraw);
  return () => {
    waiting.delete(entry);
    if (waiting.size > 0) return;
    clearInterval(timer);
    display?.clear();
    timer = undefined;
    display = undefined;
  };
}

function draw(): void {
  const entries = [...waiting];
  const elapsedMs = performance.now() - Math.min(...entries.map(({ started }) => started));
  if (elapsedMs < unnoticed) return;
  display ??= live();
  const view = progressView({ ...describe(entries.map(({ job }) => job)), elapsedMs });
  display.update({ ...displayable(view), line: view.line });
}

/** One job by its name and place in the queue; several by how many stand where. */
function describe(jobs: readonly RuntimeJob[]) {
  const [first] = jobs;
  if (first && jobs.length === 1) {
    const { name, deviceQrn, status, queuePosition, metadata } = first;
    const done =
      status === "RUNNING" && typeof metadata.progress === "number" ? metadata.progress : undefined;
    const fraction = done === undefined ? {} : { fraction: Math.min(1, Math.max(0, done)) };
    return { title: name ?? deviceQrn, status, queuePosition, ...fraction };
  }
  const statuses = Map.groupBy(jobs, ({ status }) => status);
  const counts = Array.from(statuses, ([status, { length }]) => `${length} ${status.toLowerCase()}`);
  return {
    title: `${jobs.length} jobs: ${counts.join(", ")}`,
    status: statuses.has("RUNNING") ? "RUNNING" : "QUEUED",
  };
}
