import { detach } from "#host/timers";
/** Runs an action one at a time, and again where that is requested meanwhile. */
export interface Poller {
  request(): void;
  /** Resolves when no run is under way. */
  idle(): Promise<void>;
}

/** After a run that failed. */
const RETRY_DELAY_MS = 1000;

/** Makes a poller of an action. Where that fails, it is run again after a second, unless `signal` has been aborted. */
export function createPoller(
  poll: () => Promise<void>,
  { signal, onError }: { signal: AbortSignal; onError(error: unknown): void },
): Poller {
  let running: Promise<void> | undefined;
  let isRequested = false;

  async function pollWhileRequested(): Promise<void> {
    while (isRequested) {
      isRequested = false;
      await poll();
    }
  }

  function request(): void {
    isRequested = true;
    running ??= pollWhileRequested()
      .catch(error => {
        onError(error);
        if (!signal.aborted) detach(setTimeout(request, RETRY_DELAY_MS));
      })
      .finally(() => {
        running = undefined;
        if (isRequested) request();
      });
  }

  return { request, idle: async () => running };
}
