import { miniMap } from "../../charts/index.ts";
import { type CallOptions, KetbookError } from "../../client/index.ts";
import {
  type DeviceCalibration,
  type DeviceFilter,
  flag,
  oneOf,
  type RuntimeDevice,
  stringValue,
  takesShots,
  wholeNumber,
} from "../../contract/index.ts";
import { deviceCard, deviceTable, type RenderedView } from "../../display/index.ts";
import type { Session } from "../session.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { assignRecord, DisplayableValue } from "../values/displayable-value.ts";
import { LazyValue } from "../values/lazy-value.ts";
import { checkHelperOptions, requireName } from "../values/options.ts";
import { Query, type QueryDefinition } from "../values/query.ts";
import { BestQubits } from "./best-qubits.ts";
import { Calibration, CalibrationHistory } from "./calibration.ts";

const DEFAULT_HISTORY_MS = 30 * 86_400_000;

/** A quantum device: everything that the service says of it, and a card in a notebook. */
export interface Device extends RuntimeDevice {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor copies every field of the record
export class Device extends DisplayableValue {
  readonly #session: Session;
  readonly #record: RuntimeDevice;
  #calibration: DeviceCalibration | undefined;

  /** @internal */
  constructor(session: Session, record: RuntimeDevice) {
    super();
    this.#session = session;
    this.#record = record;
    assignRecord(this, record);
  }

  async #calibrate(options?: CallOptions): Promise<DeviceCalibration> {
    this.#calibration = await this.#session.calibrations.latest(this.qrn, options);
    return this.#calibration;
  }

  /**
   * Asks for the latest calibration of the device, or the one that was the latest `at` a time, a date or text in
   * ISO 8601: errors, lifetimes and lengths. It shows itself as a map.
   *
   * @throws KetbookError where there is none that old: other services have only the latest, of which the library
   *   keeps those that it has seen.
   */
  calibration({ at, ...options }: { at?: Date | string } & CallOptions = {}): LazyValue<Calibration> {
    return new LazyValue("Calibration", async () => {
      const record =
        at === undefined
          ? await this.#calibrate(options)
          : await this.#session.calibrations.at(this.qrn, timeOf("at", at), options);
      return new Calibration(record, this);
    });
  }

