import { InvalidArgumentError, Option } from "commander";
import { RETENTION_MS } from "../service/retention/schedule.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_MS = 36_500 * 86_400_000;

/** Reads a duration such as `30d`, `12h`, `15m` or `90s`, in milliseconds. */
export function parseDuration(text: string): number {
  const [, count = "", unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (milliseconds <= MAX_MS) return milliseconds;
  throw new InvalidArgumentError("It must be a duration such as 30d, 12h, 15m or 90s.");
}

/** The option that says how long the texts of deleted jobs are kept. */
export const retentionOption = () =>
  new Option("--retention <time>", "time after which the texts of deleted jobs are removed, such as 12h")
    .argParser(parseDuration)
    .default(RETENTION_MS, `${RETENTION_MS / UNITS.d!}d`);

/** Reads a time that is to come, as a date (`2027-01-31`, its end in UTC), a date-time, or a duration from now on. */
export function parseExpiry(text: string, now = Date.now()): number {
  if (/^\d+[smhd]$/.test(text)) return now + parseDuration(text);
  const time = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  const end = text.length === 10 ? time + UNITS.d! : time;
  if (end > now) return end;
  throw new InvalidArgumentError(
    "It must be a time to come: a date such as 2027-01-31, a date-time such as 2027-01-31T12:00:00Z, or a duration such as 30d.",
  );
}
