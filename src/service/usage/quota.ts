import { type Caller, tierOf } from "../accounts/caller.ts";
import { type HttpError, retryAfter } from "../http-error.ts";
import { prepareCounts } from "../store/prepared.ts";
import type { Store, StoreTransaction } from "../store/store.ts";

const DAY_MS = 86_400_000;

/** The number of the UTC day, from 1970 on. */
export const dayOf = (now: number) => Math.floor(now / DAY_MS);

/** Returns the time when the current day's quota resets. */
export const resetAfter = (now: number) => (dayOf(now) + 1) * DAY_MS;

/** Whole seconds until then. */
export const secondsToReset = (now: number) => Math.ceil((resetAfter(now) - now) / 1000);

/** Jobs a day and simulator that the tier allows; null: no limit. */
export function dailyLimit(tier: string): number | null {
  return tierOf(tier).dailyJobs;
}

export interface QuotaDemand {
  caller: Caller;
  deviceQrn: string;
}

/**
 * Counts jobs of today on simulators. Returns HttpErrors (429) for those that are more than the quota, which count
 * nothing.
 */
export async function takeQuota<Demand extends QuotaDemand>(
  transaction: StoreTransaction,
  demands: readonly Demand[],
  now: number,
): Promise<Map<Demand, HttpError>> {
  const refused = new Map<Demand, HttpError>();
  for (const { used, members } of await count(transaction, demands, 1, now)) {
    const { caller, deviceQrn } = members[0]!;
    const limit = dailyLimit(caller.tier);
    const over = limit === null ? 0 : Math.min(members.length, used - limit);
    if (over <= 0) continue;
    const message = `The ${limit} jobs a day that the tier ${caller.tier} has on ${deviceQrn} are used up. They reset at 00:00 UTC.`;
    for (const demand of members.slice(-over))
      refused.set(demand, retryAfter("QUOTA_EXCEEDED", message, secondsToReset(now)));
  }
  await giveBackQuota(transaction, [...refused.keys()], now);
  return refused;
}

/** Takes back the count of jobs that are not made. */
export async function giveBackQuota(
  transaction: StoreTransaction,
  demands: readonly QuotaDemand[],
  now: number,
): Promise<void> {
  await count(transaction, demands, -1, now);
}

const addToUsage = prepareCounts("quota_usage", ["user_id", "device_qrn", "day"], ["used"]);

/** Counts jobs up or down. Returns those of each user and simulator, and how many that has used of the day. */
async function count<Demand extends QuotaDemand>(
  transaction: StoreTransaction,
  demands: readonly Demand[],
  sign: 1 | -1,
  now: number,
): Promise<{ used: number; members: Demand[] }[]> {
  const rowOf = ({ caller, deviceQrn }: QuotaDemand) => ({ user_id: caller.userId, device_qrn: deviceQrn });
  const nameOf = ({ user_id, device_qrn }: ReturnType<typeof rowOf>) => `${user_id} ${device_qrn}`;
  const members = Map.groupBy(demands, demand => nameOf(rowOf(demand)));
  const day = dayOf(now);
  const counted = await addToUsage(
    transaction,
    demands.map(demand => ({ ...rowOf(demand), day, used: sign })),
  );
  return counted.map(row => ({ used: row.used, members: members.get(nameOf(row))! }));
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
 * Returns HttpErrors (429) for new jobs beyond the unfinished ones that their users may have. The organizations' storage
 * has to be locked before, which keeps other submissions of the user out.
 */
export async function refuseWaiting<Demand extends { caller: Caller }>(
  transaction: StoreTransaction,
  demands: readonly Demand[],
): Promise<Map<Demand, HttpError>> {
  const refused = new Map<Demand, HttpError>();
  const limited = demands.filter(({ caller }) => caller.budget?.max_waiting_jobs != null);
  const counts = await countUnfinished(
    transaction,
    limited.map(({ caller }) => caller.userId),
  );
  for (const demand of limited) {
    const { userId, budget } = demand.caller;
    const limit = budget!.max_waiting_jobs!;
    const jobs = (counts.get(userId) ?? 0) + 1;
    if (jobs <= limit) counts.set(userId, jobs);
    else {
      const message = `You have ${jobs - 1} unfinished jobs, as many as your own budget allows. Submit this one when some have ended, or cancel some.`;
      refused.set(demand, retryAfter("QUOTA_EXCEEDED", message, RETRY_SECONDS));
    }
  }
  return refused;
}
