import { abortable, type Backoff, backoffDelay, type Timing } from "./timing.ts";

/** Requests a second after the first refusal. */
const INITIAL_RATE = 10;
const MIN_RATE = 0.2;
/** Above this rate, requests go unhindered again. */
const MAX_RATE = 1000;
/** Pauses after refusals that say nothing of a pause, in milliseconds. */
const BACKOFF: Backoff = { base: 500, max: 15_000 };

/**
 * Keeps the requests of one client at the rate that a service takes, which it learns from 429 alone: additive or
 * slower raises, multiplicative cuts (AIMD). A client that has never been refused is not held up.
 */
export function createPacer(timing: Timing) {
  const waiting = new Set<() => void>();
  let rate = Number.POSITIVE_INFINITY;
  let refusedRate = Number.POSITIVE_INFINITY;
  let loweredAt = Number.NEGATIVE_INFINITY;
  let raisedAt = 0;
  let resumeAt = 0;
  let nextAt = 0;
  let refusals = 0;
  let stalledSince: number | undefined;
  let isDraining = false;

  /** Raises the rate: twofold a second until just below where it was refused last, then by 3 % a second. */
  function raise(now: number): void {
    const seconds = Math.max(0, now - raisedAt) / 1000;
    const knee = 0.9 * refusedRate;
    rate = rate < knee ? Math.min(knee, rate * 2 ** seconds) : rate * 1.03 ** seconds;
    raisedAt = Math.max(raisedAt, now);
    if (rate > MAX_RATE) rate = Number.POSITIVE_INFINITY;
  }

  /** Takes the next slot, if it has come. Timers that are late by a little don't lower the rate. */
  function takeSlot(now: number): boolean {
    if (now < resumeAt || now < nextAt) return false;
    if (rate === Number.POSITIVE_INFINITY) return true;
    raise(now);
    nextAt = Math.max(nextAt, now - 20) + 1000 / rate;
    return true;
  }

  async function drain(): Promise<void> {
    isDraining = true;
    for (const admitted of waiting) {
      for (let now = timing.now(); !takeSlot(now); now = timing.now())
        await timing.sleep(Math.max(resumeAt, nextAt) - now);
      if (waiting.delete(admitted)) admitted();
    }
    isDraining = false;
  }

  function waitForSlot(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve: admitted } = Promise.withResolvers<void>();
    waiting.add(admitted);
    if (!isDraining) void drain();
    return abortable(promise, signal).finally(() => waiting.delete(admitted));
  }

  return {
    /** Waits for a request's slot; undefined when it may be sent at once. */
    admit: (signal?: AbortSignal) =>
      waiting.size === 0 && takeSlot(timing.now()) ? undefined : waitForSlot(signal),
    /** Notes that a request was let through, whatever its answer. */
    passed(sentAt: number): void {
      if (sentAt < loweredAt) return;
      refusals = 0;
      stalledSince = undefined;
    },
    /** Notes a 429: every request pauses, and the rate falls. */
    refused(sentAt: number, retryAfter: number | null): void {
      const now = timing.now();
      const isNewRefusal = sentAt >= loweredAt;
      if (isNewRefusal) {
        refusals += 1;
        refusedRate = rate;
        rate = rate === Number.POSITIVE_INFINITY ? INITIAL_RATE : Math.max(MIN_RATE, rate / 2);
        loweredAt = now;
        stalledSince ??= now;
      }
      const pause = retryAfter
        ? retryAfter * 1000
        : isNewRefusal
          ? backoffDelay(refusals, BACKOFF, timing)
          : 0;
      resumeAt = Math.max(resumeAt, now + pause);
      raisedAt = resumeAt;
    },
    /** Milliseconds for which nothing has been let through; 0 when the last request was. */
    stalledFor: () => (stalledSince === undefined ? 0 : timing.now() - stalledSince),
  };
}
