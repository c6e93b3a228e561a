import { calibrationSchema, type DeviceCalibration } from "../contract/calibration.ts";
import { type DeviceQuery, deviceSchema, type RuntimeDevice } from "../contract/device.ts";
import { listOperation, type Pages } from "./pages.ts";
import { readerOf } from "./reader.ts";
import { type CallOptions, payload, type Transport } from "./transport.ts";

const device = readerOf(deviceSchema);
const calibration = readerOf(calibrationSchema);

/** The device operations of the service. */
export interface DevicesClient {
  get(qrn: string, options?: CallOptions): Promise<RuntimeDevice>;
  list(query?: DeviceQuery, options?: CallOptions): Pages<RuntimeDevice>;
  /** The latest calibration of a device. */
  calibrations(qrn: string, options?: CallOptions): Promise<DeviceCalibration>;
}

/** Opens the device operations over a transport. */
export function devicesClient(send: Transport): DevicesClient {
  const ask = payload(send);
  const at = (qrn: string, rest = "") => `/devices/${encodeURIComponent(qrn)}${rest}`;
  return {
    get: (qrn, options) => ask("GET", at(qrn), device, options),
    list: listOperation(send, "/devices", device),
    calibrations: (qrn, options) => ask("GET", at(qrn, "/calibrations"), calibration, options),
  };
}
