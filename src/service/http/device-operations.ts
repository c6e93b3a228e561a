import { calibrationSchema } from "../../contract/calibration.ts";
import { deviceSchema } from "../../contract/device.ts";
import type { Context } from "../context.ts";
import { getCalibration } from "../devices/calibration.ts";
import { getDevice, listDevices } from "../devices/devices.ts";
import { listing, type Operation, operation } from "./operation.ts";
import { devicesQuery } from "./queries.ts";

const tag = "Devices";

/** The operations on devices. */
export function deviceOperations(context: Context): Operation[] {
  return [
    listing({
      id: "listDevices",
      method: "get",
      path: "/devices",
      tag,
      summary: "Lists devices.",
      query: devicesQuery,
      row: deviceSchema,
      errors: ["VALIDATION_ERROR"],
      handle: ({ query }) => listDevices(context, query),
    }),
    operation({
      id: "getDeviceCalibrations",
      method: "get",
      path: "/devices/{device_qrn}/calibrations",
      tag,
      summary: "Gets the latest calibration of a device.",
      data: calibrationSchema,
      errors: ["VALIDATION_ERROR", "NOT_FOUND"],
      handle: ({ params }) => getCalibration(context, params.device_qrn ?? ""),
    }),
    operation({
      id: "getDevice",
      method: "get",
      path: "/devices/{device_qrn}",
      tag,
      summary: "Gets a device.",
      data: deviceSchema,
      errors: ["NOT_FOUND"],
      handle: ({ params }) => getDevice(context, params.device_qrn ?? ""),
    }),
  ];
}
