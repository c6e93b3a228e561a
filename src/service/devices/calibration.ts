import type { DeviceCalibration } from "../../contract/calibration.ts";
import { parseDeviceQrn } from "../../contract/qrn.ts";
import { readCalibration } from "../catalogue/calibrations.ts";
import type { Context } from "../context.ts";
import { badField, HttpError } from "../http-error.ts";
import { findDevice } from "./devices.ts";

/**
 * Gets the latest calibration of a device, or the one that was the latest at a time; throws an HttpError (404)
 * when there is none. Calibrations begin with the device.
 */
export async function getCalibration(context: Context, qrn: string, at?: string): Promise<DeviceCalibration> {
  if (!parseDeviceQrn(qrn))
    throw badField("device_qrn", "must have the form <vendor>:<provider>:<type>:<name>");
  const device = findDevice(context, qrn);
  const now = context.clock();
  const time = at === undefined ? now : Math.min(Date.parse(at), now);
  const calibration = time < Date.parse(device.createdAt) ? undefined : await readCalibration(device, time);
  if (!calibration) {
    const when = at === undefined ? "" : ` of ${at} or before`;
    throw new HttpError("NOT_FOUND", `There are no calibration data${when} for ${qrn}.`);
  }
  return { ...calibration, provider: device.provider };
}
