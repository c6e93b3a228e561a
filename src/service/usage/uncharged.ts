import { type Caller, type Tier, tierOf } from "../accounts/caller.ts";
import { retryAfter } from "../http-error.ts";
import { prepareCounts } from "../store/prepared.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store, StoreTransaction } from "../store/store.ts";
import { dayOf, secondsToReset } from "./quota.ts";

/** Compute of a user that ended in no charge. */
interface UnchargedCompute {
  userId: number;
  milliseconds: number;
  /** Milliseconds since 1970. */
  endedAt: number;
}

const addRows = prepareCounts("uncharged_compute", ["user_id", "day"], ["milliseconds"]);

/** Adds compute that ended in no charge to that of its users' days. */
export async function addUncharged(
  transaction: StoreTransaction,
  computed: readonly UnchargedCompute[],
): Promise<void> {
  const counted = computed.filter(({ milliseconds }) => milliseconds >= 1);
  const rows = counted.map(({ userId, milliseconds, endedAt }) => ({
    user_id: userId,
    day: dayOf(endedAt),
    milliseconds: Math.ceil(milliseconds),
  }));
  await addRows(transaction, rows);
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

/** Throws an HttpError (429) for a user whose share of compute without charge is used up. */
export async function requireUncharged(store: Store, caller: Caller, now: number): Promise<void> {
  const tier = tierOf(caller.tier);
  if ((await unchargedLeft(store, { userId: caller.userId, tier }, now)) <= 0)
    throw retryAfter("QUOTA_EXCEEDED", unchargedUsedUp(tier), secondsToReset(now));
}

const addRuns = prepareCounts("run_totals", ["device_qrn", "status"], ["runs", "wait_ms", "run_us"]);

/** Counts jobs that have ended: how long they waited, and how long their programs ran. */
export async function countRuns(
  transaction: StoreTransaction,
  jobs: readonly Pick<JobRow, "device_qrn" | "status" | "created_at" | "started_at" | "duration_us">[],
): Promise<void> {
  const rows = jobs.map(({ device_qrn, status, started_at, created_at, duration_us }) => ({
    device_qrn,
    status,
    runs: 1,
    wait_ms: started_at === null ? 0 : started_at - created_at,
    run_us: duration_us ?? 0,
  }));
  await addRuns(transaction, rows);
}
