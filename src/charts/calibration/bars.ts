import type { DeviceCalibration, QubitCalibration } from "../../contract/calibration.ts";
import { list, stringValue } from "../../contract/options.ts";
import { median, oneQubitGate, qubitFigures } from "../../display/calibration.ts";
import { formatNumber, formatUtc } from "../../display/format.ts";
import { table } from "../../display/table.ts";
import { singleLine } from "../../display/text.ts";
import { pixelLength } from "../bar-options.ts";
import type { Chart } from "../chart.ts";
import { drawChart } from "../draw-chart.ts";
import type { ChartOptions } from "../theme.ts";
import { chartOptionChecks } from "../theme-options.ts";
import { barsSpec } from "./bars-spec.ts";
import { barsText } from "./bars-text.ts";
import { checkQubits } from "./checks.ts";
import { type CoupledDevice, maxDrawnQubits, qubitCount } from "./coupling.ts";
import { figureText } from "./figure-text.ts";

/** How a calibration is drawn as strips. */
export interface CalibrationBarsOptions extends ChartOptions {
  /** Qubits that are drawn, by number. Default: all of them. */
  qubits?: readonly number[];
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Width of the strips in pixels. Default: as many as the qubits need. */
  width?: number;
}

/** One figure of every qubit. */
export interface Strip {
  name: string;
  /** Errors stand on a logarithmic axis. */
  kind: "time" | "error";
  /** One value a qubit, null where it is missing; times in µs, errors from 0 to 1. */
  values: (number | null)[];
  median: number | null;
}

/** A calibration as strips, before it is drawn in one way or another. */
export interface CalibrationBars {
  title: string;
  subtitle: string[];
  qubits: number[];
  strips: Strip[];
  options: CalibrationBarsOptions;
}

/** Draws T1, T2, readout error and one-qubit error of every qubit below each other, with dashed medians. */
export function calibrationBars(
  device: CoupledDevice,
  calibration: DeviceCalibration,
  options: CalibrationBarsOptions = {},
): Chart<CalibrationBarsOptions> {
  return drawChart(
    {
      checks: { ...chartOptionChecks, qubits: list, title: stringValue, width: pixelLength },
      prepare: chosen => prepare(device, calibration, chosen),
      describe: ({ title, subtitle }) =>
        `${title}: T1, T2, readout error and one-qubit error of each qubit. ${subtitle.join(". ")}`,
      ...{ spec: barsSpec, table: qubitTable, text: barsText, records },
    },
    options,
  );
}

const records = ({ qubits, strips }: CalibrationBars) =>
  qubits.map((qubit, index) => ({
    qubit,
    ...Object.fromEntries(strips.map(({ name, values }) => [name, values[index]])),
  }));

function prepare(
  device: CoupledDevice,
  calibration: DeviceCalibration,
  options: CalibrationBarsOptions,
): CalibrationBars {
  checkQubits(options.qubits, qubitCount(device, calibration));
  const figures = qubitFigures(calibration);
  const count = Math.min(qubitCount(device, calibration), maxDrawnQubits);
  const requested = options.qubits?.filter(qubit => Number.isSafeInteger(qubit) && qubit >= 0);
  const qubits = requested
    ? [...new Set(requested)].slice(0, maxDrawnQubits)
    : Array.from({ length: count }, (_, qubit) => qubit);
  const gate = oneQubitGate(calibration);
  const strip = (
    name: string,
    kind: Strip["kind"],
    read: (qubit: QubitCalibration) => number | null | undefined,
  ): Strip => {
    const figureOf = (qubit: number) => {
      const value = figures.get(qubit) && read(figures.get(qubit)!);
      return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
    };
    const all = Array.from({ length: count }, (_, qubit) => figureOf(qubit) ?? Number.NaN);
    return { name, kind, values: qubits.map(figureOf), median: median(all) };
  };
  const strips = [
    strip("T1", "time", qubit => qubit.T1),
    strip("T2", "time", qubit => qubit.T2),
    strip("Readout error", "error", qubit => qubit.readoutError),
    ...(gate === null
      ? []
      : [strip(`${singleLine(gate, 16)} error`, "error", qubit => qubit.gateError[gate])]),
  ];
  const medians = strips.map(each => `${each.name} ${figureText(each.kind, each.median)}`);
  return {
    title: singleLine(options.title ?? device.name, 80),
    subtitle: [
      `Medians${requested ? " of all qubits" : ""} (dashed): ${medians.join(" · ")}`,
      `Calibrated ${formatUtc(calibration.lastCalibrated)}`,
    ],
    qubits,
    strips,
    options,
  };
}

function qubitTable({ title, qubits, strips }: CalibrationBars) {
  return table<number>({
    caption: title,
    noun: "qubits",
    rows: qubits.map((_, index) => index),
    limit: maxDrawnQubits,
    columns: [
      { label: "Qubit", align: "right", value: index => formatNumber(qubits[index]) },
      ...strips.map(strip => ({
        label: strip.name,
        align: "right" as const,
        value: (index: number) => figureText(strip.kind, strip.values[index]!),
      })),
    ],
  });
}
