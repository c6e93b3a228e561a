import { type DeviceCalibration, list, oneOf } from "../../contract/index.ts";
import {
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
import { round } from "../channels.ts";
import { type Chart, drawChart } from "../chart.ts";
import { panelGrid } from "../compose/facet.ts";
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
const MAX_PANELS = 30;
const MAX_LINES = 16;

/** Draws how the figures of a device drift over its calibrations: medians with quartiles, or lines of single qubits. */
export const calibrationDrift = (
  device: CoupledDevice,
  calibrations: readonly DeviceCalibration[],
  options: CalibrationDriftOptions = {},
): Chart<CalibrationDriftOptions> =>
  drawChart({ ...figureChecks, panels: oneOf("figures", "qubits"), qubits: list }, options, chosen => {
    if (calibrations.length === 0) throw new RangeError("There is no calibration to draw.");
    checkQubits(chosen.qubits, qubitCount(device, calibrations.at(-1)!), "device");
    const { panels, remarks } = panelsOf(calibrations, chosen);
    const title = singleLine(chosen.title ?? device.name, 80);
    const times = calibrations.map(({ lastCalibrated }) => lastCalibrated ?? "");
    const subtitle = [
      `${formatCount(calibrations.length, "calibrations")}, ${formatUtc(times[0])} to ${formatUtc(times.at(-1))}`,
      ...remarks,
    ];
    const lines = panels.flatMap(({ name: panel, kind, lines }) =>
      lines.map(({ name, values }) => ({ panel, kind, name, values, isSingle: lines.length === 1 })),
    );
    return {
      title,
      subtitle,
      description: `${title}: ${panels.map(({ name }) => name).join(", ")} over time. ${subtitle.join(". ")}`,
      spec: driftSpec(panels, times, chosen),
      records: () =>
        lines.flatMap(({ panel, name: line, values }) =>
          values.map((value, index) => ({ time: times[index]!, panel, line, value })),
        ),
      table: () =>
        table<number>({
          caption: title,
          noun: "calibrations",
          rows: times.map((_, index) => index),
          columns: [
            { label: "Calibrated", value: index => formatUtc(times[index]) },
            ...lines.map(({ panel, kind, name, values, isSingle }) =>
              numbers<number>(isSingle && name === "median" ? panel : `${panel}, ${name}`, index =>
                figureText(kind, values[index]!),
              ),
            ),
          ],
        }),
      text: () => [summaryText(lines)],
    };
  });

/** Returns the figures of single qubits, or of all, with what else is to be said of them. */
function panelsOf(
  calibrations: readonly DeviceCalibration[],
  { qubits, panels: kind }: CalibrationDriftOptions,
): { panels: DriftPanel[]; remarks: string[] } {
  const last = calibrations.at(-1)!;
  const figures = calibrations.map(qubitFigures);
  const requested = qubits && [...new Set(qubits)];
  const kinds = figuresOf(last);
  const firstOf = (max: number, all: readonly number[]) =>
    all.length > max ? [`The first ${max} of ${all.length} qubits`] : [];
  const lineOf = (qubit: number, name: string, read: QubitFigure["read"]): DriftLine => ({
    name,
    values: figures.map(at => read(at.get(qubit))),
  });
  const medians = (values: readonly (readonly number[])[]): DriftLine => ({
    name: "median",
    values: values.map(at => median(at)),
    band: values.map(quartiles),
  });
  if (kind === "qubits") {
    const all = requested ?? [...figures.at(-1)!.keys()];
    const panels = all.slice(0, MAX_PANELS).map(
      (qubit): DriftPanel => ({
        name: `qubit ${qubit}`,
        kind: "time",
        lines: kinds.slice(0, 2).map(({ name, read }) => lineOf(qubit, name, read)),
      }),
    );
    return { panels, remarks: firstOf(MAX_PANELS, all) };
  }
  if (requested) {
    const shown = requested.slice(0, MAX_LINES);
    const panels = kinds.map(({ name, kind, read }) => ({
      ...{ name, kind, lines: shown.map(qubit => lineOf(qubit, `qubit ${qubit}`, read)) },
    }));
    return { panels, remarks: firstOf(MAX_LINES, requested) };
  }
  const panels = kinds.map(({ name, kind, read }): DriftPanel => {
    const values = figures.map(at => [...at.values()].map(read).flatMap(value => value ?? []));
    return { name, kind, lines: [medians(values)] };
  });
  const pairs = pairErrors(last).gate;
  if (pairs !== null && medianPairError(last) !== null)
    panels.push({
      name: `${singleLine(pairs, 16)} error`,
      kind: "error",
      lines: [medians(calibrations.map(one => [...pairErrors(one, pairs).errors.values()]))],
    });
  return { panels, remarks: ["Medians with the quartiles of all qubits and pairs"] };
}

function quartiles(values: readonly number[]): [number, number] | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))]!;
  return [at(0.25), at(0.75)];
}

/** Returns a table of the ends and extremes of lines. */
function summaryText(
  lines: readonly { panel: string; name: string; kind: QubitFigure["kind"]; values: (number | null)[] }[],
): string {
  const rows = lines.map(({ panel, name, kind, values }) => {
    const known = values.filter(value => value !== null);
    const range = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [];
    const shown = [known[0], ...range, known.at(-1)];
    return [`${panel}, ${name}`, ...shown.map(value => figureText(kind, value ?? null))];
  });
  const columns = ["", "first", "least", "largest", "latest"].map((label, index) => ({
    ...{ label, align: index === 0 ? ("left" as const) : ("right" as const) },
    value: (row: string[]) => row[index],
  }));
  return table({ rows, columns }).text;
}

const minExtent = 48;
const COLUMNS = 5;

function panelChart(
  { name, kind, lines }: DriftPanel,
  times: readonly string[],
  isSmall: boolean,
  width: number = isSmall ? 120 : 420,
): Chart {
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
    width,
    height: isSmall ? 64 : 96,
  });
}

function driftSpec(
  panels: readonly DriftPanel[],
  times: readonly string[],
  options: CalibrationDriftOptions,
) {
  const isSmall = options.panels === "qubits";
  const charts = panels.map(panel => panelChart(panel, times, isSmall, options.width));
  const shared = isSmall ? (["x", "y"] as const) : (["x"] as const);
  const grid = { spacing: 14, columns: isSmall ? COLUMNS : 1, shared };
  return panelGrid(charts, grid, shared, (spec, place) => {
    if (isSmall) spec.title = { text: panels[place]!.name };
    else delete spec.title;
    for (const { encoding } of [spec, ...spec.layer]) {
      if (encoding.y?.axis) encoding.y.axis.minExtent = isSmall ? 28 : minExtent;
      for (const channel of ["color", "strokeDash"])
        if (place > 0 && encoding[channel]) encoding[channel].legend = null;
    }
  }).source.spec;
}
