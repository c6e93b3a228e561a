import type { DeviceCalibration } from "../../contract/calibration.ts";
import { list, oneOf, stringValue } from "../../contract/options.ts";
import { median, medianPairError, pairErrors, qubitFigures } from "../../display/calibration.ts";
import { formatCount, formatUtc } from "../../display/format.ts";
import { table } from "../../display/table.ts";
import { clipLines, singleLine } from "../../display/text.ts";
import { pixelLength } from "../bar-options.ts";
import { round } from "../channels.ts";
import type { Chart } from "../chart.ts";
import { drawChart } from "../draw-chart.ts";
import { series } from "../roles.ts";
import { dashed, dashes } from "../rows/plot-channels.ts";
import type { ChartOptions } from "../theme.ts";
import { chartOptionChecks } from "../theme-options.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import { checkQubits } from "./checks.ts";
import { type CoupledDevice, qubitCount } from "./coupling.ts";
import { figuresOf, figureText, type QubitFigure } from "./figures.ts";

/** How calibrations of several times are drawn. */
export interface CalibrationDriftOptions extends ChartOptions {
  /** Small multiples: a panel a figure of the device, or a panel a qubit with its T1 and T2. Default: "figures". */
  panels?: "figures" | "qubits";
  /** Qubits that are drawn, by number, each with a line of its own. Default: the median of all of them, or in panels the first 30. */
  qubits?: readonly number[];
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Width of a panel in pixels. Default: 420, or 120 where each qubit has a panel. */
  width?: number;
}

/** One panel: a figure over time, or a qubit. */
export interface DriftPanel {
  readonly name: string;
  /** Errors are shown in per cent, times in microseconds or seconds. */
  readonly kind: "time" | "error";
  readonly lines: readonly DriftLine[];
}

/** One line: values at the calibrations' times, null where they are missing. */
export interface DriftLine {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** The quartiles of the qubits that it stands for. */
  readonly band?: readonly (readonly [low: number, high: number] | null)[];
}

/** Calibrations over time, before they are drawn in one way or another. */
export interface CalibrationDrift {
  readonly title: string;
  readonly subtitle: readonly string[];
  readonly times: readonly string[];
  readonly panels: readonly DriftPanel[];
  readonly options: CalibrationDriftOptions;
}

const MAX_PANELS = 30;

/** Draws how the figures of a device drift over its calibrations: medians with quartiles, or lines of single qubits. */
export function calibrationDrift(
  device: CoupledDevice,
  calibrations: readonly DeviceCalibration[],
  options: CalibrationDriftOptions = {},
): Chart<CalibrationDriftOptions> {
  return drawChart(
    {
      checks: {
        ...chartOptionChecks,
        panels: oneOf("figures", "qubits"),
        qubits: list,
        title: stringValue,
        width: pixelLength,
      },
      prepare: chosen => prepare(device, calibrations, chosen),
      describe: ({ title, subtitle, panels }) =>
        `${title}: ${panels.map(({ name }) => name).join(", ")} over time. ${subtitle.join(". ")}`,
      ...{ spec: driftSpec, table: driftTable, text: driftText, records },
    },
    options,
  );
}

