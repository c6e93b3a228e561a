import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import type { Store } from "../../service/index.ts";
import { connectionOf } from "./pool.ts";

const CHANNEL = "ketbook";

/** Announcements that wait while the database can't be reached. */
const MAX_WAITING = 10_000;

/** Makes what announces values of JSON to all processes on a database. */
export function createAnnouncer(store: Store, onError: (error: unknown) => void) {
  const waiting: string[] = [];
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await sql`select pg_notify(${CHANNEL}, ${next})`.execute(store);
    } catch (error) {
      onError(error);
    }
    sending = undefined;
  }

  return {
    announce(value: unknown) {
      if (waiting.length < MAX_WAITING) waiting.push(JSON.stringify(value));
      sending ??= send();
    },
    /** Resolves when all that was announced is sent, or could not be. */
    flush: async () => sending,
  };
}

/** Between two attempts to connect, at least. */
const RETRY_INTERVAL_MS = 1000;
const PING_INTERVAL_MS = 5000;
const ANSWER_TIMEOUT_MS = 5000;

interface ListenerParts {
  onAnnouncement(value: unknown): void;
  /** Called whenever it listens again: what was announced in between is lost. */
  onListening(): void;
  onError(error: unknown): void;
  /** Name that its connection keeps locked, by which others see that this process is alive. */
  lock: string;
}

/** Listens to what is announced on a database, over its own connection that is made again when it is lost. */
export function startListener(url: string, { onAnnouncement, onListening, onError, lock }: ListenerParts) {
  const stopping = new AbortController();
  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { ref: false, signal: stopping.signal }).catch(() => {});

  /** Resolves or throws when the connection is over. */
  async function listen(): Promise<void> {
    const client = new pg.Client({ ...connectionOf(url), query_timeout: ANSWER_TIMEOUT_MS });
    const lost = Promise.withResolvers<void>();
    lost.promise.catch(() => {});
    client.on("error", lost.reject);
    client.on("end", lost.resolve);
    client.on("notification", ({ payload = "null" }) => onAnnouncement(parse(payload)));
    stopping.signal.addEventListener("abort", () => lost.resolve(), { once: true });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      await client.query("select pg_try_advisory_lock(hashtextextended($1, 0))", [lock]);
      onListening();
      for (;;) {
        const isOver = await Promise.race([lost.promise.then(() => true), pause(PING_INTERVAL_MS)]);
        if (isOver || stopping.signal.aborted) return;
        await client.query("select 1");
      }
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Listens again at once where it did until now, since what is announced in between is lost. */
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = performance.now() + RETRY_INTERVAL_MS;
      await listen().catch(onError);
      await pause(Math.max(0, next - performance.now()));
    }
  }

  const ended = run();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
    },
  };
}

/** Reads a value of JSON; undefined for anything else. */
function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
