import { retryAfter } from "./http-error.ts";
import {
  CONTROL_BYTES,
  type PrintOutcome,
  type PrintTask,
  type RunOutcome,
  type RunTask,
  stopRun,
  timeLimit,
} from "./workers/messages.ts";

/** For how long a cancelled run may continue before its thread is ended. */
const CANCEL_GRACE_MS = 250;

export interface Run {
  outcome: Promise<RunOutcome>;
  /** Time when its thread began, by the monotonic clock. */
  startedAt: number | undefined;
  /** Tells the run to stop; the thread of a run that does not end within 250 ms is ended. */
  cancel(): void;
}

export type PoolTask = Omit<RunTask, "control" | "port">;

export interface WorkerPool {
  /** The maximum number of concurrent runs, without the one in the express slot. */
  readonly slots: number;
  /** Starts a run; `onProgress` is called with 0 when all programs are compiled, and later which part is done. */
  run(task: PoolTask, onProgress: (fraction: number) => void): Run;
  close(): Promise<void>;
}

export interface ThreadControl {
  control: SharedArrayBuffer | null;
  /** Called when the thread has begun, with the time of that by the monotonic clock. */
  onStart(startedAt: number): void;
  /** Called with 0 when all programs are compiled, and later which part is done. */
  onProgress(fraction: number): void;
  /** Ends the thread when it aborts: the run then rejects. */
  signal: AbortSignal;
}

export interface SimulationThreads {
  readonly slots: number;
  /** Whether threads share memory. */
  readonly isShared: boolean;
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

/** Milliseconds that a thread may spend on a task once it has begun. */
const MAX_PRINT_MS = 5000;
/** Tasks that a user, and all users together, may have waiting. */
const MAX_WAITING_OF_USER = 32;
const MAX_WAITING = 256;

/** Draws and prints programs, away from the threads that jobs run on. */
export interface Printer {
  /** Prints when its turn comes: users take turns. Throws an HttpError (429) where too much waits. */
  print(task: Printable, userId: number): Promise<PrintOutcome>;
  close(): Promise<void>;
}

export type Printable = Omit<PrintTask, "port">;

interface PrintControl {
  /** Ends the thread when it aborts: printing then rejects. */
  signal: AbortSignal;
  /** Called once the thread has begun with the task. */
  onStart(): void;
}

export interface PrintThread {
  print(task: Printable, control: PrintControl): Promise<PrintOutcome>;
  close(): Promise<void>;
}

export function createPrinter(thread: PrintThread): Printer {
  const waiting = new Map<number, (() => Promise<void>)[]>();
  let size = 0;
  let isPrinting = false;

  /** Prints one task of each user, and so on until none waits. */
  async function printAll(): Promise<void> {
    isPrinting = true;
    for (const [userId, [first, ...others]] of waiting) {
      waiting.delete(userId);
      if (others.length > 0) waiting.set(userId, others);
      size -= 1;
      await first?.();
    }
    isPrinting = false;
  }

  async function printNow(task: Printable): Promise<PrintOutcome> {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onStart = () => {
      timer = setTimeout(() => abort.abort(), MAX_PRINT_MS);
    };
    try {
      return await thread.print(task, { signal: abort.signal, onStart });
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      return { kind: "failed", message: `it took longer than ${MAX_PRINT_MS / 1000} s` };
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    print(task, userId) {
      const mine = waiting.get(userId) ?? [];
      if (mine.length >= MAX_WAITING_OF_USER || size >= MAX_WAITING) {
        throw retryAfter("RATE_LIMITED", "Too many programs wait to be drawn. Try again in a second.", 1);
      }
      const { promise, resolve, reject } = Promise.withResolvers<PrintOutcome>();
      waiting.set(userId, [...mine, () => printNow(task).then(resolve, reject)]);
      size += 1;
      if (!isPrinting) void printAll();
      return promise;
    },
    close: () => thread.close(),
  };
}
