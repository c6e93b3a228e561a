import {
  type Chart,
  type DisplayableView,
  dailyUsageChart,
  displayableView,
  type SizedOptions,
  type UsageChartOptions,
  usageChart,
} from "../../charts/index.ts";
import { type CallOptions, type Client, KetbookError } from "../../client/index.ts";
import {
  type CreditBalance,
  type CreditPricing,
  describeValue,
  type SimulatorUsage,
  type UsageDay,
} from "../../contract/index.ts";
import {
  balanceCard,
  type Displayable,
  dailyUsageTable,
  formatCount,
  formatNumber,
  pricingTable,
  type RenderedView,
  type SimulatorDay,
  singleLine,
  usageSeriesTable,
  usageTable,
} from "../../display/index.ts";
import type { Device } from "../devices/device.ts";
import type { Session } from "../session.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { recordClass, withText } from "../values/displayable-value.ts";
import { LazyValue } from "../values/lazy-value.ts";

export const pricingOf = recordClass<CreditPricing>(pricingTable);

export async function credits({ account, jobs }: Client, options?: CallOptions) {
  const [balance, summary] = await Promise.all([
    account.balance(options),
    jobs.summary(options).catch(() => undefined),
  ]);
  const spent = summary?.cost.total;
  return recordClass<CreditBalance>(record => balanceCard(record, { spent }))(balance);
}

/** Usage of each simulator's daily quota: an array shown as a table. */
export class UsageList extends DisplayableList<SimulatorUsage> {
  /** @internal */
  static override readonly noun: string = "simulators";

  /** @internal */
  protected override render(): RenderedView {
    return usageTable(this, { now: Date.now(), ...this.remarks });
  }
}

/** Completed jobs of one simulator, one row a day: an array that shows itself as bars. */
export class UsageSeries extends DisplayableList<UsageDay> {
  /** Draws the days as bars, with the daily quota as a line where there is one. */
  bars(options?: SizedOptions): Chart<SizedOptions> {
    return usageChart(this, { ...(this.about as UsageChartOptions), ...options }, this.unread.length);
  }

  /** The days as a table. */
  table(): DisplayableView {
    return displayableView(usageSeriesTable(this, this.remarks));
  }

  /** @internal */
  static override readonly noun: string = "days";

  /** @internal */
  protected override render(): RenderedView | Chart {
    return this.length === 0 ? this.table() : this.bars();
  }
}

/** Completed jobs of every simulator, one row a day and simulator: an array that shows itself as stacked bars. */
export class DailyUsageList extends DisplayableList<SimulatorDay> {
  /** Draws the days as bars whose parts are the four most used simulators and all others. */
  bars(options?: SizedOptions): Chart<SizedOptions> {
    return dailyUsageChart(this, options, this.unread.length);
  }

  /** The days as a table with a column a simulator. */
  table(): DisplayableView {
    return displayableView(dailyUsageTable(this, this.remarks));
  }

  /** Completed jobs on all days and simulators. */
  get jobs(): number {
    return this.reduce((sum, { count }) => sum + count, 0);
  }

  /** Total usage in one line: `331 jobs on 4 simulators, 2026-10-23 to 2026-11-21`. */
  override toString(): string {
    const simulators = new Set(this.map(({ deviceQrn }) => deviceQrn)).size;
    const days = this.length > 0 ? `, ${this[0]!.date} to ${this.at(-1)!.date}` : "";
    return `${formatCount(this.jobs, "jobs")} on ${formatCount(simulators, "simulators")}${days}`;
  }

  /** @internal */
  protected override render(): RenderedView | Chart {
    return this.length === 0 ? this.table() : this.bars();
  }
}

function quotaRow(row: SimulatorUsage): SimulatorUsage {
  const { deviceQrn, used, dailyLimit } = row;
  const jobs =
    dailyLimit === null
      ? formatCount(used, "jobs")
      : `${formatNumber(used)} of ${formatCount(dailyLimit, "jobs")}`;
  return withText(row, `${singleLine(deviceQrn)}: ${jobs} today`);
}

