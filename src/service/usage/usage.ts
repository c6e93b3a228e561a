import { sql } from "kysely";
import {
  calendar,
  daysBetween,
  OWN_VENDOR,
  QUARTER_MS,
  type SimulatorUsage,
  shiftDay,
  type UsageDay,
  type UserBudget,
} from "../../contract/index.ts";
import { type Caller, tierOf } from "../accounts/caller.ts";
import { awsAccountOf, balanceOf, payerOf } from "../billing/ledger.ts";
import { toCredits } from "../billing/price.ts";
import type { Context } from "../context.ts";
import { findDevice } from "../devices.ts";
import { badField, HttpError } from "../http-error.ts";
import { toTime } from "../jobs/record.ts";
import type { Store } from "../store/store.ts";
import { countUnfinished, dayOf, resetAfter } from "./quota.ts";
import { bytesOfUser } from "./storage.ts";

/** Returns how much of each simulator's daily quota the caller has used. */
export async function readUsage(context: Context, caller: Caller): Promise<SimulatorUsage[]> {
  const now = context.clock();
  const rows = await context.store
    .selectFrom("quota_usage")
    .select(["device_qrn", "used"])
    .where("user_id", "=", caller.userId)
    .where("day", "=", dayOf(now))
    .execute();
  const limit = tierOf(caller.tier).dailyJobs;
  return [...context.catalogue.values()]
    .filter(device => device.deviceType === "SIMULATOR" && device.status !== "RETIRED")
    .map(({ qrn }) => {
      const used = rows.find(row => row.device_qrn === qrn)?.used ?? 0;
      return {
        deviceQrn: qrn,
        tier: caller.tier,
        dailyLimit: limit,
        used,
        remaining: limit === null ? null : Math.max(0, limit - used),
        resetsAt: toTime(resetAfter(now)),
      };
    });
}

/** Reads what a caller may spend, and the caller's own budget, if there is one; the service's own credits go under the name of its vendor code. */
export async function readBalance(
  { store, vendor = OWN_VENDOR }: { store: Store; vendor?: string | undefined },
  caller: Caller,
) {
  const { organizationId } = caller;
  const organization = await store
    .selectFrom("organizations")
    .select("auto_recharge")
    .where("id", "=", organizationId)
    .executeTakeFirst();
  if (!organization) throw new HttpError("NOT_FOUND", "The key's organization is no longer there.");
  return {
    organizationId,
    [`${vendor}Credits`]: toCredits(await balanceOf(store, payerOf(caller))),
    awsCredits: toCredits(await balanceOf(store, awsAccountOf(organizationId))),
    autoRecharge: organization.auto_recharge !== 0,
    ...(await readBudget(store, caller)),
  };
}

/** Reads a caller's own budget, and how much of it is used. */
async function readBudget(store: Store, { userId, budget }: Caller): Promise<{ budget?: UserBudget }> {
  const { own_credits = 0, max_stored_bytes = null, max_waiting_jobs = null } = budget ?? {};
  if (own_credits === 0 && max_stored_bytes === null && max_waiting_jobs === null) return {};
  return {
    budget: {
      ownCredits: own_credits !== 0,
      storedBytes: await bytesOfUser(store, userId),
      maxStoredBytes: max_stored_bytes,
      waitingJobs: await countUnfinished(store, userId),
      maxWaitingJobs: max_waiting_jobs,
    },
  };
}

/** Days begin on quarters, so quarters can be counted, and days summed. */
const quarterOfEnd = sql<number>`ended_at / ${sql.lit(QUARTER_MS)}`;

interface SeriesQuery {
  deviceQrn: string;
  /** Days, today included; 0: from the first job on. */
  days: number;
  timezone: string;
}

/** Counts the caller's jobs on a simulator that completed on each day, as days go in the timezone. */
export async function readSeries(context: Context, caller: Caller, query: SeriesQuery): Promise<UsageDay[]> {
  const device = findDevice(context, query.deviceQrn);
  if (device.deviceType !== "SIMULATOR") throw badField("deviceQrn", "must be that of a simulator");
  const { dayOf, startOf } = calendar(query.timezone);
  const today = dayOf(context.clock());
  const first = query.days === 0 ? undefined : shiftDay(today, 1 - query.days);
  const since = first === undefined ? 0 : startOf(first);
  const rows = await context.store
    .selectFrom("jobs")
    .where("user_id", "=", caller.userId)
    .where("device_qrn", "=", device.qrn)
    .where("status", "=", "COMPLETED")
    .where("ended_at", ">=", since)
    .groupBy(quarterOfEnd)
    .orderBy(quarterOfEnd)
    .select(eb => [quarterOfEnd.as("quarter"), eb.fn.countAll<number>().as("count")])
    .execute();
  const counts = new Map<string, number>();
  for (const row of rows) {
    const date = dayOf(row.quarter * QUARTER_MS);
    counts.set(date, (counts.get(date) ?? 0) + row.count);
  }
  const begin = first ?? counts.keys().next().value;
  const days = begin === undefined ? [] : daysBetween(begin, today);
  return days.map(date => ({ date, count: counts.get(date) ?? 0 }));
}
