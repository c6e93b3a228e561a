import { type Caller, type Tier, tierOf } from "../accounts/caller.ts";
import { retryAfter } from "../http-error.ts";
import { addCounts } from "../store/rows.ts";
import type { JobRow } from "../store/schema.ts";
import { locksOf, type Store, type StoreTransaction } from "../store/store.ts";

const DAY_MS = 86_400_000;

/** The number of the UTC day, from 1970 on. */
export const dayOf = (now: number) => Math.floor(now / DAY_MS);

/** Returns the time when the current day's quota resets. */
export const resetAfter = (now: number) => (dayOf(now) + 1) * DAY_MS;

/** Whole seconds until then. */
const secondsToReset = (now: number) => Math.ceil((resetAfter(now) - now) / 1000);

/** Jobs a day and simulator that the tier allows; null: no limit. */
export function dailyLimit(tier: string): number | null {
  return tierOf(tier).dailyJobs;
}

export interface QuotaDemand {
  caller: Caller;
  deviceQrn: string;
}

/** Under which the groups of a user's day are counted, beside the jobs on each simulator. */
export const GROUPS_OF_DAY = "groups";

const addToUsage = addCounts("quota_usage", ["user_id", "device_qrn", "day"], ["used"]);

/** Counts jobs of today on simulators, or groups. Throws an HttpError (429) where they are more than the quota. */
export async function takeQuota(
  transaction: StoreTransaction,
  demands: readonly QuotaDemand[],
  now: number,
): Promise<void> {
  const day = dayOf(now);
  const rows = demands.map(({ caller, deviceQrn }) => ({
    ...{ user_id: caller.userId, device_qrn: deviceQrn },
    ...{ day, used: 1 },
  }));
  const tiers = new Map(demands.map(({ caller: { userId, tier } }) => [userId, tier]));
  for (const { user_id, device_qrn, used } of await addToUsage(transaction, rows)) {
    const tier = tiers.get(user_id)!;
    const limit = dailyLimit(tier);
    if (limit === null || used <= limit) continue;
    const what =
      device_qrn === GROUPS_OF_DAY
        ? `groups a day of the tier ${tier}`
        : `jobs a day that the tier ${tier} has on ${device_qrn}`;
    const message = `The ${limit} ${what} are used up. They reset at 00:00 UTC.`;
    throw retryAfter("QUOTA_EXCEEDED", message, secondsToReset(now));
  }
}

const RETRY_SECONDS = 10;

export async function countUnfinished(
  store: Store,
  userIds: readonly number[],
): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await store
    .selectFrom("jobs")
    .select(eb => ["user_id", eb.fn.countAll<number>().as("jobs")])
    .where("user_id", "in", userIds)
    .where("ended_at", "is", null)
    .groupBy("user_id")
    .execute();
  return new Map(rows.map(({ user_id, jobs }) => [user_id, jobs]));
}

/**
 * Throws an HttpError (429) for new jobs beyond the unfinished ones that their users may have. Until the transaction ends, no
 * other one adds jobs of these users.
 */
export async function requireWaitingRoom(
  transaction: StoreTransaction,
  callers: readonly Caller[],
): Promise<void> {
  const limited = callers.filter(({ budget }) => budget?.max_waiting_jobs != null);
  const ids = [...new Set(limited.map(({ userId }) => userId))].sort();
  for (const id of ids) await locksOf(transaction)?.lockName(transaction, `waiting ${id}`);
  const counts = await countUnfinished(transaction, ids);
  for (const { userId, budget } of limited) {
    const jobs = counts.get(userId) ?? 0;
    if (jobs >= budget!.max_waiting_jobs!) {
      const message = `You have ${jobs} unfinished jobs, as many as your own budget allows. Submit this one when some have ended, or cancel some.`;
      throw retryAfter("QUOTA_EXCEEDED", message, RETRY_SECONDS);
    }
    counts.set(userId, jobs + 1);
  }
}

/** Compute of a user that ended in no charge. */
interface UnchargedCompute {
  userId: number;
  milliseconds: number;
  /** Milliseconds since 1970. */
  endedAt: number;
}

const addRows = addCounts("uncharged_compute", ["user_id", "day"], ["milliseconds"]);

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

const addRuns = addCounts("run_totals", ["device_qrn", "status"], ["runs", "wait_ms", "run_us"]);

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
