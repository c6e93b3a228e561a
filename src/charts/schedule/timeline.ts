import { clip, formatCount, formatNumber, numbers, pad, singleLine, table } from "../../display/index.ts";
import { clampPixels, inline, mark, only, round, tips } from "../channels.ts";
import { type Chart, drawChart } from "../chart.ts";
import { type FigureOptions, figureChecks } from "../options.ts";
import { figureRoles, inked, neutral, series } from "../roles.ts";

/** Options of a schedule. */
export interface TimelineOptions extends FigureOptions {}

/** An operation of a schedule; times are in nanoseconds. */
export interface TimelineOperation {
  readonly kind: "gate" | "measure" | "reset" | "delay" | "barrier";
  readonly name: string;
  readonly qubits: readonly number[];
  readonly start: number;
  readonly end: number;
}

export interface TimelineData {
  readonly name: string;
  /** Nanoseconds of a shot. */
  readonly duration: number;
  readonly operations: readonly TimelineOperation[];
}

type Timeline = Omit<ReturnType<typeof readSchedule>, "idle" | "used">;

const MAX_QUBITS = 64;
const MAX_BLOCKS = 5000;

/** Draws when pulses, readouts and idle times keep the qubits of a device busy. */
export const timelineChart = (data: TimelineData, options: TimelineOptions = {}): Chart<TimelineOptions> =>
  drawChart(figureChecks, options, chosen => {
    const { used, idle, ...timeline } = readSchedule(data);
    const { qubits, blocks, duration } = timeline;
    const left = used > qubits.length ? `, the first ${MAX_QUBITS} of ${used} qubits` : "";
    const [shot, wait] = [duration, idle / qubits.length].map(micro => formatNumber(round(micro, 3)));
    const title = singleLine(chosen.title ?? data.name, 80);
    const subtitle = `${shot} µs a shot, of which qubits idle ${wait} µs on average${left}`;
    return {
      title,
      subtitle,
      description: `${title}: schedule of ${formatCount(qubits.length, "qubits")}. ${subtitle}.`,
      spec: timelineSpec(timeline, chosen.width),
      records: () => blocks,
      table: () =>
        table<(typeof blocks)[number]>({
          noun: "blocks",
          rows: blocks,
          columns: [
            numbers("Qubit", ({ qubit }) => qubit),
            { label: "Operation", value: ({ name }) => name },
            numbers("Start (µs)", ({ start }) => formatNumber(start), "decimal"),
            numbers("End (µs)", ({ end }) => formatNumber(end), "decimal"),
          ],
        }),
      text: columns => {
        const width = Math.max(20, Math.min(100, Math.floor(columns) - 8));
        return [clip(title, width), clip(subtitle, 200), ...timelineLines(timeline, width)].join("\n");
      },
    };
  });

function readSchedule({ duration, operations }: TimelineData) {
  const timed = operations.filter(
    ({ kind, start, end }) => end > start && kind !== "barrier" && kind !== "delay",
  );
  if (timed.length === 0)
    throw new RangeError("The schedule is empty: no operation of the program takes time.");
  const used = [...new Set(timed.flatMap(({ qubits }) => qubits))].sort((a, b) => a - b);
  const shown = used.slice(0, MAX_QUBITS);
  const blocks = shown.flatMap(qubit => blocksOf(qubit, timed)).slice(0, MAX_BLOCKS);
  return {
    used: used.length,
    idle: blocks.reduce((sum, { kind, start, end }) => sum + (kind === "idle" ? end - start : 0), 0),
    qubits: shown.map(String),
    blocks,
    pulses: operations.flatMap(operation => pulsesOf(operation, shown)).slice(0, MAX_BLOCKS),
    /** Microseconds of a shot. */
    duration: duration / 1000,
  };
}

const kindOf = ({ kind, qubits }: TimelineOperation) =>
  kind === "gate" ? (qubits.length > 1 ? "two-qubit gate" : "one-qubit gate") : kind;

/** Gates whose qubits have different parts: controls and a target. */
const directed = /^(?:ecr|c+[huxy]\w*|cr[xyz])$/;

/**
 * Returns an operation as one block where the rows of its qubits are neighbours, else as one a qubit; with its controls and
 * target by their rows. Its kind is `none` where it takes no time.
 */
function pulsesOf(operation: TimelineOperation, shown: readonly number[]) {
  const { kind, name, start, end } = operation;
  if (kind === "barrier" || kind === "delay") return [];
  const rows = operation.qubits.map(qubit => shown.indexOf(qubit)).filter(row => row >= 0);
  if (rows.length === 0) return [];
  const [first, last] = [Math.min(...rows), Math.max(...rows)];
  const spans = last - first < rows.length ? [[first, last] as const] : rows.map(row => [row, row] as const);
  const pins = directed.test(name)
    ? rows.map((row, place) => ({ row, pin: place === rows.length - 1 ? "t" : "c" }))
    : [];
  return spans.map(([top, bottom]) => ({
    pins: pins.filter(({ row }) => row >= top && row <= bottom),
    ...{ name: singleLine(name, 24), kind: end > start ? kindOf(operation) : "none" },
    ...{ start: round(start / 1000), end: round(end / 1000) },
    ...{ qubits: operation.qubits.join(", "), top: top - 0.34, bottom: bottom + 0.34 },
  }));
}

