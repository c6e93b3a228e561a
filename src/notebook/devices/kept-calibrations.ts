import type { DeviceCalibration } from "../../contract/calibration.ts";
import type { Host } from "../connection/host.ts";
import { readGivenCalibration } from "./given-calibration.ts";

/** Calibrations of a device that are kept at most; the oldest are dropped. */
const MAX_KEPT = 400;

/** Calibrations that were seen of devices whose service has the latest alone, in the data folder. */
export interface KeptCalibrations {
  /** Keeps a calibration, unless it is kept already or has no time. Does nothing where the folder cannot be written. */
  keep(calibration: DeviceCalibration): void;
  /** Returns the kept calibrations of a device, the oldest first; those that cannot be read are left out. */
  of(deviceQrn: string): DeviceCalibration[];
}

/** Opens the kept calibrations of a data folder. */
export function keptCalibrations(host: Host): KeptCalibrations {
  const folderOf = (qrn: string) =>
    `calibrations/${qrn.replace(/[^\w.-]/g, character => `%${character.charCodeAt(0).toString(16)}`)}`;
  const namesOf = (qrn: string) =>
    host
      .listData(folderOf(qrn))
      .filter(name => /^\d{1,16}\.json$/.test(name))
      .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return {
    keep(calibration) {
      const time = Date.parse(calibration.lastCalibrated ?? "");
      if (!(time >= 0)) return;
      const folder = folderOf(calibration.deviceQrn);
      const names = namesOf(calibration.deviceQrn);
      const name = `${time}.json`;
      if (names.includes(name)) return;
      if (!host.writeData(`${folder}/${name}`, JSON.stringify(calibration))) return;
      for (const old of names.slice(0, Math.max(0, names.length + 1 - MAX_KEPT)))
        host.removeData(`${folder}/${old}`);
    },
    of: qrn =>
      namesOf(qrn).flatMap(name => {
        try {
          return [readGivenCalibration(JSON.parse(host.readData(`${folderOf(qrn)}/${name}`)!.text))];
        } catch {
          return [];
        }
      }),
  };
}
