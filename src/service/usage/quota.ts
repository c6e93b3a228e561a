import type { Caller } from "../accounts/caller.ts";
import { tierOf } from "../accounts/tiers.ts";
import { HttpError } from "../http-error.ts";
import type { StoreTransaction } from "../store/store.ts";

const DAY_MS = 86_400_000;

/** The number of the UTC day, from 1970 on. */
export const dayOf = (now: number) => Math.floor(now / DAY_MS);

/** When the quota of this moment's day starts anew. */
export const resetAfter = (now: number) => (dayOf(now) + 1) * DAY_MS;

/** Whole seconds until then. */
export const secondsToReset = (now: number) => Math.ceil((resetAfter(now) - now) / 1000);

/** Jobs a day and simulator that the tier allows; null: no limit. */
export function dailyLimit(tier: string): number | null {
  return tierOf(tier).dailyJobs;
}

/** Counts one more job of today on a simulator; throws an HttpError (429) when the quota is used up. */
export async function takeQuota(
  transaction: StoreTransaction,
  caller: Caller,
  deviceQrn: string,
  now: number,
): Promise<void> {
  const limit = dailyLimit(caller.tier);
  const taken = await transaction
    .insertInto("quota_usage")
    .values({ user_id: caller.userId, device_qrn: deviceQrn, day: dayOf(now), used: 1 })
    .onConflict(conflict => {
      const counted = conflict
        .columns(["user_id", "device_qrn", "day"])
        .doUpdateSet(eb => ({ used: eb("quota_usage.used", "+", 1) }));
      return limit === null ? counted : counted.where("quota_usage.used", "<", limit);
    })
    .returning("used")
    .executeTakeFirst();
  if (taken) return;
  throw new HttpError(
    "QUOTA_EXCEEDED",
    `The ${limit} jobs a day that the tier ${caller.tier} has on ${deviceQrn} are used up. They start anew at 00:00 UTC.`,
    { headers: { "Retry-After": String(secondsToReset(now)) } },
  );
}
