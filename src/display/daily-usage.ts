import { formatNumber } from "./format.ts";
import type { RenderedView } from "./rendered-view.ts";
import { type Column, type TableRemarks, table } from "./table.ts";
import { clip } from "./text.ts";

/** Jobs that completed on one simulator on one day. */
export interface SimulatorDay {
  /** `YYYY-MM-DD`. */
  date: string;
  /** Resource name of the simulator. */
  deviceQrn: string;
  /** How many jobs completed. */
  count: number;
}

/** The usage of several simulators, one count a day for each. */
export interface UsageMatrix {
  /** Days in their order. */
  dates: string[];
  /** The simulators, the most used first, each with its count on every day. */
  simulators: { deviceQrn: string; counts: number[]; total: number }[];
}

/** Arranges counts by day and by simulator; a count that is missing is 0. */
export function usageMatrix(rows: readonly SimulatorDay[]): UsageMatrix {
  const dates = [...new Set(rows.map(({ date }) => date))].sort();
  const positions = new Map(dates.map((date, index) => [date, index]));
  const counts = new Map<string, number[]>();
  for (const { date, deviceQrn, count } of rows) {
    const own = counts.get(deviceQrn) ?? new Array<number>(dates.length).fill(0);
    own[positions.get(date)!]! += count;
    counts.set(deviceQrn, own);
  }
  const simulators = Array.from(counts, ([deviceQrn, own]) => ({
    deviceQrn,
    counts: own,
    total: sumOf(own),
  }));
  return { dates, simulators: simulators.toSorted((a, b) => b.total - a.total) };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** One simulator of some, or all others together. */
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

/** The last part of a resource name, where no other has the same. */
function shortName(qrn: string, all: UsageMatrix["simulators"]): string {
  const last = (name: string) => name.slice(name.lastIndexOf(":") + 1);
  const own = last(qrn);
  return all.filter(({ deviceQrn }) => last(deviceQrn) === own).length === 1 ? own : qrn;
}

const maxColumns = 12;

/** Shows completed jobs of several simulators: one row a day, the latest first, one column a simulator. */
export function dailyUsageTable(rows: readonly SimulatorDay[], remarks: TableRemarks = {}): RenderedView {
  const usage = usageMatrix(rows);
  const column = (label: string, count: (day: number) => number): Column<number> => ({
    label,
    align: "right",
    value: day => formatNumber(count(day)),
  });
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
