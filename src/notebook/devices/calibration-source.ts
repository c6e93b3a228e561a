import type { Client } from "../../client/client.ts";
import { ApiError, KetbookError } from "../../client/errors.ts";
import type { CallOptions } from "../../client/options.ts";
import type { DeviceCalibration } from "../../contract/calibration.ts";
import type { KeptCalibrations } from "./kept-calibrations.ts";

/** The calibrations of a history that are fetched at most. */
const MAX_FETCHED = 366;

/** Calibrations of a device since a time, the oldest first. */
export interface CalibrationRecords {
  readonly records: readonly DeviceCalibration[];
  /** Whether these are those alone that the library has seen, as the service has no older ones. */
  readonly isKept: boolean;
}

/** Source of calibrations: the service, and earlier ones seen from services that have only the latest. */
export interface CalibrationSource {
  /** Asks for the latest calibration of a device, and keeps it. */
  latest(qrn: string, options?: CallOptions): Promise<DeviceCalibration>;
  /** Finds the calibration that was the latest at a time in milliseconds since 1970. */
  at(qrn: string, time: number, options?: CallOptions): Promise<DeviceCalibration>;
  /** Finds the calibrations since a time in milliseconds since 1970. */
  since(qrn: string, time: number, options?: CallOptions): Promise<CalibrationRecords>;
}

const timeOf = ({ lastCalibrated }: DeviceCalibration): number => Date.parse(lastCalibrated ?? "");

/** Makes the source of calibrations of a client. */
export function calibrationSource(client: Client, kept: KeptCalibrations): CalibrationSource {
  const latest = async (qrn: string, options?: CallOptions): Promise<DeviceCalibration> => {
    const calibration = await client.devices.calibrations(qrn, options);
    if (calibration.provider !== "emulated") kept.keep(calibration);
    return calibration;
  };

  /** Asks the service for the calibration that was the latest at a time; undefined where it has none that old. */
  async function olderOf(
    qrn: string,
    time: number,
    options?: CallOptions,
  ): Promise<DeviceCalibration | undefined> {
    const at = new Date(time).toISOString();
    try {
      const found = await client.devices.calibrations(qrn, { ...options, at });
      return timeOf(found) <= time ? found : undefined;
    } catch (error) {
      if (error instanceof ApiError && [400, 404].includes(error.status)) return undefined;
      throw error;
    }
  }

  return {
    latest,
    async at(qrn, time, options) {
      const newest = await latest(qrn, options);
      if (!(timeOf(newest) > time)) return newest;
      const seen = kept.of(qrn);
      const found =
        (await olderOf(qrn, time, options)) ?? seen.filter(record => timeOf(record) <= time).at(-1);
      if (found) return found;
      const since = seen[0]?.lastCalibrated ?? newest.lastCalibrated;
      throw new KetbookError(
        `${qrn} has no calibration from ${new Date(time).toISOString()} or earlier. Its first one is from ${since}.`,
      );
    },
    async since(qrn, time, options) {
      const newest = await latest(qrn, options);
      const records = [newest];
      for (let last = newest; records.length < MAX_FETCHED && timeOf(last) > time; ) {
        const older = await olderOf(qrn, timeOf(last) - 1, options);
        if (!older || timeOf(older) < time) break;
        records.unshift(older);
        last = older;
      }
      const seen = records.length > 1 ? [] : kept.of(qrn).filter(record => timeOf(record) >= time);
      return { records: seen.length > 1 ? seen : records, isKept: newest.provider !== "emulated" };
    },
  };
}
