import { succeeds } from "../host/attempted.ts";

const DAY_MS = 86_400_000;
/** In every time zone days begin on a quarter of an hour of UTC, in milliseconds. */
export const QUARTER_MS = 900_000;
/** No time zone is further from UTC. */
const MAX_OFFSET_MS = 15 * 3_600_000;

export type Calendar = ReturnType<typeof calendar>;

/** Opens the calendar of a time zone, by its IANA name: its days are `YYYY-MM-DD`. Throws a `RangeError` when there is none of that name. */
export function calendar(timeZone: string) {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const dayOf = (moment: number) => format.format(moment);
  return {
    /** The day of a moment, given in milliseconds since 1970. */
    dayOf,
    startOf(day: string): number {
      const earliest = Date.parse(day) - MAX_OFFSET_MS;
      let [low, high] = [0, (2 * MAX_OFFSET_MS) / QUARTER_MS];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (dayOf(earliest + middle * QUARTER_MS) < day) low = middle + 1;
        else high = middle;
      }
      return earliest + low * QUARTER_MS;
    },
  };
}

export const isTimeZone = (name: unknown): name is string =>
  typeof name === "string" && succeeds(() => new Intl.DateTimeFormat("en", { timeZone: name }));

/** The day a number of days after another. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = shiftDay(day, 1)) days.push(day);
  return days;
}
