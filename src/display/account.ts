import type { CreditBalance, CreditPricing, SimulatorUsage, UsageDay } from "../contract/index.ts";
import type { RenderedView } from "./bundle.ts";
import { type Cell, card, code, type Fact, html, meter } from "./cell.ts";
import { formatAge, formatBytes, formatNumber, lazyFormat, missing } from "./format.ts";
import type { TimeReference } from "./job.ts";
import { tone } from "./palette.ts";
import { numbers, type TableRemarks, table } from "./table.ts";
import { clip } from "./text.ts";

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

export interface BalanceCardOptions {
  /** Credits that the caller's jobs cost so far: with them, a bar shows how much is left. */
  spent?: number | null | undefined;
}

export function balanceCard(balance: CreditBalance, { spent }: BalanceCardOptions = {}): RenderedView {
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

export interface UsageMatrix {
  dates: string[];
  /** The simulators, the most used first, each with its count on every day. */
  simulators: { deviceQrn: string; counts: number[]; total: number }[];
}

/** Arranges counts by day and by simulator; a count that is missing is 0. */
export function usageMatrix(rows: readonly SimulatorDay[]): UsageMatrix {
  const dates = [...new Set(rows.map(({ date }) => date))].sort();
  const groups = Map.groupBy(rows, ({ deviceQrn }) => deviceQrn);
  const simulators = Array.from(groups, ([deviceQrn, own]) => {
    const counts = dates.map(day => sumOf(own.map(({ date, count }) => (date === day ? count : 0))));
    return { deviceQrn, counts, total: sumOf(counts) };
  });
  return { dates, simulators: simulators.toSorted((a, b) => b.total - a.total) };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

export interface UsagePart {
  name: string;
  counts: readonly number[];
  other: boolean;
}

/** So many of the simulators, by short names where those are clear, and all others as one. */
export function usageParts({ dates, simulators }: UsageMatrix, top: number): UsagePart[] {
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
