import { stringValue } from "../../contract/options.ts";
import { formatCount, formatNumber } from "../../display/format.ts";
import { table } from "../../display/table.ts";
import { clip, pad, singleLine } from "../../display/text.ts";
import { pixelLength } from "../bar-options.ts";
import type { Chart } from "../chart.ts";
import { drawChart } from "../draw-chart.ts";
import type { ChartOptions } from "../theme.ts";
import { chartOptionChecks } from "../theme-options.ts";
import { timelineSpec } from "./timeline-spec.ts";

/** How a schedule is drawn. */
export interface TimelineOptions extends ChartOptions {
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Width in pixels. Default: 720. */
  width?: number;
}

/** An operation of a schedule; times are in nanoseconds. */
export interface TimelineOperation {
  readonly kind: "gate" | "measure" | "reset" | "delay" | "barrier";
  readonly name: string;
  readonly qubits: readonly number[];
  readonly start: number;
  readonly end: number;
}

/** When operations run on a device. */
export interface TimelineData {
  readonly name: string;
  /** Nanoseconds of a shot. */
  readonly duration: number;
  readonly operations: readonly TimelineOperation[];
}

/** What keeps a qubit busy, or idle, for a time, in microseconds. */
export interface TimelineBlock {
  readonly qubit: string;
  readonly kind: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A schedule before it is drawn in one way or another. */
export interface Timeline {
  readonly title: string;
  readonly subtitle: string;
  readonly qubits: readonly string[];
  readonly blocks: readonly TimelineBlock[];
  readonly duration: number;
  readonly options: TimelineOptions;
}

const MAX_QUBITS = 64;
const MAX_BLOCKS = 5000;

/** Draws when pulses, readouts and idle times keep the qubits of a device busy. */
export function timelineChart(data: TimelineData, options: TimelineOptions = {}): Chart<TimelineOptions> {
  return drawChart(
    {
      checks: { ...chartOptionChecks, title: stringValue, width: pixelLength },
      prepare: chosen => prepare(data, chosen),
      describe: ({ title, subtitle, qubits }) =>
        `${title}: schedule of ${formatCount(qubits.length, "qubits")}. ${subtitle}.`,
      spec: timelineSpec,
      table: timelineTable,
      text: timelineText,
      records: ({ blocks }) => blocks,
    },
    options,
  );
}

function prepare({ name, duration, operations }: TimelineData, options: TimelineOptions): Timeline {
  const timed = operations.filter(
    ({ kind, start, end }) => end > start && kind !== "barrier" && kind !== "delay",
  );
  if (timed.length === 0)
    throw new RangeError("The schedule is empty: no operation of the program takes time.");
  const used = [...new Set(timed.flatMap(({ qubits }) => qubits))].sort((a, b) => a - b);
  const shown = used.slice(0, MAX_QUBITS);
  const blocks = shown.flatMap(qubit => blocksOf(qubit, timed)).slice(0, MAX_BLOCKS);
  const idle = blocks.reduce((sum, { kind, start, end }) => sum + (kind === "idle" ? end - start : 0), 0);
  const micro = duration / 1000;
  const left = used.length > shown.length ? `, the first ${MAX_QUBITS} of ${used.length} qubits` : "";
  return {
    title: singleLine(options.title ?? name, 80),
    subtitle: `${formatNumber(rounded(micro, 3))} µs a shot, of which qubits idle ${formatNumber(rounded(idle / shown.length, 3))} µs on average${left}`,
    qubits: shown.map(String),
    blocks,
    duration: micro,
    options,
  };
}

/** Returns what a qubit does, and between its operations that it idles. */
function blocksOf(qubit: number, operations: readonly TimelineOperation[]): TimelineBlock[] {
  const own = operations.filter(({ qubits }) => qubits.includes(qubit)).sort((a, b) => a.start - b.start);
  let last = own[0]!.start;
  return own.flatMap(({ kind, name, qubits, start, end }) => {
    const at = (from: number, to: number) => ({
      qubit: String(qubit),
      start: rounded(from / 1000, 6),
      end: rounded(to / 1000, 6),
    });
    const idle = start > last ? [{ ...at(last, start), kind: "idle", name: "idle" }] : [];
    last = Math.max(last, end);
    const what = kind === "gate" ? (qubits.length > 1 ? "two-qubit gate" : "one-qubit gate") : kind;
    return [...idle, { ...at(start, end), kind: what, name: singleLine(name, 24) }];
  });
}

const rounded = (value: number, digits: number) => Number(value.toPrecision(digits));

const timelineTable = ({ blocks }: Timeline) =>
  table<TimelineBlock>({
    noun: "blocks",
    rows: blocks,
    columns: [
      { label: "Qubit", align: "right", value: ({ qubit }) => qubit },
      { label: "Operation", value: ({ name }) => name },
      { label: "Start (µs)", align: "decimal", value: ({ start }) => formatNumber(start) },
      { label: "End (µs)", align: "decimal", value: ({ end }) => formatNumber(end) },
    ],
  });

const CHARACTERS: Readonly<Record<string, string>> = {
  "one-qubit gate": "▪",
  "two-qubit gate": "█",
  measure: "M",
  reset: "R",
  idle: "·",
};

/** Draws a line of characters a qubit. */
function timelineText({ title, subtitle, qubits, blocks, duration }: Timeline, columns: number): string {
  const width = Math.max(20, Math.min(100, Math.floor(columns) - 8));
  const lines = qubits.map(qubit => {
    const cells = new Array<string>(width).fill(" ");
    for (const { kind, start, end } of blocks.filter(block => block.qubit === qubit)) {
      const first = Math.min(width - 1, Math.floor((start / duration) * width));
      const last = Math.max(first + 1, Math.round((end / duration) * width));
      cells.fill(CHARACTERS[kind] ?? "?", first, Math.min(last, width));
    }
    return `  ${pad(qubit, 4, "right")} ${cells.join("")}`;
  });
  const key = "▪ one-qubit gate  █ two-qubit gate  M measure  R reset  · idle";
  return [clip(title, width), clip(subtitle, 200), ...lines, `  ${key}`].join("\n");
}