  /** Asks for the calibrations of the device since a time, a date or text in ISO 8601; by default of 30 days. They show themselves as a chart of their drift. */
  calibrations({
    since,
    ...options
  }: { since?: Date | string } & CallOptions = {}): LazyValue<CalibrationHistory> {
    return new LazyValue("Calibrations", async () => {
      const first = since === undefined ? Date.now() - DEFAULT_HISTORY_MS : timeOf("since", since);
      return new CalibrationHistory(await this.#session.calibrations.since(this.qrn, first, options), this);
    });
  }

  /**
   * Finds the connected qubits with the least error, by the latest calibration: of a gate on each coupling that connects
   * them, and of each readout. It says why it is these.
   *
   * @throws KetbookError where there is no calibration, or the device has fewer qubits.
   */
  best(given: { qubits: number } & CallOptions): LazyValue<BestQubits> {
    const { qubits = null, ...options } = Object(given);
    checkHelperOptions("best", { qubits }, { qubits: wholeNumber(1) });
    return new LazyValue(
      "Best qubits",
      async () => new BestQubits(this.#record, await this.#calibrate(options), qubits),
    );
  }

  /** @internal The calibration that is shown with the device; undefined when it has none, or none can be had. */
  async shownCalibration(): Promise<DeviceCalibration | undefined> {
    if (this.deviceType === "QPU" && !this.#calibration) await this.#calibrate().catch(() => undefined);
    return this.#calibration;
  }

  /** The device as the service described it. */
  toJSON(): RuntimeDevice {
    return this.#record;
  }

  /** @internal */
  protected override render(): RenderedView {
    const calibration = this.#calibration;
    const map = calibration && miniMap(this.#record, calibration);
    return deviceCard(this.#record, { now: Date.now(), calibration, map });
  }

  /** @internal Resolves when what is shown has become final. */
  async settled(): Promise<void> {
    await this.shownCalibration();
  }
}

/** A device that is being looked up. `await` it for the device, or ask it straight for its calibration. */
export class PendingDevice extends LazyValue<Device> {
  /** @internal */
  constructor(session: Session, name: string, options?: CallOptions) {
    super(`Device ${requireName("device", name)}`, async () => {
      const qrn = await session.names.resolve(name, options);
      return new Device(session, await session.client.devices.get(qrn, options));
    });
  }

  /** Asks for the latest calibration of the device, or the one that was the latest at a time. It shows itself as a map. */
  calibration(options?: { at?: Date | string } & CallOptions): LazyValue<Calibration> {
    return new LazyValue("Calibration", async () => (await this).calibration(options));
  }

  /** Finds the connected qubits of the device with the least error, and says why it is these. */
  best(options: { qubits: number } & CallOptions): LazyValue<BestQubits> {
    return new LazyValue("Best qubits", async () => (await this).best(options));
  }

  /** Asks for the calibrations of the device since a time. They show themselves as a chart of their drift. */
  calibrations(options?: { since?: Date | string } & CallOptions): LazyValue<CalibrationHistory> {
    return new LazyValue("Calibrations", async () => (await this).calibrations(options));
  }
}

const maxCalibrations = 32;

/** Devices in the order of the service: an array that shows itself as a table. */
export class DeviceList extends DisplayableList<Device> {
  readonly #calibrations = new Map<string, DeviceCalibration>();

  /** @internal */
  static override readonly noun: string = "devices";

  /** @internal */
  protected override render(): RenderedView {
    const records = Array.from(this, device => device.toJSON());
    return deviceTable(records, { calibrations: this.#calibrations, ...this.remarks });
  }

  /** @internal Resolves when what is shown has become final. */
  async settled(): Promise<void> {
    const calibrated = this.filter(({ deviceType }) => deviceType === "QPU").slice(0, maxCalibrations);
    const keep = async (device: Device) => {
      const calibration = await device.shownCalibration();
      if (calibration) this.#calibrations.set(device.qrn, calibration);
    };
    await Promise.all(calibrated.map(keep));
  }
}

/** Returns the milliseconds since 1970 of a time that a person gave. Throws a KetbookError that names the option. */
export function timeOf(option: string, time: Date | string): number {
  const found =
    time instanceof Date ? time.getTime() : typeof time === "string" ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(found))
    throw new KetbookError(`${option} must be a date, such as new Date() or "2026-11-22T12:00:00Z".`);
  return found;
}

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
  tests: {
    numberQubits: (device, qubits) => device.numberQubits === qubits,
    minQubits: ({ numberQubits }, least) => (numberQubits ?? 0) >= least,
  },
};

const maxQuotes = 100;

/** A query for devices, such as `devices({ deviceType: "QPU", sortBy: "numberQubits", sortOrder: "desc" })`. */
export class Devices extends Query<Device, DeviceList> {
  /** @internal */
  static of(session: Session, fields: DevicesFilter, call?: CallOptions): Devices {
    return new Devices(session, kind, { fields, tests: [], call });
  }

  /**
   * The device with the fewest waiting jobs of those that take jobs now; unknown queues come last; `undefined`
   * when there is none.
   */
  async leastBusy(): Promise<Device | undefined> {
    const online = await this.filter(({ status }) => status === "ONLINE");
    return leastOf(online, ({ queueDepth }) => queueDepth ?? Number.MAX_VALUE);
  }

  /**
   * The device on which a job would cost least, by the service's quotes, of those that take such jobs now and can
   * be quoted (the first 100 of them are); `undefined` when there is none.
   */
  async cheapest(options: { shots?: number } = {}, call?: CallOptions): Promise<Device | undefined> {
    checkHelperOptions("cheapest", options, { shots: wholeNumber(0) });
    const { shots = 1000 } = options;
    const suited = await this.filter(device => device.status === "ONLINE" && takesShots(device, shots));
    const online = suited.slice(0, maxQuotes);
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

const leastOf = (devices: readonly Device[], figure: (device: Device) => number): Device | undefined =>
  devices.toSorted((a, b) => figure(a) - figure(b))[0];
