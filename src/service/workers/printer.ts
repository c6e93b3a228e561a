import { HttpError } from "../http-error.ts";
import type { PrintOutcome, PrintTask } from "./messages.ts";

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

/** Printing task without its port. */
export type Printable = Omit<PrintTask, "port">;

/** Controls of a printing thread in addition to its task. */
export interface PrintControl {
  /** Ends the thread when it aborts: printing then rejects. */
  signal: AbortSignal;
  /** Called once the thread has begun with the task. */
  onStart(): void;
}

/** Prints one task at once. */
export interface PrintThread {
  print(task: Printable, control: PrintControl): Promise<PrintOutcome>;
  close(): Promise<void>;
}

/** Makes a printer of a thread of its own. */
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
        throw new HttpError("RATE_LIMITED", "Too many programs wait to be drawn. Try again in a second.", {
          headers: { "Retry-After": "1" },
        });
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
