/** The clock, the randomness and the pauses of a client. */
export interface Timing {
  /** Milliseconds of a clock that never runs backwards. */
  now(): number;
  /** A number from 0 to 1. */
  random(): number;
  /** Resolves after a time in milliseconds; rejects with the signal's reason when that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemTiming: Timing = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep(ms, signal) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    return abortable(promise, signal).finally(() => clearTimeout(timer));
  },
};

/** Settles as the promise does, or rejects as soon as the signal aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Timers can't be set for longer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A signal that aborts after a time in milliseconds; undefined where there is no limit, or none that a timer keeps. */
export function deadlineAfter(ms: number | undefined): AbortSignal | undefined {
  return ms === undefined || ms > MAX_TIMER_MS ? undefined : AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
}

export const anySignal = (...signals: (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter(signal => signal !== undefined));

/** Bounds of the pauses between attempts, in milliseconds. */
export interface Backoff {
  base: number;
  max: number;
}

/** The pause before another attempt: random, up to a bound that doubles with each failure ("full jitter"). */
export function backoffDelay(failures: number, { base, max }: Backoff, timing: Timing): number {
  return timing.random() * Math.min(max, base * 2 ** Math.min(failures - 1, 30));
}
