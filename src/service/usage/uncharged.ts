import { type Caller, type Tier, tierOf } from "../accounts/caller.ts";
import { HttpError } from "../http-error.ts";
import { prepareRows } from "../store/prepared.ts";
import type { Database, JobRow } from "../store/schema.ts";
import type { Store, StoreTransaction } from "../store/store.ts";
import { dayOf, secondsToReset } from "./quota.ts";

/** Compute of a user that ended in no charge. */
interface UnchargedCompute {
  userId: number;
  milliseconds: number;
  /** Milliseconds since 1970. */
  endedAt: number;
}

const addRows = prepareRows((store, rows: Database["uncharged_compute"][]) =>
  store
    .insertInto("uncharged_compute")
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(["user_id", "day"]).doUpdateSet(eb => ({
        milliseconds: eb("uncharged_compute.milliseconds", "+", eb.ref("excluded.milliseconds")),
      })),
    ),
);

/** Adds compute that ended in no charge to that of its users' days. */
export async function addUncharged(
  transaction: StoreTransaction,
  computed: readonly UnchargedCompute[],
): Promise<void> {
  const rows = new Map<string, Database["uncharged_compute"]>();
  /** Rows are locked in one order, so that transactions never wait for each other in a circle. */
  for (const { userId, milliseconds, endedAt } of computed.toSorted(
    (a, b) => a.userId - b.userId || a.endedAt - b.endedAt,
  )) {
    if (milliseconds < 1) continue;
    const day = dayOf(endedAt);
    const row = rows.get(`${userId} ${day}`) ?? { user_id: userId, day, milliseconds: 0 };
    row.milliseconds += Math.ceil(milliseconds);
    rows.set(`${userId} ${day}`, row);
  }
  await addRows(transaction, [...rows.values()]);
}

/** Returns the milliseconds of compute that may still end in no charge today. */
export async function unchargedLeft(
  store: Store,
  { userId, tier }: { userId: number; tier: Tier },
  now: number,
): Promise<number> {
  if (tier.unchargedSeconds === null) return Number.POSITIVE_INFINITY;
  const row = await store
    .selectFrom("uncharged_compute")
    .select("milliseconds")
    .where("user_id", "=", userId)
    .where("day", "=", dayOf(now))
    .executeTakeFirst();
  return tier.unchargedSeconds * 1000 - (row?.milliseconds ?? 0);
}

export const unchargedUsedUp = ({ unchargedSeconds }: Tier) =>
  `The ${unchargedSeconds} s a day of compute that may end in no charge are used up by jobs that failed or were cancelled. They start anew at 00:00 UTC.`;

/** Returns an HttpError (429) for a user whose share of compute without charge is used up. */
export async function unchargedRefusal(
  store: Store,
  caller: Caller,
  now: number,
): Promise<HttpError | undefined> {
  const tier = tierOf(caller.tier);
  if ((await unchargedLeft(store, { userId: caller.userId, tier }, now)) > 0) return undefined;
  return new HttpError("QUOTA_EXCEEDED", unchargedUsedUp(tier), {
    headers: { "Retry-After": String(secondsToReset(now)) },
  });
}

const addRuns = prepareRows((store, rows: Database["run_totals"][]) =>
  store
    .insertInto("run_totals")
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(["device_qrn", "status"]).doUpdateSet(eb => ({
        runs: eb("run_totals.runs", "+", eb.ref("excluded.runs")),
        wait_ms: eb("run_totals.wait_ms", "+", eb.ref("excluded.wait_ms")),
        run_us: eb("run_totals.run_us", "+", eb.ref("excluded.run_us")),
      })),
    ),
);

/** Counts jobs that have ended: how long they waited, and how long their programs ran. */
export async function countRuns(
  transaction: StoreTransaction,
  jobs: readonly Pick<JobRow, "device_qrn" | "status" | "created_at" | "started_at" | "duration_us">[],
): Promise<void> {
  const groups = Map.groupBy(jobs, ({ device_qrn, status }) => `${device_qrn} ${status}`);
  /** Rows are locked in one order, so that transactions never wait for each other in a circle. */
  const rows = [...groups.keys()].sort().map(name => {
    const members = groups.get(name)!;
    const { device_qrn, status } = members[0]!;
    const total = { device_qrn, status, runs: members.length, wait_ms: 0, run_us: 0 };
    for (const { started_at, created_at, duration_us } of members) {
      total.wait_ms += started_at === null ? 0 : started_at - created_at;
      total.run_us += duration_us ?? 0;
    }
    return total;
  });
  await addRuns(transaction, rows);
}
