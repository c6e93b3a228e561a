import { putBack, type RunningJob } from "./running-job.ts";

/** Time for which a job keeps the express slot while others wait for it. */
const EXPRESS_MS = 250;

/** Puts the job of the express slot back once it has had its time; until then, `wake` is called when that is over. */
export function limitExpress(entry: RunningJob, wake: () => void): void {
  const left = (entry.run?.startedAt ?? performance.now()) + EXPRESS_MS - performance.now();
  if (left > 0) {
    clearTimeout(entry.putBackTimer);
    entry.putBackTimer = setTimeout(() => wake(), left);
  } else if (!entry.isCancelled && !entry.isPutBack) {
    putBack(entry);
  }
}
