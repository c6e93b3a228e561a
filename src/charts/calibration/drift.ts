import { type DeviceCalibration, list, oneOf } from "../../contract/index.ts";
import {
  clipLines,
  formatCount,
  formatUtc,
  median,
  medianPairError,
  numbers,
  pairErrors,
  qubitFigures,
  singleLine,
  table,
} from "../../display/index.ts";
import { panelTitleStyle } from "../apply-theme.ts";
import { round } from "../channels.ts";
import { type Chart, drawChart } from "../chart.ts";
import { concat } from "../compose/concat.ts";
import { hideAxis } from "../compose/facet.ts";
import { type FigureOptions, figureChecks } from "../options.ts";
import { lineChart } from "../rows/line.ts";
import { checkQubits } from "../state/reduced.ts";
import { figuresOf, figureText, type QubitFigure, timeUnit } from "./bars.ts";
import { type CoupledDevice, qubitCount } from "./coupling.ts";

/** Options of calibrations of several times. The width is that of a panel: 420 by default, or 120 where each qubit has one. */
export interface CalibrationDriftOptions extends FigureOptions {
  /** Small multiples: a panel a figure of the device, or a panel a qubit with its T1 and T2. Default: "figures". */
  panels?: "figures" | "qubits";
  /** Qubits that are drawn, by number, each with its own line. Default: the median of all of them, or in panels the first 30. */
  qubits?: readonly number[];
}

/** A line; the band has the quartiles of the qubits that it stands for. */
type DriftLine = { name: string; values: (number | null)[]; band?: ([low: number, high: number] | null)[] };
type DriftPanel = { name: string; kind: QubitFigure["kind"]; lines: DriftLine[] };
type CalibrationDrift = ReturnType<typeof prepare>;

const MAX_PANELS = 30;
const MAX_LINES = 16;

/** Draws how the figures of a device drift over its calibrations: medians with quartiles, or lines of single qubits. */
export function calibrationDrift(
  device: CoupledDevice,
  calibrations: readonly DeviceCalibration[],
  options: CalibrationDriftOptions = {},
): Chart<CalibrationDriftOptions> {
  return drawChart(
    {
      checks: { ...figureChecks, panels: oneOf("figures", "qubits"), qubits: list },
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
) {
  if (calibrations.length === 0) throw new RangeError("There is no calibration to draw.");
  const last = calibrations.at(-1)!;
  checkQubits(options.qubits, qubitCount(device, last), "device");
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
    const lines = requested?.slice(0, MAX_LINES).map(qubit => lineOf(qubit, `qubit ${qubit}`, read));
    return { name, kind, lines: lines ?? [medians(values)] };
  });
  if (requested && requested.length > MAX_LINES)
    subtitle.push(`The first ${MAX_LINES} of ${requested.length} qubits`);
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
        lines.map(line => {
          const label = lines.length > 1 || line.name !== "median" ? `${name}, ${line.name}` : name;
          return numbers<number>(label, index => figureText(kind, line.values[index]!));
        }),
      ),
    ],
  });
}

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

const minExtent = 48;
const COLUMNS = 5;

function panelChart({ name, kind, lines }: DriftPanel, { times, options }: CalibrationDrift): Chart {
  const isSmall = options.panels === "qubits";
  const longest = Math.max(...lines.flatMap(({ values }) => values.map(Number)));
  const unit = kind === "error" ? { name: "%", size: 0.01 } : timeUnit(longest);
  const rows = lines.flatMap(({ name: line, values, band }) =>
    values.map((value, index) => {
      const [low, high] = band?.[index] ?? [null, null];
      const [shown, from, to] = [value, low, high].map(each => each && round(each / unit.size));
      return { time: times[index]!, line, value: shown, low: from, high: to };
    }),
  );
  return lineChart(rows, {
    x: { field: "time", title: "calibrated", scale: "time" },
    y: { field: "value", title: isSmall ? unit.name : `${name}, ${unit.name}` },
    ...(lines.length > 1 && { series: "line" }),
    ...(lines.some(({ band }) => band) && { low: "low", high: "high" }),
    ...(isSmall && { points: false }),
    width: options.width ?? (isSmall ? 120 : 420),
    height: isSmall ? 64 : 96,
  });
}

function driftSpec(drift: CalibrationDrift) {
  const { panels, options } = drift;
  const isSmall = options.panels === "qubits";
  const charts = panels.map((panel, place) =>
    panelChart(panel, drift).changed(spec => {
      if (isSmall) spec.title = { text: panel.name, style: panelTitleStyle };
      else delete spec.title;
      if (place < panels.length - (isSmall ? COLUMNS : 1)) hideAxis(spec, "x");
      if (isSmall && place % COLUMNS > 0) hideAxis(spec, "y");
      for (const { encoding } of [spec, ...spec.layer]) {
        if (encoding.y?.axis) encoding.y.axis.minExtent = isSmall ? 28 : minExtent;
        for (const channel of ["color", "strokeDash"])
          if (place > 0 && encoding[channel]) encoding[channel].legend = null;
      }
    }),
  );
  return concat(charts, {
    ...{ spacing: 14, columns: isSmall ? COLUMNS : 1, shared: isSmall ? ["x", "y"] : ["x"] },
  }).source.spec;
}
