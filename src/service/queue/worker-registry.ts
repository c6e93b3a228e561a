import type { Store } from "../store/store.ts";
import type { Offers } from "./offers.ts";

/** Interval of a worker's heartbeats. */
export const BEAT_INTERVAL_MS = 10_000;
/** A worker that has said nothing for so long is taken to be gone. */
const MAX_SILENCE_MS = 3 * BEAT_INTERVAL_MS;
const FORGET_MS = 86_400_000;

/** A worker as others know it. */
export interface RegisteredWorker {
  id: string;
  /** By which its operator knows it. */
  name: string;
  /** Jobs that it runs at a time. */
  slots: number;
  offers: Offers;
}

/** Notes that a worker runs, and forgets those that have been gone for a day. */
export async function registerWorker(
  store: Store,
  { id, name, slots, offers }: RegisteredWorker,
  now: number,
): Promise<void> {
  const { memoryBytes, ...others } = offers;
  const worker = {
    name,
    slots,
    memory_bytes: memoryBytes,
    offers_json: JSON.stringify(others),
    seen_at: now,
  };
  await store
    .insertInto("workers")
    .values({ id, started_at: now, ...worker })
    .onConflict(conflict => conflict.column("id").doUpdateSet(worker))
    .execute();
  await store
    .deleteFrom("workers")
    .where("seen_at", "<", now - FORGET_MS)
    .execute();
}

/** Notes that a worker runs no more. */
export async function unregisterWorker(store: Store, id: string): Promise<void> {
  await store.deleteFrom("workers").where("id", "=", id).execute();
}

/** Lists the workers that run, those with the most memory first. */
export async function listWorkers(store: Store, now: number): Promise<RegisteredWorker[]> {
  const rows = await store
    .selectFrom("workers")
    .selectAll()
    .where("seen_at", ">", now - MAX_SILENCE_MS)
    .orderBy("memory_bytes", "desc")
    .execute();
  return rows.map(({ id, name, slots, memory_bytes, offers_json }) => ({
    id,
    name,
    slots,
    offers: { memoryBytes: memory_bytes, ...JSON.parse(offers_json) },
  }));
}
