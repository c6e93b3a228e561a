/** A timer that was set. */
export type Timer = ReturnType<typeof setTimeout>;

/** Lets a timer not keep the process alive, and returns it: a page's never do. */
export const detach = (timer: Timer): Timer => timer;

const turns: (() => void)[] = [];
const { port1, port2 } = new MessageChannel();
const inbox: { onmessage?: unknown; unref?(): void } = port2;
inbox.onmessage = () => turns.shift()?.();
inbox.unref?.();

/** Runs a function once what is under way has been done, and what came in from outside. */
export function nextTurn(run: () => void): void {
  turns.push(run);
  port1.postMessage(null);
}

/** Options of a pause. */
export interface SleepOptions {
  /** Ends the pause with an `AbortError` when it aborts. */
  signal?: AbortSignal | undefined;
  /** Whether the pause keeps the process alive. Default: true. */
  ref?: boolean;
}

/** Waits for some milliseconds. */
export function sleep(milliseconds: number, { signal }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(new DOMException("The operation was aborted", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, milliseconds);
    if (signal?.aborted) aborted();
    else signal?.addEventListener("abort", aborted, { once: true });
  });
}
