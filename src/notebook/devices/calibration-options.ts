import { KetbookError } from "../../client/errors.ts";
import type { CallOptions } from "../../client/options.ts";

/** Options of a call for a calibration. */
export interface CalibrationOptions extends CallOptions {
  /** The calibration that was the latest at this time: a date, or text in ISO 8601. Default: now. */
  at?: Date | string;
}

/** Options of a call for the calibrations of a device. */
export interface CalibrationHistoryOptions extends CallOptions {
  /** The time that the calibrations begin at: a date, or text in ISO 8601. Default: 30 days ago. */
  since?: Date | string;
}

/** Returns the milliseconds since 1970 of a time that a person gave. Throws a KetbookError that names the option. */
export function timeOf(option: string, time: Date | string): number {
  const found =
    time instanceof Date ? time.getTime() : typeof time === "string" ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(found))
    throw new KetbookError(`${option} must be a date, such as new Date() or "2026-11-22T12:00:00Z".`);
  return found;
}
