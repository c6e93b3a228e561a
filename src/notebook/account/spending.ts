import { type DisplayableView, displayableView } from "../../charts/displayable-view.ts";
import { type Chart, type SpendingChartOptions, spendingChart } from "../../charts/index.ts";
import { type CallOptions, KetbookError, type UnreadRecord } from "../../client/index.ts";
import {
  type Calendar,
  calendar,
  daysBetween,
  isTimeZone,
  type RuntimeJob,
  shiftDay,
} from "../../contract/index.ts";
import {
  formatCount,
  formatCredits,
  missing,
  type RenderedView,
  type Spending,
  type SpendingRow,
  type SpendingSums,
  spendingTable,
  spendingText,
} from "../../display/index.ts";
import { singleLine } from "../../display/text.ts";
import type { Device } from "../devices/device.ts";
import type { Job } from "../jobs/job.ts";
import { createdAt, Jobs } from "../jobs/jobs.ts";
import type { Session } from "../session.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { withText } from "../values/displayable-value.ts";
import { LazyValue } from "../values/lazy-value.ts";
import { checkHelperOptions, moment } from "../values/options.ts";

/** Selects the jobs to total, and their grouping. */
export interface SpendingOptions {
  /**
   * What a row is about: a day, a device, a tag (a job with several tags counts in each of them), or with
   * `{ tag: "course" }` a value of that one tag. Default: `"day"`.
   */
  by?: "day" | "device" | "tag" | { tag: string };
  /**
   * Jobs made at this moment or later: a date, or text that `new Date` reads; a day such as `"2026-11-01"` begins as it
   * does in the time zone. Default: 30 days, of which today is the last.
   */
  since?: Date | string | number;
  /** Jobs made before this moment. Default: now. */
  until?: Date | string | number;
  /** A tag that the jobs must have, whatever its value. */
  tag?: string;
  /** The device that the jobs ran on, or its name: a whole one, or a short one that only one device has. */
  device?: Device | string;
  /** IANA name of the time zone whose days are meant. Default: `"UTC"`. */
  timezone?: string;
}

/** Sums over the jobs that are in rows with these keys, each counted once. */
type TotalOf = (keys: ReadonlySet<string>) => SpendingSums;

/** Cost of jobs, one row per day, device or tag: an array shown as bars. */
export class SpendingList extends DisplayableList<SpendingRow> {
  #spending: Spending | undefined;
  #totalOf: TotalOf | undefined;

  /** @internal */
  static make(
    spending: Omit<Spending, "unread">,
    unread: readonly UnreadRecord[],
    totalOf: TotalOf,
  ): SpendingList {
    const list = SpendingList.from(spending.rows, row =>
      withText(row, `${singleLine(row.key)}: ${formatCredits(row.cost)} by ${formatCount(row.jobs, "jobs")}`),
    ) as SpendingList;
    list.#spending = { ...spending, unread };
    list.#totalOf = totalOf;
    list.origin = { total: null, unread };
    return list;
  }

  /** @internal */
  protected override listOf(rows: readonly SpendingRow[]): this {
    const list = super.listOf(rows);
    list.#totalOf = this.#totalOf;
    list.#spending = { ...this.#spending!, total: this.#totalOf!(new Set(rows.map(({ key }) => key))) };
    return list;
  }

  get #whole(): Spending {
    return { ...this.#spending!, rows: this };
  }

  /** Credits that the jobs did cost, each counted once. */
  get cost(): number {
    return this.#whole.total.cost;
  }

  /** Credits that jobs are estimated to cost whose cost is not known yet, such as those that run. */
  get estimated(): number {
    return this.#whole.total.estimated;
  }

  /** Jobs, each counted once. */
  get jobs(): number {
    return this.#whole.total.jobs;
  }

  /** Repetitions that were asked for, in all programs of the jobs. */
  get shots(): number {
    return this.#whole.total.shots;
  }

