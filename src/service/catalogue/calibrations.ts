import { calibrationSchema, type DeviceCalibration } from "../../contract/calibration.ts";
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

/** The calibration that was read last of each device, with its day. */
const latest = new Map<string, { day: number; calibration: DeviceCalibration }>();

/**
 * Reads the calibration of a device that was the latest at a time, in milliseconds since 1970: the snapshot, as it has
 * drifted since. There is a new one each day. Returns `undefined` when there is none of the device.
 */
export async function readCalibration(
  deviceQrn: string,
  time: number,
): Promise<DeviceCalibration | undefined> {
  const day = calibrationDay(time);
  const known = latest.get(deviceQrn);
  if (known?.day === day) return known.calibration;
  const snapshot = await readSnapshot(deviceQrn);
  if (!snapshot) return undefined;
  const calibration = driftedCalibration(snapshot, day);
  latest.set(deviceQrn, { day, calibration });
  return calibration;
}
