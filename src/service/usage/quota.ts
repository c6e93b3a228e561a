import { type Caller, type Tier, tierOf } from "../accounts/caller.ts";
import { retryAfter } from "../http-error.ts";
import { addCounts, readCount } from "../store/rows.ts";
import type { JobRow } from "../store/schema.ts";
import { locksOf, type Store, type StoreTransaction } from "../store/store.ts";

const DAY_MS = 86_400_000;

/** The number of the UTC day, from 1970 on. */
export const dayOf = (now: number) => Math.floor(now / DAY_MS);

/** Returns the time when the current day's quota resets. */
export const resetAfter = (now: number) => (dayOf(now) + 1) * DAY_MS;

/** Whole seconds until then. */
const secondsToReset = (now: number) => Math.ceil((resetAfter(now) - now) / 1000);

/** Name under which a user's groups of a day are counted, beside the jobs on each simulator. */
export const GROUPS_OF_DAY = "groups";

/** Counts a job of today on a simulator, or a group. Throws an HttpError (429) beyond the quota. */
export async function takeQuota(
  transaction: StoreTransaction,
  { userId, tier }: Caller,
  device_qrn: string,
  now: number,
): Promise<void> {
  const row = { user_id: userId, device_qrn, day: dayOf(now), used: 1 };
  const keys = ["user_id", "device_qrn", "day"] as const;
  const [counted] = await addCounts(transaction, "quota_usage", keys, [row]);
  const limit = tierOf(tier).dailyJobs;
  if (limit === null || counted!.used <= limit) return;
  const what =
    device_qrn === GROUPS_OF_DAY
      ? `groups a day of the tier ${tier}`
      : `jobs a day that the tier ${tier} has on ${device_qrn}`;
  const message = `The ${limit} ${what} are used up. They reset at 00:00 UTC.`;
  throw retryAfter("QUOTA_EXCEEDED", message, secondsToReset(now));
}

const RETRY_SECONDS = 10;

export async function countUnfinished(store: Store, userId: number): Promise<number> {
  const { jobs } = await store
    .selectFrom("jobs")
    .select(eb => eb.fn.countAll<number>().as("jobs"))
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return jobs;
}

/**
 * Throws an HttpError (429) for a new job beyond the unfinished ones that its user may have. Until the transaction ends, no
 * other one adds jobs of this user.
 */
export async function requireWaitingRoom(
  transaction: StoreTransaction,
  { userId, budget }: Caller,
): Promise<void> {
  if (budget?.max_waiting_jobs == null) return;
  await locksOf(transaction)?.lockName(transaction, `waiting ${userId}`);
  const jobs = await countUnfinished(transaction, userId);
  if (jobs < budget.max_waiting_jobs) return;
  const message = `You have ${jobs} unfinished jobs, as many as your own budget allows. Submit this one when some have ended, or cancel some.`;
  throw retryAfter("QUOTA_EXCEEDED", message, RETRY_SECONDS);
}

/** Adds compute that ended in no charge to that of a user's day. */
export async function addUncharged(
  transaction: StoreTransaction,
  user_id: number,
  milliseconds: number,
  endedAt: number,
): Promise<void> {
  if (milliseconds < 1) return;
  const row = { user_id, day: dayOf(endedAt), milliseconds: Math.ceil(milliseconds) };
  await addCounts(transaction, "uncharged_compute", ["user_id", "day"], [row]);
}

/** Returns the milliseconds of compute that may still end in no charge today. */
export async function unchargedLeft(
  store: Store,
  { userId, tier }: { userId: number; tier: Tier },
  now: number,
): Promise<number> {
  if (tier.unchargedSeconds === null) return Number.POSITIVE_INFINITY;
  const today = { user_id: userId, day: dayOf(now) };
  return tier.unchargedSeconds * 1000 - (await readCount(store, "uncharged_compute", "milliseconds", today));
}

export const unchargedUsedUp = ({ unchargedSeconds }: Tier) =>
  `The ${unchargedSeconds} s a day of compute without charge were used up by jobs that failed or were cancelled. They reset at 00:00 UTC.`;

/** Throws an HttpError (429) for a user whose share of compute without charge is used up. */
export async function requireUncharged(store: Store, caller: Caller, now: number): Promise<void> {
  const tier = tierOf(caller.tier);
  if ((await unchargedLeft(store, { userId: caller.userId, tier }, now)) <= 0)
    throw retryAfter("QUOTA_EXCEEDED", unchargedUsedUp(tier), secondsToReset(now));
}

/** Counts a job that has ended: how long it waited, and how long its programs ran. */
export async function countRun(
  transaction: StoreTransaction,
  job: Pick<JobRow, "device_qrn" | "status" | "created_at" | "started_at" | "duration_us">,
): Promise<void> {
  const { device_qrn, status, started_at, created_at, duration_us } = job;
  const wait_ms = started_at === null ? 0 : started_at - created_at;
  const row = { device_qrn, status, runs: 1, wait_ms, run_us: duration_us ?? 0 };
  await addCounts(transaction, "run_totals", ["device_qrn", "status"], [row]);
}
