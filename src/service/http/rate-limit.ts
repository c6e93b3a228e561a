import { sql } from "kysely";
import { HttpError } from "../http-error.ts";
import { readCount } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

/** Remaining allowance of a client. */
interface RateState {
  /** Requests that may come at once. */
  limit: number;
  remaining: number;
  /** Seconds until all of them may come again. */
  reset: number;
}

export const toHeaders = ({ limit, remaining, reset }: RateState): Record<string, string> => ({
  "RateLimit-Limit": String(limit),
  "RateLimit-Remaining": String(remaining),
  "RateLimit-Reset": String(reset),
});

/** A bucket holds what this many seconds bring. */
const BURST_SECONDS = 10;

const MAX_CLIENTS = 10_000;

/** Part of a token that sums of times may be off by. */
const ROUNDING = 1e-3;

interface RateLimitParts {
  perSecond: number;
  /** Milliseconds; where buckets are shared, the same for all processes. Default: a monotonic clock. */
  clock?: () => number;
  /** Where buckets are shared, and the name that tells its clients from those of other limits. Default: they are not. */
  shared?: { store: Store; name: string } | undefined;
}

/**
 * Makes a limit of requests by the name of their client, with a token bucket for each. Where buckets are shared, each is a
 * row of the store; while a process knows that one is empty, it refuses without asking the store.
 */
export function createRateLimit({ perSecond, clock = () => performance.now(), shared }: RateLimitParts) {
  const limit = Math.max(1, Math.ceil(perSecond * BURST_SECONDS));
  const interval = 1000 / perSecond;
  const burst = (limit + ROUNDING) * interval;
  /** Times when the buckets of clients are full again. Those who came last are at the end. */
  const fullAt = new Map<string, number>();

  function note(client: string, time: number): void {
    fullAt.delete(client);
    fullAt.set(client, time);
    if (fullAt.size > MAX_CLIENTS) fullAt.delete(fullAt.keys().next().value!);
  }

  function stateOf(time: number): RateState {
    const missing = Math.max(0, (time - clock()) / interval);
    const remaining = Math.max(0, Math.min(limit, Math.floor(limit - missing + ROUNDING)));
    return { limit, remaining, reset: Math.ceil((missing * interval) / 1000) };
  }

  return {
    /** Counts a request; refuses with 429 when the client's bucket is empty. */
    async take(client: string): Promise<RateState> {
      const now = clock();
      let next = Math.max(fullAt.get(client) ?? 0, now) + interval;
      if (shared && next <= now + burst)
        next = await addToRow(shared, client, { now, cost: interval, burst });
      const isEmpty = next > now + burst;
      note(client, isEmpty ? next - interval : next);
      if (!isEmpty) return stateOf(next);
      const seconds = Math.max(1, Math.ceil((next - burst - now) / 1000));
      const headers = toHeaders({ ...stateOf(next - interval), remaining: 0 });
      throw new HttpError(
        "RATE_LIMITED",
        `Too many requests: ${perSecond} a second are taken. Try again later.`,
        { headers: { "Retry-After": String(seconds), ...headers } },
      );
    },
  };
}

/**
 * Adds a cost to the time when a bucket of the store is full again, and returns it; where it is too empty, nothing is added, and
 * what it would be is returned.
 */
async function addToRow(
  { store, name }: NonNullable<RateLimitParts["shared"]>,
  client: string,
  { now, cost, burst }: { now: number; cost: number; burst: number },
): Promise<number> {
  const bucket = `${name}:${client}`;
  const from = sql<number>`(case when rate_limits.full_at > ${now} then rate_limits.full_at else ${now} end)`;
  const row = await store
    .insertInto("rate_limits")
    .values({ client: bucket, full_at: now + cost })
    .onConflict(conflict =>
      conflict
        .column("client")
        .doUpdateSet({ full_at: sql<number>`${from} + ${cost}` })
        .where(sql<boolean>`${from} + ${cost} <= ${now + burst}`),
    )
    .returning("full_at")
    .executeTakeFirst();
  return row?.full_at ?? (await readCount(store, "rate_limits", "full_at", { client: bucket })) + cost;
}
