import type { DeviceCalibration } from "../../contract/calibration.ts";
import { parseDeviceQrn } from "../../contract/qrn.ts";
import { readCalibration } from "../catalogue/calibrations.ts";
import type { Context } from "../context.ts";
import { badField, HttpError } from "../http-error.ts";
import { findDevice } from "./devices.ts";

/** Gets the latest calibration of a device; refuses with 404 when there is none. */
export async function getCalibration(context: Context, qrn: string): Promise<DeviceCalibration> {
  if (!parseDeviceQrn(qrn))
    throw badField("device_qrn", "must have the form <vendor>:<provider>:<type>:<name>");
  const calibration = await readCalibration(findDevice(context, qrn).qrn);
  if (!calibration) throw new HttpError("NOT_FOUND", `There are no calibration data for ${qrn}.`);
  return calibration;
}
