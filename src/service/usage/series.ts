import { sql } from "kysely";
import type { UsageDay } from "../../contract/account.ts";
import { calendar, daysBetween, QUARTER_MS, shiftDay } from "../../contract/calendar.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { findDevice } from "../devices/devices.ts";
import { badField } from "../http-error.ts";

/** Days begin on quarters, so that quarters can be counted, and days summed. */
const quarterOfEnd = sql<number>`ended_at / ${sql.lit(QUARTER_MS)}`;

/** Parameters of a series. */
export interface SeriesQuery {
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
