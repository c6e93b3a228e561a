import { sql } from "kysely";
import type { Store } from "../store.ts";

const INTERVAL_MS = 10_000;

/** The time of a database, as far as this process knows it. */
export interface DatabaseClock {
  /** Milliseconds since 1970. */
  now(): number;
  stop(): void;
}

/**
 * Starts a clock that follows the database's, which all machines that share it go by: it is asked every ten seconds, and
 * a monotonic clock counts from there. While it can't be asked, the last answer holds.
 */
export async function startDatabaseClock(store: Store): Promise<DatabaseClock> {
  let offset = await measure(store);
  const timer = setInterval(() => {
    measure(store).then(
      measured => {
        offset = measured;
      },
      () => {},
    );
  }, INTERVAL_MS).unref();
  return { now: () => performance.now() + offset, stop: () => clearInterval(timer) };
}

/** By how much the database's time is ahead of the monotonic clock. */
async function measure(store: Store): Promise<number> {
  const asked = performance.now();
  const { rows } = await sql<{
    time: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as time`.execute(store);
  return rows[0]!.time - (asked + performance.now()) / 2;
}
