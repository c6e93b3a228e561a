import { type BarOptions, type Chart, type UsageChartOptions, usageChart } from "../charts/index.ts";
import type { CallOptions } from "../client/options.ts";
import type { CreditBalance, CreditPricing, SimulatorUsage, UsageDay } from "../contract/account.ts";
import { balanceCard, type Form, pricingTable, usageSeriesTable, usageTable } from "../display/index.ts";
import type { Device } from "./device.ts";
import type { Ketbook } from "./ketbook.ts";
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
  protected override noun(): string {
    return "simulators";
  }

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
  protected override noun(): string {
    return "days";
  }

  /** @internal */
  protected override face(): Form | Chart {
    return this.length === 0 ? usageSeriesTable(this) : this.bars();
  }
}

interface SeriesOptions {
  device: Device | string;
  days?: number;
  timezone?: string;
}

/** The usage of one simulator, day by day: `await usage(device).days(30).in("Europe/Berlin")`. */
export class DeviceUsage extends Lazy<UsageSeries> {
  readonly #ketbook: Ketbook;
  readonly #options: SeriesOptions;

  /** @internal */
  constructor(ketbook: Ketbook, options: SeriesOptions) {
    super("Usage", async () => {
      const { device: given, ...window } = options;
      const device = await ketbook.names.resolve(given);
      const [days, usage] = await Promise.all([
        ketbook.client.account.usageSeries({ deviceQrn: device, ...window }),
        ketbook.client.account.usage().catch(() => []),
      ]);
      const series = UsageSeries.from(days) as UsageSeries;
      series.about = { device, quota: usage.find(({ deviceQrn }) => deviceQrn === device)?.dailyLimit };
      return series;
    });
    this.#ketbook = ketbook;
    this.#options = options;
  }

  /** Looks back so many days: 30 when not called, 0 for all time, 365 at most. */
  days(days: number): DeviceUsage {
    return new DeviceUsage(this.#ketbook, { ...this.#options, days });
  }

  /** Counts days as they are in a time zone, such as `Europe/Berlin`: UTC when not called. */
  in(timezone: string): DeviceUsage {
    return new DeviceUsage(this.#ketbook, { ...this.#options, timezone });
  }
}

/** Asks what an organization may spend. */
export function credits({ client }: Ketbook, options?: CallOptions): Lazy<Balance> {
  return new Lazy("Credits", async () => {
    const [balance, summary] = await Promise.all([
      client.account.balance(options),
      client.jobs.summary(options).catch(() => undefined),
    ]);
    const spent = summary?.cost.total;
    return recordClass<CreditBalance>(record => balanceCard(record, { spent }))(balance);
  });
}

/** Asks what credits cost. */
export function pricing({ client }: Ketbook, options?: CallOptions): Lazy<Pricing> {
  return new Lazy("Pricing", async () => pricingOf(await client.account.pricing(options)));
}

/** Asks how much of each simulator's daily quota is used up; or of one simulator, how many jobs completed day by day. */
export function usage(ketbook: Ketbook, simulator?: Device | string): Lazy<UsageList> | DeviceUsage {
  if (simulator !== undefined) return new DeviceUsage(ketbook, { device: simulator });
  return new Lazy("Usage", async () => UsageList.from(await ketbook.client.account.usage()) as UsageList);
}
