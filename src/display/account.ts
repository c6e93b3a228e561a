import type { CreditBalance, CreditPricing, SimulatorUsage, UsageDay } from "../contract/index.ts";
import type { RenderedView } from "./bundle.ts";
import { type Cell, card, code, type Fact, html, meter } from "./cell.ts";
import {
  formatAge,
  formatBytes,
  formatCount,
  formatCredits,
  formatNumber,
  lazyFormat,
  missing,
} from "./format.ts";
import type { TimeReference } from "./job.ts";
import { tone } from "./palette.ts";
import { numbers, type TableRemarks, table } from "./table.ts";
import { clip, dotted } from "./text.ts";

const usdPerCredit = 0.01;
const dollars = lazyFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Credits to the cent: the record has the rest. */
const cents = (credits: number | null) => credits && Math.floor(credits * 100) / 100;

function figure(amount: string, unit: string): Cell {
  return {
    html: html`<span style="font-size:24px">${amount}</span> <span style="font-weight:400">${unit}</span>`,
    text: `${amount} ${unit}`,
  };
}

/** Shows a balance. With the credits that the caller's jobs `spent` so far, a bar shows how much is left. */
export function balanceCard(
  balance: CreditBalance,
  { spent }: { spent?: number | null | undefined } = {},
): RenderedView {
  const { svcCredits, awsCredits, organizationId, autoRecharge } = balance;
  const whole = (svcCredits ?? 0) + (spent ?? 0);
  const left =
    spent != null &&
    svcCredits !== null &&
    whole > 0 &&
    meter(svcCredits / whole, {
      label: `left, ${formatNumber(cents(spent))} spent by your jobs`,
      ...{ width: 200, color: svcCredits < whole / 10 ? tone.bad : tone.good },
    });
  const facts: Fact[] = [
    ["Worth", svcCredits === null ? null : `${dollars(svcCredits * usdPerCredit)} USD`],
    ["AWS credits", formatNumber(awsCredits)],
    ["Recharge", autoRecharge === null ? null : autoRecharge ? "automatic" : "by hand"],
    ["Organization", code(clip(organizationId, 120))],
    ...budgetFacts(balance),
  ];
  return card({
    kind: "balance",
    title: figure(formatNumber(cents(svcCredits)), svcCredits === 1 ? "credit" : "credits"),
    blocks: [left && { ...left, text: `  ${left.text}` }],
    facts,
  });
}

function budgetFacts({ budget }: CreditBalance): Fact[] {
  if (!budget) return [];
  const { ownCredits, storedBytes, maxStoredBytes, waitingJobs, maxWaitingJobs } = budget;
  const used = (amount: number, most: number | null, format: (amount: number) => string) =>
    most === null ? format(amount) : `${format(amount)} of ${format(most)}`;
  return [
    ["Credits of", ownCredits ? "your own" : "the organization"],
    ["Stored", used(storedBytes, maxStoredBytes, formatBytes)],
    ["Unfinished jobs", used(waitingJobs, maxWaitingJobs, formatNumber)],
  ];
}

type Pack = CreditPricing["packs"][number];

export function pricingTable(pricing: CreditPricing): RenderedView {
  const { minimumPurchase, packs } = pricing;
  const currency = clip(pricing.currency, 8);
  const money = (amount: number | null) => (amount === null ? missing : `${dollars(amount)} ${currency}`);
  const saved = ({ credits, price }: Pack) =>
    pricing.usdPerCredit === null ? 0 : 1 - price / (credits * pricing.usdPerCredit);
  const cheaper = packs.some(pack => saved(pack) > 0.0005);
  return table<Pack>({
    caption: `1 credit = ${formatNumber(pricing.usdPerCredit)} ${currency}, smallest purchase ${money(minimumPurchase)}`,
    noun: "packs",
    rows: packs,
    columns: [
      { label: "Credits", align: "right", value: pack => formatNumber(pack.credits) },
      { label: "Price", align: "right", value: pack => money(pack.price) },
      cheaper &&
        numbers("Saved", pack => (saved(pack) > 0.0005 ? `${(saved(pack) * 100).toFixed(0)} %` : null)),
    ],
  });
}

const nearlyUsedUp = 0.9;

/** Shows how much of each simulator's daily quota is used up. */
export function usageTable(
  usage: readonly SimulatorUsage[],
  { now, ...remarks }: TimeReference & TableRemarks,
): RenderedView {
  return table<SimulatorUsage>({
    ...remarks,
    noun: "simulators",
    rows: usage,
    columns: [
      { label: "Simulator", value: row => code(clip(row.deviceQrn, 80)) },
      { label: "Tier", value: row => clip(row.tier, 40) },
      {
        label: "Jobs today",
        value: ({ used, dailyLimit }) =>
          dailyLimit === null || used === null
            ? `${formatNumber(used)}${dailyLimit === null ? ", no limit" : ` of ${formatNumber(dailyLimit)}`}`
            : meter(used / dailyLimit, {
                label: `${formatNumber(used)} of ${formatNumber(dailyLimit)}`,
                color: used >= nearlyUsedUp * dailyLimit ? tone.bad : tone.active,
              }),
      },
      { label: "Left", align: "right", value: row => formatNumber(row.remaining) },
      { label: "Resets", value: row => formatAge(row.resetsAt, now) },
    ],
  });
}

