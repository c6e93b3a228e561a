import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { CHANNEL } from "./announcer.ts";
import { connectionOf } from "./pool.ts";

/** Between two attempts to connect, at least. */
const RETRY_INTERVAL_MS = 1000;
const PING_INTERVAL_MS = 5000;
const ANSWER_TIMEOUT_MS = 5000;

/** Receivers of announcements. */
export interface ListenerParts {
  /** Called with each value that was announced. */
  onAnnouncement(value: unknown): void;
  /** Called whenever it listens again: what was announced in between is lost. */
  onListening(): void;
  onError(error: unknown): void;
  /** Name that its connection keeps locked, by which others see that this process is alive. */
  lock: string;
}

/** Listens to what is announced on a database, over a connection of its own that is made again when it is lost. */
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
    client.on("notification", ({ payload = "[]" }) => {
      for (const value of parse(payload)) onAnnouncement(value);
    });
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

function parse(payload: string): unknown[] {
  try {
    const values = JSON.parse(payload);
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}
