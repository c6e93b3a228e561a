import { type RunOutcome, type RunTask, timeLimit } from "./messages.ts";
import { CONTROL_BYTES, stopRun } from "./shared-control.ts";

/** For how long a cancelled run may continue before its thread is ended. */
const CANCEL_GRACE_MS = 250;

/** A run that was started. */
export interface Run {
  outcome: Promise<RunOutcome>;
  /** Time when its thread began, by the monotonic clock. */
  startedAt: number | undefined;
  /** Tells the run to stop; the thread of a run that does not end within 250 ms is ended. */
  cancel(): void;
}

/** A job as a pool is given it. */
export type PoolTask = Omit<RunTask, "control" | "port">;

/** Worker threads that run programs. */
export interface WorkerPool {
  /** The maximum number of concurrent runs, without the one in the express slot. */
  readonly slots: number;
  /** Starts a run; `onProgress` is called with 0 when all programs are compiled, and later which part is done. */
  run(task: PoolTask, onProgress: (fraction: number) => void): Run;
  close(): Promise<void>;
}

/** Controls of a thread in addition to its task. */
export interface ThreadControl {
  control: SharedArrayBuffer | null;
  /** Called when the thread has begun, with the time of that by the monotonic clock. */
  onStart(startedAt: number): void;
  /** Called with 0 when all programs are compiled, and later which part is done. */
  onProgress(fraction: number): void;
  /** Ends the thread when it aborts: the run then rejects. */
  signal: AbortSignal;
}

/** Threads of a process or a page. */
export interface SimulationThreads {
  /** The maximum number of concurrent runs, without the one in the express slot. */
  readonly slots: number;
  /** Whether threads share memory. */
  readonly isShared: boolean;
  /** Runs a task in the next thread that is free. */
  run(task: PoolTask, control: ThreadControl): Promise<RunOutcome>;
  close(): Promise<void>;
}

/** Makes a pool of threads, whose runs end in time and can be cancelled. */
export function createPool(threads: SimulationThreads): WorkerPool {
  function run(task: PoolTask, onProgress: (fraction: number) => void): Run {
    const control = threads.isShared ? new SharedArrayBuffer(CONTROL_BYTES) : null;
    const abort = new AbortController();
    let isOverTime = false;
    let overTime: ReturnType<typeof setTimeout> | undefined;
    const onStart = (startedAt: number) => {
      begun.startedAt = startedAt;
      overTime = setTimeout(
        () => {
          isOverTime = true;
          abort.abort();
        },
        task.limits.seconds * 1000 + CANCEL_GRACE_MS,
      );
    };
    const outcome = threads
      .run(task, { control, onStart, onProgress, signal: abort.signal })
      .catch((error: unknown): RunOutcome => {
        if (isOverTime) {
          const message = `The job was stopped. ${timeLimit(task.limits)}`;
          return { kind: "failed", message, microseconds: null, limit: "time" };
        }
        if (abort.signal.aborted) return { kind: "cancelled" };
        throw error;
      })
      .finally(() => clearTimeout(overTime));
    const begun: Run = {
      outcome,
      startedAt: undefined,
      cancel() {
        if (control) stopRun(control);
        const timer = setTimeout(() => abort.abort(), control ? CANCEL_GRACE_MS : 0);
        outcome.finally(() => clearTimeout(timer)).catch(() => {});
      },
    };
    return begun;
  }

  return { slots: threads.slots, run, close: threads.close };
}
