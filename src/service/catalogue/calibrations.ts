import { calibrationSchema, type DeviceCalibration } from "../../contract/calibration.ts";

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

/** Reads the latest calibration of a device; `undefined` when there is none. */
export async function readCalibration(deviceQrn: string): Promise<DeviceCalibration | undefined> {
  const file = hasCalibration(deviceQrn) ? files[deviceQrn] : undefined;
  return file && calibrationSchema.parse((await file()).default);
}
