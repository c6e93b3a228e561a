import { ApiError, type CallOptions, type Client, KetbookError } from "../../client/index.ts";
import type { DeviceCalibration } from "../../contract/index.ts";
import { attempted } from "../../host/attempted.ts";
import type { Host } from "../connection/host.ts";
import { readGivenCalibration } from "./calibration.ts";

const MAX_FETCHED = 366;

export type CalibrationSource = ReturnType<typeof calibrationSource>;
export type CalibrationRecords = Awaited<ReturnType<CalibrationSource["since"]>>;

const timeOf = ({ lastCalibrated }: DeviceCalibration): number => Date.parse(lastCalibrated ?? "");

/** Source of calibrations: the service, and earlier ones seen from services that have only the latest. */
export function calibrationSource(client: Client, host: Host) {
  const kept = keptCalibrations(host);
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
    /** Finds the calibration that was the latest at a time in milliseconds since 1970. */
    async at(qrn: string, time: number, options?: CallOptions): Promise<DeviceCalibration> {
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
    /**
     * Finds the calibrations since a time, the oldest first; `isKept` for only those that the library has seen, because the service
     * has no older ones.
     */
    async since(qrn: string, time: number, options?: CallOptions) {
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

const MAX_KEPT = 400;

/** Calibrations that were seen of devices whose service has only the latest, in the data folder. */
function keptCalibrations(host: Host) {
  const folderOf = (qrn: string) =>
    `calibrations/${qrn.replace(/[^\w.-]/g, character => `%${character.charCodeAt(0).toString(16)}`)}`;
  const namesOf = (qrn: string) =>
    host
      .listData(folderOf(qrn))
      .filter(name => /^\d{1,16}\.json$/.test(name))
      .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return {
    /** Keeps a calibration, unless it is kept already or has no time. Does nothing where the folder cannot be written. */
    keep(calibration: DeviceCalibration): void {
      const time = timeOf(calibration);
      if (!(time >= 0)) return;
      const folder = folderOf(calibration.deviceQrn);
      const names = namesOf(calibration.deviceQrn);
      const name = `${time}.json`;
      if (names.includes(name)) return;
      if (!host.writeData(`${folder}/${name}`, JSON.stringify(calibration))) return;
      for (const old of names.slice(0, Math.max(0, names.length + 1 - MAX_KEPT)))
        host.removeData(`${folder}/${old}`);
    },
    /** Returns the kept calibrations of a device, the oldest first; those that cannot be read are left out. */
    of: (qrn: string): DeviceCalibration[] =>
      namesOf(qrn).flatMap(
        name =>
          attempted(() =>
            readGivenCalibration(JSON.parse(host.readData(`${folderOf(qrn)}/${name}`)!.text)),
          ) ?? [],
      ),
  };
}
