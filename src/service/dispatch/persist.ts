import { sleep } from "#host/timers";
import { storageProblem } from "../storage-errors.ts";

const MIN_PAUSE_MS = 250;
const MAX_PAUSE_MS = 4000;

/**
 * Repeats a write until the storage takes it, so that a disk that is full for a while, or a lock, loses nothing. Throws
 * every error that is not of the storage, and, once the signal has aborted, that of a last attempt.
 */
export async function untilStored<T>(
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