/** Returns the operations and idle times of a qubit, in microseconds. */
function blocksOf(qubit: number, operations: readonly TimelineOperation[]) {
  const own = operations.filter(({ qubits }) => qubits.includes(qubit)).sort((a, b) => a.start - b.start);
  let last = own[0]!.start;
  return own.flatMap(operation => {
    const { name, start, end } = operation;
    const at = (from: number, to: number) => ({
      qubit: String(qubit),
      start: round(from / 1000),
      end: round(to / 1000),
    });
    const idle = start > last ? [{ ...at(last, start), kind: "idle", name: "idle" }] : [];
    last = Math.max(last, end);
    return [...idle, { ...at(start, end), kind: kindOf(operation), name: singleLine(name, 24) }];
  });
}

const CHARACTERS: Readonly<Record<string, string>> = {
  ...{ "one-qubit gate": "▪", "two-qubit gate": "█", measure: "M", reset: "R", idle: "·" },
};

function timelineLines({ qubits, blocks, duration }: Timeline, width: number): string[] {
  const lines = qubits.map(qubit => {
    const cells = new Array<string>(width).fill(" ");
    for (const { kind, start, end } of blocks.filter(block => block.qubit === qubit)) {
      const first = Math.min(width - 1, Math.floor((start / duration) * width));
      const last = Math.max(first + 1, Math.round((end / duration) * width));
      cells.fill(CHARACTERS[kind] ?? "?", first, Math.min(last, width));
    }
    return `  ${pad(`$${qubit}`, 4, "right")} ${cells.join("")}`;
  });
  const key = Object.entries(CHARACTERS).map(([kind, character]) => `${character} ${kind}`);
  return [...lines, `  ${key.join("  ")}`];
}

const ROW_HEIGHT = 36;
const LOOKS: Readonly<Record<string, string>> = {
  "one-qubit gate": series[0],
  "two-qubit gate": series[1],
  measure: neutral,
  reset: neutral,
};

function timelineSpec({ qubits, blocks, pulses, duration }: Timeline, given = 640) {
  const width = clampPixels(given, 120);
  const room = ({ start, end }: { start: number; end: number }) => ((end - start) / duration) * width;
  const present = Object.keys(LOOKS).filter(kind => pulses.some(pulse => pulse.kind === kind));
  const scale = { domain: present, range: present.map(kind => LOOKS[kind]!) };
  const color = { field: "kind", type: "nominal", scale, legend: null };
  const x = {
    ...{ field: "start", type: "quantitative", title: "time, µs" },
    scale: { domain: [0, duration], nice: false },
    axis: { grid: true, domain: false, tickCount: 6, format: "~g" },
  };
  const y = {
    ...{ field: "top", type: "quantitative" },
    scale: { domain: [qubits.length - 0.5, -0.5], nice: false, zero: false },
    axis: {
      ...{ title: null, grid: false, domain: false, ticks: false, values: qubits.map((_, row) => row) },
      labelExpr: `${JSON.stringify(qubits.map(qubit => `$${qubit}`))}[datum.value]`,
    },
  };
  /** Wires are seen between blocks: on an unknown ground nothing would hide them behind words. */
  const wires = qubits.flatMap((qubit, row) => {
    const busy = blocks.filter(block => block.qubit === qubit && block.kind !== "idle");
    const starts = [...busy.map(({ start }) => start), duration];
    const ends = [0, ...busy.map(({ end }) => end)];
    return starts.flatMap((end, place) => (end > ends[place]! ? [{ row, start: ends[place]!, end }] : []));
  });
  const dot = { shape: "M0,-1L0.5,0L0,1L-0.5,0Z", size: 260, opacity: 1 };
  return {
    width,
    height: qubits.length * ROW_HEIGHT,
    data: {
      values: pulses.map(({ pins, ...pulse }) => {
        const written = pulse.name.length * 6.6;
        const beside = pins.length > 1 ? 0 : written + 20;
        return {
          ...pulse,
          ...(written + 6 < room(pulse) && { label: pulse.name }),
          ...(pins.length > 0 && beside + 22 < room(pulse) && { pins }),
        };
      }),
    },
    transform: [
      { calculate: "(datum.start + datum.end) / 2", as: "middle" },
      { calculate: "(datum.top + datum.bottom) / 2", as: "row" },
    ],
    encoding: { x, y },
    layer: [
      mark("rule", { color: figureRoles.guide, strokeWidth: 1 }, { x2: "end", y: "row" }, inline(wires)),
      mark(
        "rect",
        { cornerRadius: 3, fillOpacity: 0.14, strokeWidth: 1.4 },
        {
          ...{ x2: "end", y2: "bottom", fill: color, stroke: color },
          tooltip: [
            ...tips({ name: "operation", qubits: "qubits" }),
            { field: "start", type: "quantitative", title: "start (µs)" },
            { field: "end", type: "quantitative", title: "end (µs)" },
          ],
        },
        only("datum.kind !== 'none'"),
      ),
      mark(
        "text",
        { color: inked, fontSize: 12, fontWeight: 500 },
        { x: "middle", y: "row", text: "label" },
        only("isValid(datum.label)"),
      ),
      mark(
        "text",
        { align: "left", dx: 7, color: neutral, fontSize: 11 },
        { y: "row", text: "pin" },
        only(
          "isValid(datum.pins)",
          { flatten: ["pins"] },
          { calculate: "datum.pins.row", as: "row" },
          { calculate: "datum.pins.pin", as: "pin" },
        ),
      ),
      mark(
        "point",
        { ...dot, fill: figureRoles.ground, stroke: neutral, strokeWidth: 1.4 },
        { x: "middle", y: "row", tooltip: tips({ name: "takes no time", qubits: "qubit" }) },
        only("datum.kind === 'none'"),
      ),
    ],
  };
}
