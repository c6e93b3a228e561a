import type { DeviceFilter } from "../contract/device.ts";
import { currentClient } from "./connection.ts";
import { Device, DeviceList } from "./device.ts";
import { Query, type QueryKind } from "./query.ts";

/** A question for devices, such as `devices().filter({ deviceType: "QPU" }).sortBy("numberQubits", "desc")`. */
export class Devices extends Query<Device, DeviceFilter, DeviceList> {
  /** Asks for devices with a word in their name or description. */
  search(word: string): this {
    return this.filter({ search: word });
  }

  /** Orders the devices. */
  sortBy(field: NonNullable<DeviceFilter["sortBy"]>, order: "asc" | "desc" = "asc"): this {
    return this.filter({ sortBy: field, sortOrder: order });
  }

  /** The device with the fewest waiting jobs of those that take jobs now; `undefined` when there is none. */
  async leastBusy(): Promise<Device | undefined> {
    const online = await this.filter({ status: "ONLINE" });
    const waiting = (device: Device) => device.queueDepth ?? 0;
    return online.reduce<Device | undefined>(
      (best, device) => (best && waiting(best) <= waiting(device) ? best : device),
      undefined,
    );
  }
}

const kind: QueryKind<Device, DeviceFilter, DeviceList> = {
  what: "Devices",
  defaultLimit: Number.POSITIVE_INFINITY,
  async *rows(fields, limit) {
    const client = await currentClient();
    for await (const record of client.devices.list({ ...fields, limit })) yield new Device(record);
  },
  list: rows => DeviceList.from(rows) as DeviceList,
};

/** Asks for the devices of the service. Retired ones are left out unless `filter({ retired: true })` asks for them. */
export function devices(): Devices {
  return new Devices(kind, { fields: { retired: false }, tests: [] });
}
