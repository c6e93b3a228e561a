import { calibrationSchema } from "../../contract/calibration.ts";
import { deviceSchema } from "../../contract/device.ts";
import type { Context } from "../context.ts";
import { getCalibration } from "../devices/calibration.ts";
import { getDevice, listDevices } from "../devices/devices.ts";
import { type Operation, operation, paginated, withTag } from "./operation.ts";
import { calibrationQuery, devicesQuery } from "./queries.ts";

/** The operations on devices. */
export function deviceOperations(context: Context): Operation[] {
  return withTag("Devices", [
    paginated({
      id: "listDevices",
      path: "/devices",
      summary: "Lists devices.",
      query: devicesQuery(context),
      row: deviceSchema,
      handle: ({ query }) => listDevices(context, query),
    }),
    operation({
      id: "getDeviceCalibrations",
      path: "/devices/{device_qrn}/calibrations",
      summary: "Gets the latest calibration of a device, or the latest one at a given time.",
      query: calibrationQuery,
      data: calibrationSchema,
      handle: ({ params, query }) => getCalibration(context, params.device_qrn, query.at),
    }),
    operation({
      id: "getDevice",
      path: "/devices/{device_qrn}",
      summary: "Gets a device.",
      data: deviceSchema,
      handle: ({ params }) => getDevice(context, params.device_qrn),
    }),
  ]);
}
