import { calibrationSchema, type DeviceCalibration } from "../../contract/calibration.ts";
import type { CatalogueDevice } from "./catalogue.ts";
import { calibrationDay, driftedCalibration } from "./drifted-calibration.ts";

/** Calibrations of the standard catalogue's devices, each read from its file when it is first asked for. */
const files: Readonly<Record<string, () => Promise<{ default: unknown }>>> = {
  "ibm:emulated:qpu:perth": () => import("./calibrations/perth.json", { with: { type: "json" } }),
  "ibm:emulated:qpu:auckland": () => import("./calibrations/auckland.json", { with: { type: "json" } }),
  "ibm:emulated:qpu:brisbane": () => import("./calibrations/brisbane.json", { with: { type: "json" } }),
  "aws:emulated:qpu:garnet": () => import("./calibrations/garnet.json", { with: { type: "json" } }),
  "ionq:emulated:qpu:forte": () => import("./calibrations/forte.json", { with: { type: "json" } }),
};

/** Whether there is a calibration of a device. */
export function hasCalibration(deviceQrn: string): boolean {
  return Object.hasOwn(files, deviceQrn);
}

/** Reads the snapshot of a device, as its maker published it; `undefined` when there is none. */
export async function readSnapshot(deviceQrn: string): Promise<DeviceCalibration | undefined> {
  const file = hasCalibration(deviceQrn) ? files[deviceQrn] : undefined;
  return file && calibrationSchema.parse((await file()).default);
}

/** A device by its name, with the calibration of its own that it may have. */
export type Calibrated = Pick<CatalogueDevice, "qrn"> &
  Partial<Pick<CatalogueDevice, "calibration" | "drift">>;

/** The calibration that was read last of each device, with its day and what it has drifted from. */
const latest = new Map<
  string,
  { day: number; own: DeviceCalibration | undefined; calibration: DeviceCalibration }
>();

/**
 * Reads the calibration of a device that was the latest at a time, in milliseconds since 1970: the snapshot, as it has
 * drifted since. There is a new one each day, unless the device has one of its own that does not drift. Returns
 * `undefined` when there is none of the device.
 */
export async function readCalibration(
  { qrn, calibration: own, drift = true }: Calibrated,
  time: number,
): Promise<DeviceCalibration | undefined> {
  if (own && !drift) return own;
  const day = calibrationDay(time);
  const known = latest.get(qrn);
  if (known?.day === day && known.own === own) return known.calibration;
  const snapshot = own ?? (await readSnapshot(qrn));
  if (!snapshot) return undefined;
  const calibration = driftedCalibration(snapshot, day);
  latest.set(qrn, { day, own, calibration });
  return calibration;
}