  /** Draws the costs: as bars over time, or as bars below each other, the most expensive first. */
  bars(options?: SpendingChartOptions): Chart<SpendingChartOptions> {
    return spendingChart(this.#whole, options);
  }

  /** The costs as a table. */
  table(): DisplayableView {
    return displayableView(spendingTable(this.#whole));
  }

  /** Total cost in one line: `12.5 credits by 31 jobs, 2026-10-22 to 2026-11-21`. */
  override toString(): string {
    return spendingText(this.#whole);
  }

  /** @internal */
  protected override noun(): string {
    return "rows";
  }

  /** @internal */
  protected override render(): RenderedView | Chart {
    return this.length === 0 ? this.table() : this.bars();
  }
}

/** Sums up what your jobs cost. Jobs that were deleted are not in it, since no list has them. */
export function spending(
  session: Session,
  options: SpendingOptions = {},
  call?: CallOptions,
): LazyValue<SpendingList> {
  checkHelperOptions("spending", options, checks);
  const { by = "day", tag, device: given, timezone = "UTC" } = options;
  const days = calendar(timezone);
  const window = windowOf(options, days, Date.now());
  const keysOf = keysBy(by, days);
  return new LazyValue("Spending", async () => {
    const device = given === undefined ? undefined : await session.names.resolve(given, call);
    const { from, to, moments } = window;
    const filter = { ...moments, ...(tag && { tag }), ...(device && { device }) };
    const jobs = await Jobs.of(session, filter, call).limit(Number.MAX_SAFE_INTEGER);
    const summer = spendingSummer(by === "day" ? daysBetween(from, to) : []);
    for (const job of jobs) summer.add(job.record, keysOf(job));
    const zone = by === "day" && timezone !== "UTC" && `days of ${timezone}`;
    const sums = {
      by: typeof by === "object" ? "tag" : by,
      rows: by === "day" ? latestYear(summer.rows()) : summer.rows().sort(byCost),
      total: summer.total(),
      from,
      to,
      about: [device, tag && `tag ${tag}`, zone].filter(word => typeof word === "string"),
      overlapping: by === "tag",
    } as const;
    return SpendingList.make(sums, jobs.unread, keys => {
      const some = spendingSummer();
      for (const job of jobs) if (keysOf(job).some(key => keys.has(key))) some.add(job.record, []);
      return some.total();
    });
  });
}

type Grouping = NonNullable<SpendingOptions["by"]>;

const isName = (value: unknown) => typeof value === "string" && value !== "";

const checks = {
  by: (value: unknown) =>
    value === "day" || value === "device" || value === "tag" || isName(Object(value).tag)
      ? undefined
      : '"day", "device", "tag" or an object such as { tag: "course" }',
  since: moment,
  until: moment,
  tag: (value: unknown) => (isName(value) ? undefined : 'the name of a tag, such as "course"'),
  device: (value: unknown) =>
    isName(value) || isName(Object(value).qrn) ? undefined : "a device, or the name of one",
  timezone: (value: unknown) => (isTimeZone(value) ? undefined : 'a time zone, such as "Europe/Berlin"'),
};

const defaultDays = 30;

/** Returns the requested period, and its days. */
function windowOf({ since, until }: SpendingOptions, days: Calendar, now: number) {
  const momentOf = (given: Date | string | number) =>
    typeof given === "string" && /^\d{4}-\d\d-\d\d$/.test(given)
      ? days.startOf(shiftDay(given, 0))
      : new Date(given).getTime();
  const end = until === undefined ? undefined : momentOf(until);
  const last = Math.min(now, (end ?? now + 1) - 1);
  const to = days.dayOf(last);
  const first = since === undefined ? days.startOf(shiftDay(to, 1 - defaultDays)) : momentOf(since);
  const begin = Math.max(0, first);
  if (begin > last)
    throw new KetbookError(
      `spending: since (${new Date(begin).toISOString()}) must be before ${end === undefined || end > now ? "now" : `until (${new Date(end).toISOString()})`}.`,
    );
  return { moments: { since: begin, ...(end !== undefined && { until: end }) }, from: days.dayOf(begin), to };
}

/** The keys of the rows in which a job counts. */
function keysBy(by: Grouping, days: Calendar): (job: Job) => string[] {
  if (by === "day") return job => [days.dayOf(createdAt(job))];
  if (by === "device") return ({ record }) => [record.deviceQrn || "no device"];
  if (typeof by === "object") {
    const { tag } = by;
    return ({ record: { tags } }) => [Object.hasOwn(tags, tag) ? tagText(tag, tags[tag]) : `no ${tag}`];
  }
  return ({ record }) => {
    const tags = Object.entries(record.tags);
    return tags.length > 0 ? tags.map(([key, value]) => tagText(key, value)) : ["untagged"];
  };
}

const tagText = (key: string, value: unknown) => `${key}: ${value ?? missing}`;

const maxEmptyDays = 366;

/** Days in their order. Of a long time, those before the first job are left out. */
function latestYear(rows: SpendingRow[]): SpendingRow[] {
  const days = rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  const first = days.findIndex(({ jobs }) => jobs > 0);
  return days.slice(Math.max(0, Math.min(days.length - maxEmptyDays, first < 0 ? days.length : first)));
}

function byCost(a: SpendingRow, b: SpendingRow): number {
  return b.cost - a.cost || b.estimated - a.estimated || b.jobs - a.jobs || (a.key < b.key ? -1 : 1);
}

const microsPerCredit = 1_000_000;
/** No job costs more credits. */
const maxCredits = 1e9;

/** Adds up what jobs cost, all together and by keys. */
export interface SpendingSummer {
  /** Counts a job for each of its keys; one that was counted already is left out. */
  add(job: RuntimeJob, keys: readonly string[]): void;
  /** Sums over all jobs, each counted once. */
  total(): SpendingSums;
  /** Sums of the jobs with each key, in the order in which keys were first met. */
  rows(): SpendingRow[];
}

/**
 * Adds up what jobs cost in integers of 10^-6 credit.
 *
 * @param keys - Keys that get a row even when no job has them.
 */
export function spendingSummer(keys: readonly string[] = []): SpendingSummer {
  const total = nothing();
  const sums = new Map(keys.map(key => [key, nothing()]));
  const counted = new Set<string>();
  return {
    add(job, own) {
      if (counted.has(job.jobQrn)) return;
      counted.add(job.jobQrn);
      const amounts = amountsOf(job);
      increase(total, amounts);
      for (const key of new Set(own)) {
        const sum = sums.get(key) ?? nothing();
        increase(sum, amounts);
        sums.set(key, sum);
      }
    },
    total: () => inCredits(total),
    rows: () => Array.from(sums, ([key, sum]) => ({ key, ...inCredits(sum) })),
  };
}

const nothing = (): SpendingSums => ({ cost: 0, estimated: 0, jobs: 0, shots: 0 });

/**
 * Returns the contribution of one job, with credits as integers of 10^-6. The estimate counts until the cost
 * is known.
 */
function amountsOf({ status, cost, estimatedCost, shots, numCircuits }: RuntimeJob): SpendingSums {
  const settled = micros(cost);
  const isOpen = settled === undefined && status !== "FAILED" && status !== "CANCELLED";
  return {
    cost: settled ?? 0,
    estimated: (isOpen && micros(estimatedCost)) || 0,
    jobs: 1,
    shots: count(shots) * Math.max(1, count(numCircuits)),
  };
}

function micros(credits: number | null | undefined): number | undefined {
  const known = typeof credits === "number" && credits >= 0 && credits <= maxCredits;
  return known ? Math.round(credits * microsPerCredit) : undefined;
}

const count = (value: number | null) => (Number.isSafeInteger(value) ? Math.max(0, value!) : 0);

function increase(sum: SpendingSums, by: SpendingSums): void {
  sum.cost += by.cost;
  sum.estimated += by.estimated;
  sum.jobs += by.jobs;
  sum.shots += by.shots;
}

const inCredits = ({ cost, estimated, ...counts }: SpendingSums): SpendingSums => ({
  cost: cost / microsPerCredit,
  estimated: estimated / microsPerCredit,
  ...counts,
});
