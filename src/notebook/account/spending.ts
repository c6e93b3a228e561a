import {
  type Chart,
  type DisplayableView,
  displayableView,
  type SpendingChartOptions,
  spendingChart,
} from "../../charts/index.ts";
import { type CallOptions, KetbookError } from "../../client/index.ts";
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
  singleLine,
  spendingTable,
  spendingText,
} from "../../display/index.ts";
import type { Device } from "../devices/device.ts";
import { createdAt, Jobs } from "../jobs/jobs.ts";
import type { Session } from "../session.ts";
import { DisplayableList } from "../values/displayable-list.ts";
import { withText } from "../values/displayable-value.ts";
import { LazyValue } from "../values/lazy-value.ts";
import { checkHelperOptions, moment } from "../values/options.ts";

/** Selects the jobs to total, and their grouping. */
export interface SpendingOptions {
  /**
   * Subject of a row: a day, a device, a tag (a job with several tags counts in each of them), or with
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

/** Subject of a list, and the way to total the jobs in rows with some keys, each counted once. */
interface SpendingOrigin extends Omit<Spending, "rows" | "total" | "unread"> {
  totalOf(keys: ReadonlySet<string>): SpendingSums;
}

/** Cost of jobs, one row per day, device or tag: an array shown as bars. */
export class SpendingList extends DisplayableList<SpendingRow> {
  get #whole(): Spending {
    const { totalOf, ...sums } = this.about as SpendingOrigin;
    const total = totalOf(new Set(this.map(({ key }) => key)));
    return { ...sums, unread: this.unread, rows: this, total };
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
  protected override render(): RenderedView | Chart {
    return this.length === 0 ? this.table() : this.bars();
  }
}

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
    const found = await Jobs.of(session, filter, call).limit(Number.MAX_SAFE_INTEGER);
    const jobs = Array.from(found, ({ record }) => record);
    const rows = sumsByKey(jobs, keysOf, by === "day" ? daysBetween(from, to) : []);
    const zone = by === "day" && timezone !== "UTC" && `days of ${timezone}`;
    const about: SpendingOrigin = {
      by: typeof by === "object" ? "tag" : by,
      from,
      to,
      about: [device, tag && `tag ${tag}`, zone].filter(word => typeof word === "string"),
      overlapping: by === "tag",
      totalOf: keys => sumOf(jobs.filter(job => keysOf(job).some(key => keys.has(key)))),
    };
    const shown = by === "day" ? latestYear(rows) : rows.sort(byCost);
    return SpendingList.ofRows(shown.map(named), { unread: found.unread, about });
  });
}

const named = (row: SpendingRow) =>
  withText(row, `${singleLine(row.key)}: ${formatCredits(row.cost)} by ${formatCount(row.jobs, "jobs")}`);

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

type KeysOf = (job: Readonly<RuntimeJob>) => string[];

function keysBy(by: Grouping, days: Calendar): KeysOf {
  if (by === "day") return job => [days.dayOf(createdAt(job))];
  if (by === "device") return ({ deviceQrn }) => [deviceQrn || "no device"];
  if (typeof by === "object") {
    const { tag } = by;
    return ({ tags }) => [Object.hasOwn(tags, tag) ? tagText(tag, tags[tag]) : `no ${tag}`];
  }
  return ({ tags }) => {
    const all = Object.entries(tags);
    return all.length > 0 ? all.map(([key, value]) => tagText(key, value)) : ["untagged"];
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
const maxCredits = 1e9;

/** Sums up what jobs cost, each counted once, in integers of 10^-6 credit. The estimate counts until the cost is known. */
export function sumOf(jobs: readonly RuntimeJob[]): SpendingSums {
  const sum = { cost: 0, estimated: 0, jobs: 0, shots: 0 };
  for (const job of new Map(jobs.map(job => [job.jobQrn, job])).values()) {
    const settled = micros(job.cost);
    const isOpen = settled === undefined && job.status !== "FAILED" && job.status !== "CANCELLED";
    sum.cost += settled ?? 0;
    sum.estimated += (isOpen && micros(job.estimatedCost)) || 0;
    sum.jobs += 1;
    sum.shots += count(job.shots) * Math.max(1, count(job.numCircuits));
  }
  return { ...sum, cost: sum.cost / microsPerCredit, estimated: sum.estimated / microsPerCredit };
}

/** Sums up the jobs of each key, in the order in which keys were first met; those of `keys` get a row even without jobs. */
export function sumsByKey(
  jobs: readonly RuntimeJob[],
  keysOf: KeysOf,
  keys: readonly string[] = [],
): SpendingRow[] {
  const keyed = jobs.flatMap(job => keysOf(job).map(key => ({ key, job })));
  const groups = Map.groupBy(keyed, ({ key }) => key);
  const jobsOf = (key: string) => (groups.get(key) ?? []).map(({ job }) => job);
  return Array.from(new Set([...keys, ...groups.keys()]), key => ({ key, ...sumOf(jobsOf(key)) }));
}

function micros(credits: number | null | undefined): number | undefined {
  const known = typeof credits === "number" && credits >= 0 && credits <= maxCredits;
  return known ? Math.round(credits * microsPerCredit) : undefined;
}

const count = (value: number | null) => (Number.isSafeInteger(value) ? Math.max(0, value!) : 0);
