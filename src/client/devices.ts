import type { DeviceCalibration, DeviceQuery, RuntimeDevice } from "../contract/index.ts";
import type { CallOptions } from "./options.ts";
import { listOperation, type Pages } from "./pages.ts";
import { calibrationReader, readDevice } from "./records.ts";
import { dataFetcher, type Transport } from "./transport.ts";

/** Options of a call for a calibration. */
export interface CalibrationCallOptions extends CallOptions {
  /** A time, as ISO 8601. Default: now. */
  at?: string;
}

/** The device operations of the service. */
export interface DevicesClient {
  /** One device, by its resource name. */
  get(qrn: string, options?: CallOptions): Promise<RuntimeDevice>;
  /** Lists devices. */
  list(query?: DeviceQuery, options?: CallOptions): Pages<RuntimeDevice>;
  /**
   * The latest calibration of a device. With `at`, a time as ISO 8601, the one that was the latest then: an extension
   * of the embedded service, which others ignore.
   */
  calibrations(qrn: string, options?: CalibrationCallOptions): Promise<DeviceCalibration>;
}

export function devicesClient(send: Transport): DevicesClient {
  const fetchData = dataFetcher(send);
  const at = (qrn: string) => `/devices/${encodeURIComponent(qrn)}` as const;
  return {
    get: (qrn, options) => fetchData(`GET ${at(qrn)}`, readDevice, options),
    list: listOperation(send, "/devices", readDevice, ({ qrn }) => qrn),
    calibrations: (qrn, { at: time, ...options } = {}) =>
      fetchData(`GET ${at(qrn)}/calibrations`, calibrationReader(qrn), options, {
        ...(time !== undefined && { query: { at: time } }),
      }),
  };
}
