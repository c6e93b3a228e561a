import { sleep } from "#host";
import { tierOf } from "../accounts/caller.ts";
import { transition } from "../jobs/lifecycle.ts";
import { waitingJob } from "../queue/waiting.ts";
import { storageProblem } from "../storage-errors.ts";
import type { JobRow } from "../store/schema.ts";
import type { RunOutcome } from "../workers/messages.ts";
import { createExecutor, type Dispatching } from "./executor.ts";
import type { RunningJob } from "./slots.ts";

/** Makes the function that runs a job which was claimed, until its outcome is written or it waits again. */
export function createJobRunner(parts: Dispatching): (entry: RunningJob) => Promise<void> {
  const { store, catalogue, queue, clock, log, worker, memoryBytes, outcomes } = parts;
  const { running, stopping, announce, wake } = parts;
  const labelsOf = ({ request_id, qrn, attempt }: JobRow) => ({
    requestId: request_id ?? undefined,
    job: qrn,
    attempt,
    worker: worker.id,
  });
  const onError = (job: JobRow, error: unknown) =>
    log("error", "run", { ...labelsOf(job), error: String((error as Error)?.stack ?? error) });
  const untilStored = <T>(job: JobRow, action: () => Promise<T>) =>
    retryUntilStored(action, stopping, error => onError(job, error));
  const execute = createExecutor({ ...parts, untilStored, onError });

  async function run(entry: RunningJob): Promise<void> {
    const { seq } = entry.job;
    const outcome = await execute(entry).finally(() => {
      running.delete(seq);
      clearTimeout(entry.putBackTimer);
    });
    const isToContinue = stopping.aborted || entry.isPutBack;
    const isInterrupted = outcome.kind === "cancelled" && isToContinue && !entry.isCancelled;
    if (isInterrupted && (await requeue(entry))) return;
    const endedAt = clock();
    queue.ended(seq);
    wake();
    if (await leaveToOthers(entry, outcome)) return;
    const { computed } = entry;
    const end = (by: RunOutcome) =>
      untilStored(entry.job, () => outcomes.write(entry.job, by, { endedAt, computed }));
    const ms = Math.round(computed ?? 0);
    const cancelled: RunOutcome = { kind: "cancelled" };
    const ended = (await end(outcome)) ? outcome : (await end(cancelled)) ? cancelled : { kind: "dropped" };
    log("info", "run", { ...labelsOf(entry.job), outcome: ended.kind, ms });
  }

  /** Puts a job back into the queue that was stopped before its end; whether it did. */
  async function requeue({ job, tier, isPutBack }: RunningJob): Promise<boolean> {
    if (!(await untilStored(job, () => transition(store, job, "QUEUED", clock())))) return false;
    queue.putBack(job.seq, isPutBack ? "long" : "interrupted");
    log("info", "run", { ...labelsOf(job), outcome: "queued again" });
    if (stopping.aborted) announce({ added: waitingJob(catalogue, job, tier) });
    return true;
  }

  /** Puts a job back that needs more memory than there is here, and no more than its tier allows; whether it did. */
  async function leaveToOthers({ job, tier }: RunningJob, outcome: RunOutcome): Promise<boolean> {
    const bytes = outcome.kind === "failed" ? (outcome.requiredBytes ?? 0) : 0;
    if (bytes <= memoryBytes || bytes > tierOf(tier).job.bytes) return false;
    const change = { required_bytes: bytes };
    const put = await untilStored(job, () => transition(store, job, "QUEUED", clock(), change));
    if (put) announce({ added: waitingJob(catalogue, { ...job, ...change }, tier) });
    return put;
  }

  return async entry => {
    try {
      await run(entry);
    } catch (error) {
      queue.ended(entry.job.seq);
      onError(entry.job, error);
      if (storageProblem(error)) return;
      const message = "The service failed while it ran this job.";
      await untilStored(entry.job, () => outcomes.fail(entry.job, message)).catch(failure =>
        onError(entry.job, failure),
      );
    }
  };
}

const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 4000;

/**
 * Repeats a write until the storage takes it, so a disk that is full for a while, or a lock, loses nothing. Throws
 * every error that is not of the storage, and, once the signal has aborted, that of a last attempt.
 */
async function retryUntilStored<T>(
  write: () => Promise<T>,
  stopping: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<T> {
  for (let pause = MIN_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    const isLast = stopping.aborted;
    try {
      return await write();
    } catch (error) {
      if (isLast || !storageProblem(error)) throw error;
      onFailure(error);
    }
    await sleep(pause, { ref: false, signal: stopping }).catch(() => {});
  }
}