function prepare(
  device: CoupledDevice,
  calibrations: readonly DeviceCalibration[],
  options: CalibrationDriftOptions,
): CalibrationDrift {
  if (calibrations.length === 0) throw new RangeError("There is no calibration to draw.");
  const last = calibrations.at(-1)!;
  checkQubits(options.qubits, qubitCount(device, last));
  const figures = calibrations.map(qubitFigures);
  const requested = options.qubits && [...new Set(options.qubits)];
  const kinds = figuresOf(last);
  const lineOf = (qubit: number, name: string, read: QubitFigure["read"]): DriftLine => ({
    name,
    values: figures.map(at => read(at.get(qubit))),
  });
  const medians = (values: readonly (readonly number[])[]): DriftLine => ({
    name: "median",
    values: values.map(at => median(at)),
    band: values.map(quartiles),
  });
  const title = singleLine(options.title ?? device.name, 80);
  const times = calibrations.map(({ lastCalibrated }) => lastCalibrated ?? "");
  const subtitle = [
    `${formatCount(calibrations.length, "calibrations")}, ${formatUtc(times[0])} to ${formatUtc(times.at(-1))}`,
  ];
  if (options.panels === "qubits") {
    const all = requested ?? [...figures.at(-1)!.keys()];
    const panels = all.slice(0, MAX_PANELS).map(
      (qubit): DriftPanel => ({
        name: `qubit ${qubit}`,
        kind: "time",
        lines: kinds.slice(0, 2).map(({ name, read }) => lineOf(qubit, name, read)),
      }),
    );
    if (all.length > panels.length) subtitle.push(`The first ${MAX_PANELS} of ${all.length} qubits`);
    return { title, subtitle, times, panels, options };
  }
  const panels = kinds.map(({ name, kind, read }): DriftPanel => {
    const values = figures.map(at => [...at.values()].map(read).flatMap(value => value ?? []));
    const lines = requested?.slice(0, MAX_PANELS).map(qubit => lineOf(qubit, `qubit ${qubit}`, read));
    return { name, kind, lines: lines ?? [medians(values)] };
  });
  const pairs = pairErrors(last).gate;
  if (pairs !== null && medianPairError(last) !== null && !requested)
    panels.push({
      name: `${singleLine(pairs, 16)} error`,
      kind: "error",
      lines: [medians(calibrations.map(one => [...pairErrors(one, pairs).errors.values()]))],
    });
  if (!requested) subtitle.push("Medians with the quartiles of all qubits and pairs");
  return { title, subtitle, times, panels, options };
}

function quartiles(values: readonly number[]): [number, number] | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))]!;
  return [at(0.25), at(0.75)];
}

const records = ({ times, panels }: CalibrationDrift) =>
  panels.flatMap(({ name: panel, lines }) =>
    lines.flatMap(({ name, values }) =>
      values.map((value, i) => ({ time: times[i]!, panel, line: name, value })),
    ),
  );

function driftTable(drift: CalibrationDrift) {
  return table<number>({
    caption: drift.title,
    noun: "calibrations",
    rows: drift.times.map((_, index) => index),
    limit: 100,
    columns: [
      { label: "Calibrated", value: index => formatUtc(drift.times[index]) },
      ...drift.panels.flatMap(({ name, kind, lines }) =>
        lines.map(line => ({
          label: lines.length > 1 || line.name !== "median" ? `${name}, ${line.name}` : name,
          align: "right" as const,
          value: (index: number) => figureText(kind, line.values[index]!),
        })),
      ),
    ],
  });
}

/** Formats each line of a drift as first, least, largest and latest value, in lines of at most `columns` characters. */
function driftText({ title, subtitle, panels }: CalibrationDrift, columns: number): string {
  const rows = panels.flatMap(({ name, kind, lines }) =>
    lines.map(({ name: line, values }) => {
      const known = values.filter(value => value !== null);
      const range = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [];
      const shown = [known[0], range[0], range[1], known.at(-1)].map(value =>
        figureText(kind, value ?? null),
      );
      return [`${name}, ${line}`, ...shown];
    }),
  );
  const headings = ["", "first", "least", "largest", "latest"];
  const { text } = table<string[]>({
    rows,
    columns: headings.map((label, index) => ({
      label,
      align: index === 0 ? "left" : "right",
      value: row => row[index]!,
    })),
  });
  return clipLines([title, ...subtitle, text], columns);
}

const HEIGHT = { figures: 84, qubits: 64 } as const;
/** Room for the numbers beside a panel, so that all panels stand in one line. */
const minExtent = 48;
const COLUMNS = 5;