/** Shows completed jobs day by day, the latest first. */
export function usageSeriesTable(days: readonly UsageDay[], remarks: TableRemarks = {}): RenderedView {
  const max = days.reduce((largest, { count }) => Math.max(largest, count), 1);
  return table<UsageDay>({
    ...remarks,
    noun: "days",
    rows: days.toReversed(),
    columns: [
      { label: "Day", value: day => clip(day.date, 20) },
      { label: "Completed jobs", value: day => meter(day.count / max, { label: formatNumber(day.count) }) },
    ],
  });
}

/** Jobs that completed on one simulator on one day. */
export interface SimulatorDay {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Resource name of the simulator. */
  deviceQrn: string;
  /** Number of completed jobs. */
  count: number;
}

type UsageMatrix = ReturnType<typeof usageMatrix>;

/** Arranges counts by day and by simulator, the most used first; a count that is missing is 0. */
export function usageMatrix(rows: readonly SimulatorDay[]) {
  const dates = [...new Set(rows.map(({ date }) => date))].sort();
  const groups = Map.groupBy(rows, ({ deviceQrn }) => deviceQrn);
  const simulators = Array.from(groups, ([deviceQrn, own]) => {
    const counts = dates.map(day => sumOf(own.map(({ date, count }) => (date === day ? count : 0))));
    return { deviceQrn, counts, total: sumOf(counts) };
  });
  return { dates, simulators: simulators.toSorted((a, b) => b.total - a.total) };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** So many of the simulators, by short names where those are clear, and all others as one. */
export function usageParts({ dates, simulators }: UsageMatrix, top: number) {
  const parts = simulators
    .slice(0, top)
    .map(({ deviceQrn, counts }) => ({ name: shortName(deviceQrn, simulators), counts, other: false }));
  const others = simulators.slice(top);
  if (others.length === 0) return parts;
  return [...parts, { name: "other", counts: dates.map((_, day) => countOn(day, others)), other: true }];
}

const countOn = (day: number, simulators: UsageMatrix["simulators"]) =>
  sumOf(simulators.map(({ counts }) => counts[day]!));

function shortName(qrn: string, all: UsageMatrix["simulators"]): string {
  const last = (name: string) => name.slice(name.lastIndexOf(":") + 1);
  const own = last(qrn);
  return all.filter(({ deviceQrn }) => last(deviceQrn) === own).length === 1 ? own : qrn;
}

const maxColumns = 12;

/** Shows completed jobs of several simulators: one row a day, the latest first, one column a simulator. */
export function dailyUsageTable(rows: readonly SimulatorDay[], remarks: TableRemarks = {}): RenderedView {
  const usage = usageMatrix(rows);
  const column = (label: string, count: (day: number) => number) =>
    numbers<number>(label, day => formatNumber(count(day)));
  return table<number>({
    ...remarks,
    caption: "Completed jobs",
    noun: "days",
    rows: usage.dates.map((_, day) => day).reverse(),
    columns: [
      { label: "Day", value: day => clip(usage.dates[day]!, 20) },
      ...usageParts(usage, maxColumns).map(({ name, counts }) => column(clip(name, 40), day => counts[day]!)),
      column("Total", day => countOn(day, usage.simulators)),
    ],
  });
}

/** Cost of the jobs of one day, of one device or with one tag. */
export interface SpendingRow {
  /** The day (`YYYY-MM-DD`), the device's resource name, or the tag as `key: value`. */
  key: string;
  /** Credits that the jobs did cost. */
  cost: number;
  /** Credits that jobs are estimated to cost whose cost is not known yet, such as those that run. */
  estimated: number;
  /** Number of jobs. */
  jobs: number;
  /** Repetitions that were asked for, in all programs of the jobs. */
  shots: number;
}

/** Cost of some jobs. */
export type SpendingSums = Omit<SpendingRow, "key">;

/** Cost of jobs over some days. */
export interface Spending {
  /** Key of the row. */
  by: "day" | "device" | "tag";
  rows: readonly SpendingRow[];
  /** Sums over all jobs, each counted once. */
  total: SpendingSums;
  /** The first and the last day, as `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** Common property of the jobs, in words. */
  about: readonly string[];
  /** Jobs may be in several rows. */
  overlapping: boolean;
  /** Records of jobs that could not be read, and so are not counted. */
  unread: readonly { problem: string }[];
}

/** Cost of jobs, in one line: `12.5 credits by 31 jobs, 2026-10-22 to 2026-11-21`. */
export const spendingText = ({ total, from, to }: Omit<Spending, "rows">) =>
  `${formatCredits(total.cost)} by ${formatCount(total.jobs, "jobs")}, ${from === to ? from : `${from} to ${to}`}`;

/** Said where a job may be in several rows. */
export const overlap = "A job with several tags counts in each of them.";

const amounts = (label: string, amount: (row: SpendingRow) => number) =>
  numbers<SpendingRow>(label, row => formatNumber(amount(row)), "decimal");

/** Shows what jobs cost: one row a day, the latest first, or one a device or tag. */
export function spendingTable(spending: Spending): RenderedView {
  const { by, rows, total, about, overlapping, unread } = spending;
  const day = by === "day";
  return table<SpendingRow>({
    caption: dotted(spendingText(spending), ...about),
    noun: day ? "days" : "jobs",
    rows: day ? rows.toReversed() : rows,
    columns: [
      day
        ? { label: "Day", value: ({ key }) => clip(key, 20) }
        : { label: by === "device" ? "Device" : "Tag", value: ({ key }) => code(clip(key, 80)) },
      amounts("Cost (credits)", row => row.cost),
      total.estimated > 0 && amounts("Estimated (credits)", row => row.estimated),
      amounts("Jobs", row => row.jobs),
      amounts("Shots", row => row.shots),
    ],
    unread,
    note: overlapping ? overlap : undefined,
  });
}
