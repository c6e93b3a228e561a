import type { Catalogue } from "./catalogue/catalogue.ts";
import type { JobQueue } from "./queue/job-queue.ts";
import type { Store } from "./store/store.ts";

export interface Context {
  store: Store;
  catalogue: Catalogue;
  queue: JobQueue;
  /** The service's own vendor code. Default: `svc`. */
  vendor?: string | undefined;
  /** Milliseconds since 1970. */
  clock: () => number;
}

export type Log = (level: "info" | "error", event: string, fields?: Record<string, unknown>) => void;

/** Smallest step back of the system's clock that is reported. */
const MIN_STEP_MS = 1000;

/**
 * Makes a clock of milliseconds since 1970 that never runs backwards: where the system's clock is set back, it
 * continues from where it was, so as much time passes as did pass. It follows the system's clock forwards, which
 * also jumps when the machine has slept. `onSetBack` is called with the milliseconds that it was set back by.
 */
export function steadyClock(
  wall: () => number = Date.now,
  onSetBack: (milliseconds: number) => void = () => {},
  elapsed: () => number = () => performance.now(),
): () => number {
  let offset = wall() - elapsed();
  let known = 0;
  return () => {
    const lead = offset + elapsed() - wall();
    if (lead < 0) offset -= lead;
    if (lead > known + MIN_STEP_MS) onSetBack(lead - known);
    known = Math.max(0, lead);
    return Math.floor(offset + elapsed());
  };
}

/** Runs what opens something part by part, and returns it; where that fails, what was opened is closed. */
export async function openInOrder<T>(
  log: Log,
  open: (onClose: (close: () => unknown) => void, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const opened: (() => unknown)[] = [];
  const close = async () => {
    for (const each of opened.splice(0).reverse()) {
      try {
        await each();
      } catch (error) {
        log("error", "stop", { error: String(error) });
      }
    }
  };
  try {
    return await open(each => opened.push(each), close);
  } catch (error) {
    await close();
    throw error;
  }
}
