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
export type Printer = ReturnType<typeof createPrinter>;

export type Printable = Omit<PrintTask, "port">;

export interface PrintThread {
  /** Calls `onStart` once the thread has begun. When `signal` aborts, ends the thread and rejects. */
  print(task: Printable, control: Pick<ThreadControl, "signal"> & { onStart(): void }): Promise<PrintOutcome>;
  close(): Promise<void>;
}

/** Makes a line in which users take turns: the first of each comes before the second of any. */
export function createRounds<T>() {
  const waiting = new Map<number, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    sizeOf: (userId: number) => waiting.get(userId)?.length ?? 0,
    add(userId: number, each: T) {
      waiting.set(userId, [...(waiting.get(userId) ?? []), each]);
      size += 1;
    },
    next(): T | undefined {
      for (const [userId, [first, ...others]] of waiting) {
        waiting.delete(userId);
        if (others.length > 0) waiting.set(userId, others);
        size -= 1;
        return first;
      }
      return undefined;
    },
  };
}

export function createPrinter(thread: PrintThread) {
  const waiting = createRounds<() => Promise<void>>();
  let isPrinting = false;

  async function printAll(): Promise<void> {
    isPrinting = true;
    for (let print = waiting.next(); print; print = waiting.next()) await print();
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
    /** Prints when its turn comes: users take turns. Throws an HttpError (429) where too much waits. */
    print(task: Printable, userId: number): Promise<PrintOutcome> {
      if (waiting.sizeOf(userId) >= MAX_WAITING_OF_USER || waiting.size >= MAX_WAITING) {
        throw retryAfter("RATE_LIMITED", "Too many programs wait to be drawn. Try again in a second.", 1);
      }
      const { promise, resolve, reject } = Promise.withResolvers<PrintOutcome>();
      waiting.add(userId, () => printNow(task).then(resolve, reject));
      if (!isPrinting) void printAll();
      return promise;
    },
    close: () => thread.close(),
  };
}