/** Returns a panel's rows: times in their unit, errors as shares. */
function rowsOf({ lines }: DriftPanel, times: readonly string[], size: number) {
  return lines.flatMap(({ name, values, band }) =>
    values.flatMap((value, i) => {
      if (value === null) return [];
      const ends = band?.[i];
      const between = ends ? { low: round(ends[0] / size), high: round(ends[1] / size) } : {};
      return [{ time: times[i]!, line: name, value: round(value / size), ...between }];
    }),
  );
}

function panelSpec(panel: DriftPanel, { times, panels, options }: CalibrationDrift, place: number) {
  const isSmall = options.panels === "qubits";
  const width = clampPixels(options.width ?? (isSmall ? 120 : 420), 60, 2000);
  const known = panel.lines.flatMap(({ values }) => values.filter(value => value !== null));
  const isLong = panel.kind === "time" && Math.max(0, ...known) >= 1e5;
  const isLast = isSmall ? place >= panels.length - COLUMNS : place === panels.length - 1;
  const unit = panel.kind === "error" ? "" : isLong ? " (s)" : " (µs)";
  const names = panel.lines.map(({ name }) => name);
  const title = isSmall ? (place % COLUMNS === 0 ? "µs" : null) : `${panel.name}${unit}`;
  const y = (field: string) => ({
    field,
    type: "quantitative",
    title,
    scale: { zero: false, nice: true },
    axis: {
      tickCount: 3,
      minExtent: isSmall ? 28 : minExtent,
      ...(panel.kind === "error" && { labelExpr: "format(datum.value * 100, '.2~g') + ' %'" }),
    },
  });
  const color = {
    field: "line",
    type: "nominal",
    scale: { domain: names, range: names.map((_, i) => series[i % series.length]) },
    legend: names.length > 1 && place === 0 ? { title: null, ...dashed } : null,
  };
  const range = names.map((_, i) => dashes[Math.floor(i / series.length) % dashes.length]);
  const strokeDash = { ...color, scale: { domain: names, range } };
  return {
    width,
    height: HEIGHT[isSmall ? "qubits" : "figures"],
    ...(isSmall && { title: { text: panel.name, fontSize: 11 } }),
    data: { values: rowsOf(panel, times, isLong ? 1e6 : 1) },
    encoding: {
      x: {
        field: "time",
        type: "temporal",
        scale: { type: "utc" },
        axis: { title: null, labels: isLast, tickCount: isSmall ? 3 : 6, format: "%d %b" },
      },
    },
    layer: [
      ...(panel.lines.some(({ band }) => band)
        ? [
            {
              mark: { type: "area", opacity: 0.18, interpolate: "step-after" },
              encoding: { y: y("low"), y2: { field: "high" }, color },
            },
          ]
        : []),
      {
        mark: { type: "line", interpolate: "step-after", strokeWidth: 1.75 },
        encoding: { y: y("value"), color, ...(names.length > series.length && { strokeDash }) },
      },
      {
        mark: { type: "point", filled: true, size: isSmall ? 6 : 14 },
        encoding: {
          y: y("value"),
          color,
          tooltip: [
            { field: "time", type: "temporal", title: "calibrated", format: "%Y-%m-%d %H:%M" },
            { field: "line", type: "nominal", title: "of" },
            { field: "value", type: "quantitative", title: `${panel.name}${unit}`, format: ".3~g" },
          ],
        },
      },
    ],
  };
}

/** Draws the drift of a device's figures as a Vega-Lite specification. */
function driftSpec(drift: CalibrationDrift, description: string): VegaLiteSpec {
  const { title, subtitle, panels, options } = drift;
  const drawn = panels.map((panel, place) => panelSpec(panel, drift, place));
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    spacing: options.panels === "qubits" ? 14 : 10,
    ...(options.panels === "qubits" ? { concat: drawn, columns: COLUMNS } : { vconcat: drawn }),
  });
}
