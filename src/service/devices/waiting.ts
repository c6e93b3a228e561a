import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import type { Store } from "../store/store.ts";

const MAX_JOBS = 50;

/** Averages, for each device, how many milliseconds its last jobs waited before they ran. */
export async function waitingTimes(
  store: Store,
  devices: readonly CatalogueDevice[],
): Promise<Map<string, number>> {
  const waits = new Map<string, number>();
  for (const { qrn } of devices) {
    const rows = await store
      .selectFrom("jobs")
      .select(["created_at", "started_at"])
      .where("device_qrn", "=", qrn)
      .where("ended_at", "is not", null)
      .orderBy("ended_at", "desc")
      .limit(MAX_JOBS)
      .execute();
    const times = rows.flatMap(row => (row.started_at === null ? [] : [row.started_at - row.created_at]));
    if (times.length > 0) waits.set(qrn, times.reduce((sum, time) => sum + time, 0) / times.length);
  }
  return waits;
}
