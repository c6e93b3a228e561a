import type { Caller } from "../accounts/caller.ts";
import { tierOf } from "../accounts/tiers.ts";
import { HttpError } from "../http-error.ts";
import { prepareRows } from "../store/prepared.ts";
import type { Database } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";

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

/** A new job on a simulator. */
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
    const headers = { "Retry-After": String(secondsToReset(now)) };
    for (const demand of members.slice(-over))
      refused.set(demand, new HttpError("QUOTA_EXCEEDED", message, { headers }));
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

const addToUsage = prepareRows((store, rows: Database["quota_usage"][]) =>
  store
    .insertInto("quota_usage")
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(["user_id", "device_qrn", "day"])
        .doUpdateSet(eb => ({ used: eb("quota_usage.used", "+", eb.ref("excluded.used")) })),
    )
    .returning(["user_id", "device_qrn", "used"]),
);

/** Counts jobs up or down. Returns those of each user and simulator, and how many that has used of the day. */
async function count<Demand extends QuotaDemand>(
  transaction: StoreTransaction,
  demands: readonly Demand[],
  sign: 1 | -1,
  now: number,
): Promise<{ used: number; members: Demand[] }[]> {
  const day = dayOf(now);
  const nameOf = (userId: number, deviceQrn: string) => `${String(userId).padStart(16, "0")} ${deviceQrn}`;
  const groups = Map.groupBy(demands, ({ caller, deviceQrn }) => nameOf(caller.userId, deviceQrn));
  /** Rows are locked in one order, so that transactions never wait for each other in a circle. */
  const rows = [...groups.keys()].sort().map(name => {
    const { caller, deviceQrn } = groups.get(name)![0]!;
    return { user_id: caller.userId, device_qrn: deviceQrn, day, used: sign * groups.get(name)!.length };
  });
  const counted = await addToUsage(transaction, rows);
  return counted.map(({ user_id, device_qrn, used }) => ({
    used,
    members: groups.get(nameOf(user_id, device_qrn))!,
  }));
}
