import { type DeviceCalibration, list, type QubitCalibration } from "../../contract/index.ts";
import {
  formatNumber,
  formatPercent,
  formatUtc,
  median,
  missing,
  numbers,
  oneQubitGate,
  present,
  qubitFigures,
  singleLine,
  table,
} from "../../display/index.ts";
import { clampPixels, decades, inline, mark, only, round, wholeSteps } from "../channels.ts";
import { type Chart, drawChart } from "../chart.ts";
import { type FigureOptions, figureChecks } from "../options.ts";
import { figureRoles, neutral, series } from "../roles.ts";
import { checkQubits } from "../state/reduced.ts";
import { type CoupledDevice, maxDrawnQubits, qubitCount } from "./coupling.ts";
import { errorColorChannel, errorShades, errorTip } from "./error-channel.ts";
import { labelledQubits } from "./graph.ts";

/** Options of a calibration's strips, which are as wide as the qubits need by default. */
export interface CalibrationBarsOptions extends FigureOptions {
  /** Qubits that are drawn, by number. Default: all of them. */
  qubits?: readonly number[];
}

const listed = 32;

/** Draws T1, T2, readout error and one-qubit error of every qubit below each other, with dashed medians. */
export const calibrationBars = (
  device: CoupledDevice,
  calibration: DeviceCalibration,
  options: CalibrationBarsOptions = {},
): Chart<CalibrationBarsOptions> =>
  drawChart({ ...figureChecks, qubits: list }, options, chosen => {
    checkQubits(chosen.qubits, qubitCount(device, calibration), "device");
    const figures = qubitFigures(calibration);
    const count = Math.min(qubitCount(device, calibration), maxDrawnQubits);
    const all = Array.from({ length: count }, (_, qubit) => qubit);
    const qubits = [...new Set(chosen.qubits ?? all)].slice(0, maxDrawnQubits);
    const strips = figuresOf(calibration).map(({ name, kind, read }) => {
      const figureOf = (qubit: number) => read(figures.get(qubit));
      const known = all.map(qubit => figureOf(qubit) ?? Number.NaN);
      return { name, kind, values: qubits.map(figureOf), median: median(known) };
    });
    const medians = strips.map(each => `${each.name} ${figureText(each.kind, each.median)}`);
    const title = singleLine(chosen.title ?? device.name, 80);
    const subtitle = [
      `Medians${chosen.qubits ? " of all qubits" : ""} (dashed): ${medians.join(" · ")}`,
      `Calibrated ${formatUtc(calibration.lastCalibrated)}`,
    ];
    const qubitTable = (caption: string, limit: number) =>
      table<number>({
        caption,
        noun: "qubits",
        rows: qubits.map((_, index) => index),
        limit,
        columns: [
          numbers("Qubit", index => formatNumber(qubits[index])),
          ...strips.map(({ name, kind, values }) =>
            numbers<number>(name, index => figureText(kind, values[index]!)),
          ),
        ],
      });
    return {
      title,
      subtitle,
      description: `${title}: T1, T2, readout error and one-qubit error of each qubit. ${subtitle.join(". ")}`,
      spec: barsSpec(qubits, strips, chosen.width),
      table: () => qubitTable(title, maxDrawnQubits),
      text: () => [qubitTable("", listed).text],
      records: () =>
        qubits.map((qubit, index) => ({
          qubit,
          ...Object.fromEntries(strips.map(({ name, values }) => [name, values[index]])),
        })),
    };
  });

interface Strip {
  name: string;
  kind: QubitFigure["kind"];
  values: readonly (number | null)[];
  median: number | null;
}

const height = 72;
/** Room for the numbers beside a strip, which aligns the names of all strips. */
const minExtent = 48;

export const timeUnit = (longest: number) =>
  longest >= 1e5 ? { name: "s", size: 1e6 } : { name: "µs", size: 1 };

function errorDomainOf(values: readonly number[]): [number, number] {
  const positive = values.filter(value => value > 0);
  if (positive.length === 0) return [0.001, 0.1];
  const [low, high] = [Math.min(...positive), Math.max(...positive)];
  const from = 10 ** Math.floor(Math.log10(low) - 0.05);
  return [from, Math.max(from * 10, Math.min(1, high * 1.3))];
}

