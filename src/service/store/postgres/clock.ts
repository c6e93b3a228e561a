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
 * a monotonic clock counts from there. While it can't be asked, the last answer holds; one that was long on its way
 * changes no more than it proves wrong.
 */
export async function startDatabaseClock(store: Store): Promise<DatabaseClock> {
  let offset = Number.NEGATIVE_INFINITY;
  const follow = async () => {
    const [least, most] = await measure(store);
    offset = Math.min(Math.max(offset, least), most);
  };
  await follow();
  const timer = setInterval(() => void follow().catch(() => {}), INTERVAL_MS).unref();
  return { now: () => performance.now() + offset, stop: () => clearInterval(timer) };
}

/** Returns by how much the database's time is ahead of the monotonic clock, at least and at most. */
async function measure(store: Store): Promise<[least: number, most: number]> {
  const asked = performance.now();
  const { rows } = await sql<{
    time: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as time`.execute(store);
  const { time } = rows[0]!;
  return [time - performance.now(), time - asked];
}