function dayRow<Day extends UsageDay & Partial<SimulatorDay>>(day: Day): Day {
  const where = day.deviceQrn ? ` on ${singleLine(day.deviceQrn)}` : "";
  return withText(day, `${singleLine(day.date)}: ${formatCount(day.count, "jobs")}${where}`);
}

const maxDays = 365;
type UsageWindow = { days?: number; timezone?: string };

/** Usage day by day, which is fetched when it is first needed. */
export class UsageDays<List extends Displayable> extends LazyValue<List> {
  readonly #fetch: (window: UsageWindow) => Promise<List>;
  readonly #window: UsageWindow;

  /** @internal */
  constructor(fetch: (window: UsageWindow) => Promise<List>, window: UsageWindow = {}) {
    super("Usage", () => fetch(window));
    this.#fetch = fetch;
    this.#window = window;
  }

  /**
   * Looks back a number of days: 0 for all time, 365 at most. Default: 30.
   *
   * @throws KetbookError for another number.
   */
  days(days: number): UsageDays<List> {
    if (!Number.isInteger(days) || days < 0 || days > maxDays)
      throw new KetbookError(
        `days(${describeValue(days)}): give a whole number of days, 1 to ${maxDays}, or 0 for all time.`,
      );
    return new UsageDays(this.#fetch, { ...this.#window, days });
  }

  /** Counts days as they are in a time zone, such as `Europe/Berlin`. Default: UTC. */
  in(timezone: string): UsageDays<List> {
    return new UsageDays(this.#fetch, { ...this.#window, timezone });
  }
}

/** The quotas of every simulator today, or with `days` or `in`, what was used of each on every day. */
export class Usage extends LazyValue<UsageList> {
  readonly #daily: UsageDays<DailyUsageList>;

  /** @internal */
  constructor({ client }: Session, options?: CallOptions) {
    super("Usage", async () => {
      const rows = await client.account.usage(options);
      return UsageList.ofRows(rows.map(quotaRow), { unread: rows.unread });
    });
    this.#daily = new UsageDays(async window => {
      const simulators = await this;
      const series = await Promise.all(
        simulators.map(async ({ deviceQrn }) => {
          const days = await client.account.usageSeries({ deviceQrn, ...window }, options);
          return {
            days: days.map(({ date, count }) => dayRow({ date, deviceQrn, count })),
            unread: days.unread,
          };
        }),
      );
      const byDay = series.flatMap(({ days }) => days).sort((a, b) => a.date.localeCompare(b.date));
      const unread = [...simulators.unread, ...series.flatMap(each => each.unread)];
      return DailyUsageList.ofRows(byDay, { unread });
    });
  }

  /** Counts completed jobs over a number of days: 0 for all time, 365 at most. */
  days(days: number): UsageDays<DailyUsageList> {
    return this.#daily.days(days);
  }

  /** Counts completed jobs day by day, as days are in a time zone, such as `Europe/Berlin`. */
  in(timezone: string): UsageDays<DailyUsageList> {
    return this.#daily.in(timezone);
  }
}

function deviceUsage(
  { client, names }: Session,
  given: Device | string,
  options?: CallOptions,
): UsageDays<UsageSeries> {
  return new UsageDays(async window => {
    const device = await names.resolve(given, options);
    const [days, usage] = await Promise.all([
      client.account.usageSeries({ deviceQrn: device, ...window }, options),
      client.account.usage(options).catch(() => []),
    ]);
    const quota = usage.find(({ deviceQrn }) => deviceQrn === device)?.dailyLimit;
    return UsageSeries.ofRows(days.map(dayRow), { unread: days.unread, about: { device, quota } });
  });
}

export function usage(
  session: Session,
  of?: Device | string | CallOptions,
  options?: CallOptions,
): Usage | UsageDays<UsageSeries> {
  if (typeof of === "string" || (of && "qrn" in of)) return deviceUsage(session, of, options);
  return new Usage(session, of ?? options);
}
