import { sql } from "kysely";
import type { UsageDay } from "../../contract/account.ts";
import type { Caller, Context } from "../context.ts";
import { findDevice } from "../devices/devices.ts";
import { badField } from "../refusal.ts";

const dayLength = 86_400_000;
/** Every timezone's day begins on a quarter of an hour of UTC, so that quarters can be counted, and days summed. */
const quarter = 900_000;
const quarterOfEnd = sql<number>`ended_at / ${sql.lit(quarter)}`;
/** No timezone is further from UTC. */
const widestOffset = 15 * 3_600_000;

/** What a series is asked for. */
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
  const dateOf = dateIn(query.timezone);
  const today = dateOf(context.clock());
  const first = query.days === 0 ? undefined : shift(today, 1 - query.days);
  const since = first === undefined ? 0 : Date.parse(first) - widestOffset;
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
    const date = dateOf(Number(row.quarter) * quarter);
    counts.set(date, (counts.get(date) ?? 0) + Number(row.count));
  }
  const series: UsageDay[] = [];
  const begin = first ?? counts.keys().next().value;
  for (let date = begin; date !== undefined && date <= today; date = shift(date, 1)) {
    series.push({ date, count: counts.get(date) ?? 0 });
  }
  return series;
}

function dateIn(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return time => format.format(time);
}

function shift(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayLength).toISOString().slice(0, 10);
}
