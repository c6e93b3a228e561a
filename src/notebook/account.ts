import { type BarOptions, type Chart, type UsageChartOptions, usageChart } from "../charts/index.ts";
import type { CreditBalance, CreditPricing, SimulatorUsage, UsageDay } from "../contract/account.ts";
import { balanceCard, type Form, pricingTable, usageSeriesTable, usageTable } from "../display/index.ts";
import { currentClient } from "./connection.ts";
import type { Device } from "./device.ts";
import { Lazy } from "./lazy.ts";
import { ShownList } from "./list.ts";
import { recordClass } from "./record.ts";
import type { Shown } from "./shown.ts";

/** What your organization may spend, in credits; it shows itself as a card. */
export interface Balance extends CreditBalance, Shown {}

/** What credits cost; it shows itself as a table. */
export interface Pricing extends CreditPricing, Shown {}

const pricingOf = recordClass<CreditPricing>(pricingTable);

/** How much of each simulator's daily quota is used up: an array that shows itself as a table. */
export class UsageList extends ShownList<SimulatorUsage> {
  /** @internal */
  protected override face(): Form {
    return usageTable(this, { now: Date.now() });
  }
}

/** Completed jobs of one simulator, one row a day: an array that shows itself as bars. */
export class UsageSeries extends ShownList<UsageDay> {
  /** @internal */
  about: UsageChartOptions = {};

  /** Draws the days as bars, with the daily quota as a line where there is one. */
  bars(options?: BarOptions): Chart<BarOptions> {
    return usageChart(this, { ...this.about, ...options });
  }

  /** @internal */
  protected override face(): Form | Chart {
    return this.length === 0 ? usageSeriesTable(this) : this.bars();
  }
}

interface SeriesOptions {
  deviceQrn: string;
  days?: number;
  timezone?: string;
}

/** The usage of one simulator, day by day: `await usage(device).days(30).in("Europe/Berlin")`. */
export class DeviceUsage extends Lazy<UsageSeries> {
  readonly #options: SeriesOptions;

  /** @internal */
  constructor(options: SeriesOptions) {
    super("Usage", async () => {
      const client = await currentClient();
      const [days, usage] = await Promise.all([
        client.account.usageSeries(options),
        client.account.usage().catch(() => []),
      ]);
      const series = UsageSeries.from(days) as UsageSeries;
      const device = options.deviceQrn;
      series.about = { device, quota: usage.find(({ deviceQrn }) => deviceQrn === device)?.dailyLimit };
      return series;
    });
    this.#options = options;
  }

  /** Looks back so many days: 30 when not called, 0 for all time, 365 at most. */
  days(days: number): DeviceUsage {
    return new DeviceUsage({ ...this.#options, days });
  }

  /** Counts days as they are in a time zone, such as `Europe/Berlin`: UTC when not called. */
  in(timezone: string): DeviceUsage {
    return new DeviceUsage({ ...this.#options, timezone });
  }
}

/** Asks what your organization may spend. */
export function credits(): Lazy<Balance> {
  return new Lazy("Credits", async () => {
    const client = await currentClient();
    const [balance, summary] = await Promise.all([
      client.account.balance(),
      client.jobs.summary().catch(() => undefined),
    ]);
    const spent = summary?.cost.total;
    return recordClass<CreditBalance>(record => balanceCard(record, { spent }))(balance);
  });
}

/** Asks what credits cost. */
export function pricing(): Lazy<Pricing> {
  return new Lazy("Pricing", async () => pricingOf(await (await currentClient()).account.pricing()));
}

/** Asks how much of each simulator's daily quota is used up. */
export function usage(): Lazy<UsageList>;
/** Asks how many jobs of one simulator completed, day by day. */
export function usage(simulator: Device | string): DeviceUsage;
export function usage(simulator?: Device | string): Lazy<UsageList> | DeviceUsage {
  if (simulator === undefined) {
    return new Lazy("Usage", async () => {
      const client = await currentClient();
      return UsageList.from(await client.account.usage()) as UsageList;
    });
  }
  return new DeviceUsage({ deviceQrn: typeof simulator === "string" ? simulator : simulator.qrn });
}
