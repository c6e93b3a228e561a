import type { CallOptions } from "../../client/index.ts";
import {
  type DeviceFilter,
  flag,
  oneOf,
  type RuntimeDevice,
  stringValue,
  wholeNumber,
} from "../../contract/index.ts";
import type { Session } from "../session.ts";
import { checkHelperOptions } from "../values/options.ts";
import { Query, type QueryDefinition } from "../values/query.ts";
import { Device, DeviceList } from "./device.ts";

/** Filters and order of a device list. */
export interface DevicesFilter extends DeviceFilter {
  /** Devices with this number of qubits. */
  numberQubits?: number;
  /** Devices with at least this number of qubits. */
  minQubits?: number;
}

const kind: QueryDefinition<Device, DevicesFilter, DeviceList> = {
  what: "Devices",
  fields: {
    qrn: stringValue,
    vendor: stringValue,
    providerId: stringValue,
    deviceType: stringValue,
    status: stringValue,
    retired: flag,
    private: flag,
    verified: flag,
    directAccess: flag,
    search: stringValue,
    sortBy: oneOf("name", "vendor", "deviceType", "status", "numberQubits", "createdAt", "updatedAt"),
    sortOrder: oneOf("asc", "desc"),
    numberQubits: wholeNumber(0),
    minQubits: wholeNumber(0),
  },
  defaultLimit: Number.POSITIVE_INFINITY,
  pages: ({ client }, { numberQubits, minQubits, ...fields }, limit, call) =>
    client.devices.list({ retired: false, ...fields, limit }, call),
  row: (session, record) => new Device(session, record as RuntimeDevice),
  list: DeviceList,
  tests: ({ numberQubits, minQubits }) => [
    ...(numberQubits === undefined ? [] : [(device: Device) => device.numberQubits === numberQubits]),
    ...(minQubits === undefined ? [] : [(device: Device) => (device.numberQubits ?? 0) >= minQubits]),
  ],
};

/** Quotes that are asked for at once. */
const maxQuotes = 100;

/** A query for devices, such as `devices({ deviceType: "QPU", sortBy: "numberQubits", sortOrder: "desc" })`. */
export class Devices extends Query<Device, DeviceList> {
  /** @internal */
  static of(session: Session, fields: DevicesFilter, call?: CallOptions): Devices {
    return new Devices(session, kind, { fields, tests: [], call });
  }

  /**
   * The device with the fewest waiting jobs of those that take jobs now, whose queues are known before others; `undefined`
   * when there is none.
   */
  async leastBusy(): Promise<Device | undefined> {
    const online = await this.filter(({ status }) => status === "ONLINE");
    return leastOf(online, ({ queueDepth }) => queueDepth ?? Number.POSITIVE_INFINITY);
  }

  /**
   * The device on which a job would cost least, by the service's quotes, of those that take jobs now and can be
   * quoted (the first 100 of them are); `undefined` when there is none.
   */
  async cheapest(options: { shots?: number } = {}, call?: CallOptions): Promise<Device | undefined> {
    checkHelperOptions("cheapest", options, { shots: wholeNumber(0) });
    const { shots = 1000 } = options;
    const online = (await this.filter(({ status }) => status === "ONLINE")).slice(0, maxQuotes);
    const { jobs } = this.session.client;
    const quotes = await Promise.allSettled(
      online.map(({ qrn }) => jobs.quote({ deviceQrn: qrn, shots: Math.max(1, shots) }, call)),
    );
    const costs = new Map<Device, number>();
    for (const [index, quote] of quotes.entries())
      if (quote.status === "fulfilled" && quote.value.pricingAvailable)
        costs.set(online[index]!, quote.value.estimatedCost);
    const failure = quotes.find(quote => quote.status === "rejected");
    if (failure && costs.size === 0) throw failure.reason;
    return leastOf([...costs.keys()], device => costs.get(device)!);
  }
}

function leastOf(devices: readonly Device[], figure: (device: Device) => number): Device | undefined {
  return devices.reduce<Device | undefined>(
    (best, device) => (best && figure(best) <= figure(device) ? best : device),
    undefined,
  );
}
