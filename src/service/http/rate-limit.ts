import { HttpError } from "../http-error.ts";

/** Remaining allowance of a client. */
export interface RateState {
  /** Requests that may come at once. */
  limit: number;
  remaining: number;
  /** Seconds until all of them may come again. */
  reset: number;
}

/** Limits requests by the name of their client: a token bucket for each. */
export interface RateLimit {
  /** Counts a request; refuses with 429 when the client's bucket is empty. */
  take(client: string): RateState | Promise<RateState>;
}

/** Limits requests to one process, which asks nobody. */
export interface LocalRateLimit extends RateLimit {
  take(client: string): RateState;
}

/** A bucket holds what this many seconds bring. */
export const BURST_SECONDS = 10;
/** Clients that are remembered; beyond that, those who were not seen for longest are forgotten. */
export const MAX_CLIENTS = 10_000;

/** Makes a rate limit of one process; `now` is a monotonic clock in milliseconds. */
export function createRateLimit(
  perSecond: number,
  now: () => number = () => performance.now(),
): LocalRateLimit {
  const limit = Math.max(1, Math.ceil(perSecond * BURST_SECONDS));
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(client) {
      const known = buckets.get(client) ?? { tokens: limit, at: now() };
      const at = now();
      const tokens = Math.min(limit, known.tokens + ((at - known.at) / 1000) * perSecond);
      const isTaken = tokens >= 1;
      const left = isTaken ? tokens - 1 : tokens;
      buckets.delete(client);
      buckets.set(client, { tokens: left, at });
      for (const oldest of buckets.keys()) {
        if (buckets.size <= MAX_CLIENTS) break;
        buckets.delete(oldest);
      }
      const reset = Math.ceil((limit - left) / perSecond);
      if (isTaken) return { limit, remaining: Math.floor(left), reset };
      throw tooManyRequests(perSecond, { limit, remaining: 0, reset }, (1 - left) / perSecond);
    },
  };
}

/** Makes the error (429) of a request that is one too many, for a client who may send the next after some seconds. */
export const tooManyRequests = (perSecond: number, state: RateState, seconds: number) =>
  new HttpError("RATE_LIMITED", `Too many requests: ${perSecond} a second are taken. Try again later.`, {
    headers: { "Retry-After": String(Math.max(1, Math.ceil(seconds))), ...toHeaders(state) },
  });

/** The headers that tell a client its rate. */
export function toHeaders({ limit, remaining, reset }: RateState): Record<string, string> {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(reset),
  };
}
