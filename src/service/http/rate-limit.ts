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

/** Limits requests by the name of their client: a token bucket for each. */
export interface RateLimit {
  /** Counts a request; refuses with 429 when the client's bucket is empty. */
  take(client: string): RateState | Promise<RateState>;
}

/** A bucket holds what this many seconds bring. */
const BURST_SECONDS = 10;
const limitOf = (perSecond: number) => Math.max(1, Math.ceil(perSecond * BURST_SECONDS));

const MAX_CLIENTS = 10_000;

/** Returns the entry of a client and moves it to the end of those that are dropped when there are too many. */
function recall<Kept>(clients: Map<string, Kept>, client: string, make: () => Kept): Kept {
  const kept = clients.get(client) ?? make();
  clients.delete(client);
  clients.set(client, kept);
  if (clients.size > MAX_CLIENTS) clients.delete(clients.keys().next().value!);
  return kept;
}

/** Makes a rate limit of one process; `now` is a monotonic clock in milliseconds. */
export function createRateLimit(perSecond: number, now = () => performance.now()) {
  const limit = limitOf(perSecond);
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    take(client: string): RateState {
      const at = now();
      const bucket = recall(buckets, client, () => ({ tokens: limit, at }));
      bucket.tokens = Math.min(limit, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);
      bucket.at = at;
      const isTaken = bucket.tokens >= 1;
      if (isTaken) bucket.tokens -= 1;
      const { tokens } = bucket;
      const state = { limit, remaining: Math.floor(tokens), reset: Math.ceil((limit - tokens) / perSecond) };
      if (!isTaken) throw tooManyRequests(perSecond, state, (1 - tokens) / perSecond);
      return state;
    },
  };
}

/** Makes the error (429) of a request that is one too many, for a client who may send the next after some seconds. */
const tooManyRequests = (perSecond: number, state: RateState, seconds: number) =>
  new HttpError("RATE_LIMITED", `Too many requests: ${perSecond} a second are taken. Try again later.`, {
    headers: { "Retry-After": String(Math.max(1, Math.ceil(seconds))), ...toHeaders(state) },
  });

export const toHeaders = ({ limit, remaining, reset }: RateState): Record<string, string> => ({
  "RateLimit-Limit": String(limit),
  "RateLimit-Remaining": String(remaining),
  "RateLimit-Reset": String(reset),
});

/** A process takes tokens of a bucket for so much of a second at a time, so few requests ask the database. */
const SHARES_PER_SECOND = 10;
/** Interval of the removal of full buckets' rows. */
const SWEEP_INTERVAL_MS = 60_000;

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

interface SharedRateOptions {
  store: Store;
  /** Milliseconds since 1970, the same for all processes. */
  clock: () => number;
  /** Tells its clients from those of other limits. */
  name: string;
  perSecond: number;
}

/**
 * Makes a rate limit that holds over all processes on a store: the bucket of each client is a row of it, of which a process
 * takes some tokens at a time. What it has taken and does not spend is lost to the client, a tenth of a second's worth.
 */
export function createSharedRateLimit({ store, clock, name, perSecond }: SharedRateOptions): RateLimit {
  const limit = limitOf(perSecond);
  const interval = 1000 / perSecond;
  const burst = limit * interval;
  const share = Math.max(1, Math.floor(perSecond / SHARES_PER_SECOND));
  const clients = new Map<string, Held>();
  let sweptAt = clock();

  /** Takes tokens of a bucket, all or none. Returns whether it had them. */
  async function reserve(client: string, held: Held, tokens: number): Promise<boolean> {
    const now = clock();
    const cost = tokens * interval;
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
    if (!row) return false;
    held.fullAt = row.full_at;
    held.tokens += tokens;
    return true;
  }

  async function ask(client: string, held: Held): Promise<void> {
    sweep();
    if ((await reserve(client, held, share)) || (share > 1 && (await reserve(client, held, 1)))) return;
    const row = await store
      .selectFrom("rate_limits")
      .select("full_at")
      .where("client", "=", `${name}:${client}`)
      .executeTakeFirst();
    held.fullAt = row?.full_at ?? 0;
    held.emptyUntil = held.fullAt - burst + interval;
  }

  function sweep(): void {
    const now = clock();
    if (now - sweptAt < SWEEP_INTERVAL_MS) return;
    sweptAt = now;
    store
      .deleteFrom("rate_limits")
      .where("full_at", "<", now)
      .execute()
      .catch(() => {});
  }

  function stateOf({ fullAt, tokens }: Held): RateState {
    const missing = Math.max(0, (fullAt - clock()) / interval) - tokens;
    const remaining = Math.max(0, Math.min(limit, Math.floor(limit - missing)));
    return { limit, remaining, reset: Math.max(0, Math.ceil((missing * interval) / 1000)) };
  }

  return {
    async take(client) {
      const held = recall(clients, client, (): Held => ({ tokens: 0, fullAt: 0, emptyUntil: 0 }));
      while (held.tokens < 1) {
        const wait = held.emptyUntil - clock();
        if (wait > 0) throw tooManyRequests(perSecond, { ...stateOf(held), remaining: 0 }, wait / 1000);
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
