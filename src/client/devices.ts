import { type DeviceQuery, deviceOf, type RuntimeDevice } from "../contract/device.ts";
import { tolerant } from "../contract/kit.ts";
import { type Page, pageReader } from "./page.ts";
import type { CallOptions, Transport } from "./transport.ts";

const device = deviceOf(tolerant);
const page = pageReader(device);

/** The device operations of the service. */
export interface DevicesClient {
  get(qrn: string, options?: CallOptions): Promise<RuntimeDevice>;
  list(query?: DeviceQuery, options?: CallOptions): Promise<Page<RuntimeDevice>>;
}

/** Opens the device operations over a transport. */
export function devicesClient(send: Transport): DevicesClient {
  return {
    get: async (qrn, options) =>
      (await send({ method: "GET", path: `/devices/${encodeURIComponent(qrn)}`, data: device }, options))
        .data,
    list: async (query = {}, options) =>
      page(await send({ method: "GET", path: "/devices", query, data: page.rows }, options)),
  };
}
