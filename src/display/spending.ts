import type { RenderedView } from "./bundle.ts";
import { code } from "./cell.ts";
import { formatCount, formatCredits, formatNumber } from "./format.ts";
import { numbers, table } from "./table.ts";
import { clip, dotted } from "./text.ts";

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
