import { KetbookError } from "../../client/errors.ts";

/** Returns the milliseconds since 1970 of a time that a person gave. Throws a KetbookError that names the option. */
export function timeOf(option: string, time: Date | string): number {
  const found =
    time instanceof Date ? time.getTime() : typeof time === "string" ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(found))
    throw new KetbookError(`${option} must be a date, such as new Date() or "2026-11-22T12:00:00Z".`);
  return found;
}
