import { sql } from "kysely";
import { HttpError } from "../http-error.ts";
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

/** Number of times a second at which a process takes tokens of a shared bucket: most requests need no database. */
const SHARES_PER_SECOND = 10;

/** State of a client's bucket in this process. */
interface Held {
  /** Tokens that it has taken and not spent. */
  tokens: number;
  /** Time when the bucket is full again. */
  fullAt: number;
  /** Before this time, no token can be had. */
  emptyUntil: number;
  asking?: Promise<void> | undefined;
}

interface RateLimitParts {
  perSecond: number;
  /** Milliseconds; where buckets are shared, the same for all processes. Default: a monotonic clock. */
  clock?: () => number;
  /** Where buckets are shared, and the name that tells its clients from those of other limits. Default: they are not. */
  shared?: { store: Store; name: string } | undefined;
}

/**
 * Makes a limit of requests by the name of their client, with a token bucket for each. Where buckets are shared, each is a
 * row of the store, of which a process takes some tokens at a time. What it has taken and does not spend is lost to the
 * client, a tenth of a second's worth.
 */
export function createRateLimit({ perSecond, clock = () => performance.now(), shared }: RateLimitParts) {
  const limit = Math.max(1, Math.ceil(perSecond * BURST_SECONDS));
  const interval = 1000 / perSecond;
  const burst = (limit + ROUNDING) * interval;
  const share = shared ? Math.max(1, Math.floor(perSecond / SHARES_PER_SECOND)) : 1;
  /** Those who came last are at the end. */
  const clients = new Map<string, Held>();

  function recall(client: string): Held {
    const held = clients.get(client) ?? { tokens: 0, fullAt: 0, emptyUntil: 0 };
    clients.delete(client);
    clients.set(client, held);
    if (clients.size > MAX_CLIENTS) clients.delete(clients.keys().next().value!);
    return held;
  }

  /** Takes a share of the tokens of a bucket, or else one. */
  async function ask(client: string, held: Held): Promise<void> {
    for (const tokens of new Set([share, 1])) {
      const [now, cost] = [clock(), tokens * interval];
      const fullAt = shared
        ? await addToRow(shared, client, { now, cost, burst })
        : Math.max(held.fullAt, now) + cost;
      if (fullAt === undefined || fullAt > now + burst) continue;
      Object.assign(held, { fullAt, tokens: held.tokens + tokens });
      return;
    }
    if (shared) held.fullAt = await readRow(shared, client);
    held.emptyUntil = held.fullAt - burst + interval;
  }

  function stateOf({ fullAt, tokens }: Held): RateState {
    const missing = Math.max(0, (fullAt - clock()) / interval) - tokens;
    const remaining = Math.max(0, Math.min(limit, Math.floor(limit - missing + ROUNDING)));
    return { limit, remaining, reset: Math.max(0, Math.ceil((missing * interval) / 1000)) };
  }

  return {
    /** Counts a request; refuses with 429 when the client's bucket is empty. */
    async take(client: string): Promise<RateState> {
      const held = recall(client);
      while (held.tokens < 1) {
        const seconds = (held.emptyUntil - clock()) / 1000;
        if (seconds > 0) {
          const headers = toHeaders({ ...stateOf(held), remaining: 0 });
          throw new HttpError(
            "RATE_LIMITED",
            `Too many requests: ${perSecond} a second are taken. Try again later.`,
            { headers: { "Retry-After": String(Math.max(1, Math.ceil(seconds))), ...headers } },
          );
        }
        held.asking ??= ask(client, held).finally(() => {
          held.asking = undefined;
        });
        await held.asking;
      }
      held.tokens -= 1;
      return stateOf(held);
    },
  };
}

/** Adds a cost to the time when a bucket of the store is full again, and returns it; undefined where it is too empty. */
async function addToRow(
  { store, name }: NonNullable<RateLimitParts["shared"]>,
  client: string,
  { now, cost, burst }: { now: number; cost: number; burst: number },
): Promise<number | undefined> {
  const from = sql<number>`(case when rate_limits.full_at > ${now} then rate_limits.full_at else ${now} end)`;
  const row = await store
    .insertInto("rate_limits")
    .values({ client: `${name}:${client}`, full_at: now + cost })
    .onConflict(conflict =>
      conflict
        .column("client")
        .doUpdateSet({ full_at: sql<number>`${from} + ${cost}` })
        .where(sql<boolean>`${from} + ${cost} <= ${now + burst}`),
    )
    .returning("full_at")
    .executeTakeFirst();
  return row?.full_at;
}

async function readRow(
  { store, name }: NonNullable<RateLimitParts["shared"]>,
  client: string,
): Promise<number> {
  const row = await store
    .selectFrom("rate_limits")
    .select("full_at")
    .where("client", "=", `${name}:${client}`)
    .executeTakeFirst();
  return row?.full_at ?? 0;
}