function stripSpec(strip: Strip, place: number, qubits: readonly number[], width: number, last: boolean) {
  const known = strip.values.filter(value => value !== null);
  const longest = Math.max(0, ...known);
  const unit = timeUnit(longest);
  const [floor, ceiling] = errorDomainOf(known);
  const timed = strip.kind === "time";
  const shown = (value: number) => (timed ? value / unit.size : Math.max(value, floor));
  const rising = qubits.every((qubit, index) => index === 0 || qubit > qubits[index - 1]!);
  const figure = `datum.v${place}`;
  const derived = timed
    ? [
        { calculate: `${figure} / ${unit.size}`, as: "value" },
        { calculate: `format(datum.value, '.3~r') + ' ${unit.name}'`, as: "written" },
      ]
    : [
        { calculate: figure, as: "error" },
        { calculate: `max(datum.error, ${floor})`, as: "value" },
        ...errorShades,
      ];
  const step = width / Math.max(1, qubits.length);
  const bar = Math.max(0.8, Math.min(28, step * 0.72));
  const size = round(Math.max(3, Math.min(9, step * 0.8)) ** 2);
  const y = {
    field: "value",
    type: "quantitative",
    title: timed ? `${strip.name} (${unit.name})` : strip.name,
    scale: timed
      ? { domainMin: 0, ...(longest === 0 && { domainMax: 1 }) }
      : { type: "log", domain: [floor, ceiling], nice: false },
    /** Vega-Lite puts each stacked bar with round corners into its own group, within which brushes lose their place. */
    stack: null,
    axis: {
      minExtent,
      ...(timed
        ? { tickCount: 3 }
        : { values: decades(floor, ceiling), labelExpr: "format(datum.value * 100, '~g') + ' %'" }),
    },
  };
  const tooltip = [{ field: "qubit", type: "quantitative", title: "qubit" }, errorTip(strip.name)];
  const rows = only(`isValid(${figure})`, ...derived);
  const point = { filled: true, opacity: 1, size, stroke: figureRoles.casing, strokeWidth: 0.9 };
  const rule = { color: neutral, opacity: 0.6, strokeWidth: Math.min(1.5, bar) };
  const marks = timed
    ? [
        mark(
          "bar",
          { width: bar, color: series[0], cornerRadiusEnd: Math.min(2, bar / 6) },
          { y, tooltip },
          rows,
        ),
      ]
    : [
        mark("rule", rule, { y, y2: { datum: floor } }, rows),
        mark("point", point, { y, tooltip, color: errorColorChannel }, rows),
      ];
  return {
    width,
    height,
    encoding: {
      x: {
        field: "qubit",
        type: "ordinal",
        ...(rising ? { sort: "ascending" } : { sort: null, scale: { domain: qubits } }),
        axis: {
          title: last ? "qubit" : null,
          labels: last,
          values: labelledQubits(qubits, width),
          labelAngle: 0,
        },
      },
    },
    layer: present([
      ...marks,
      mark(
        "text",
        { text: "–", color: neutral, fontSize: 11, baseline: "bottom", tooltip: null },
        { y: height },
        only(`!isValid(${figure})`),
      ),
      strip.median !== null &&
        mark(
          "rule",
          { color: neutral, strokeDash: [4, 3], strokeWidth: 1.25 },
          {
            ...{ x: 0, x2: { value: "width" } },
            y: { datum: round(shown(strip.median)), type: "quantitative" },
          },
          inline(),
        ),
    ]),
  };
}

function barsSpec(qubits: readonly number[], strips: readonly Strip[], given: number | undefined) {
  const width = given
    ? clampPixels(given, 120)
    : wholeSteps(clampPixels(qubits.length * 26, 280, 640), qubits.length);
  /** A row a qubit has the figure of each strip under the strip's place: `v0`, `v1`, … */
  const values = qubits.map((qubit, index) => {
    const figures = strips.flatMap(({ values }, strip) => {
      const value = values[index] ?? null;
      return value === null ? [] : [[`v${strip}`, round(value, 3)] as const];
    });
    return { qubit, ...Object.fromEntries(figures) };
  });
  return {
    spacing: 10,
    ...inline(values),
    vconcat: strips.map((strip, place) =>
      stripSpec(strip, place, qubits, width, place === strips.length - 1),
    ),
  };
}

export type QubitFigure = ReturnType<typeof figuresOf>[number];

/**
 * Returns the figures that the qubits of a calibration have: T1, T2, readout error and that of a one-qubit gate. Times are
 * in microseconds, errors from 0 to 1; null where one is missing.
 */
export function figuresOf(calibration: DeviceCalibration) {
  const gate = oneQubitGate(calibration);
  const figure = (
    name: string,
    kind: "time" | "error",
    read: (qubit: QubitCalibration) => number | null | undefined,
  ) => ({
    name,
    kind,
    read(qubit: QubitCalibration | undefined): number | null {
      const value = qubit && read(qubit);
      return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
    },
  });
  return present([
    figure("T1", "time", qubit => qubit.T1),
    figure("T2", "time", qubit => qubit.T2),
    figure("Readout error", "error", qubit => qubit.readoutError),
    gate !== null && figure(`${singleLine(gate, 16)} error`, "error", qubit => qubit.gateError[gate]),
  ]);
}

/** Returns a figure in its unit: `112.1 µs`, `188 s`, `0.31 %`. */
export function figureText(kind: QubitFigure["kind"], value: number | null): string {
  if (kind === "error") return formatPercent(value);
  if (value === null) return missing;
  const shown = (amount: number) => formatNumber(Number(amount.toPrecision(3)));
  return value < 1e5 ? `${shown(value)} µs` : `${shown(value / 1e6)} s`;
}
