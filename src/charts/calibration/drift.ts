import type { DeviceCalibration, QubitCalibration } from "../../contract/calibration.ts";
import { list, oneOf, stringValue } from "../../contract/options.ts";
import {
  median,
  medianPairError,
  oneQubitGate,
  pairErrors,
  qubitFigures,
} from "../../display/calibration.ts";
import { formatCount, formatUtc } from "../../display/format.ts";
import { table } from "../../display/table.ts";
import { singleLine } from "../../display/text.ts";
import { pixelLength } from "../bar-options.ts";
import type { Chart } from "../chart.ts";
import { drawChart } from "../draw-chart.ts";
import type { ChartOptions } from "../theme.ts";
import { chartOptionChecks } from "../theme-options.ts";
import { checkQubits } from "./checks.ts";
import { type CoupledDevice, qubitCount } from "./coupling.ts";
import { driftSpec } from "./drift-spec.ts";
import { driftText } from "./drift-text.ts";
import { figureText } from "./figure-text.ts";

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
  const gate = oneQubitGate(last);
  const kinds: {
    name: string;
    kind: DriftPanel["kind"];
    read: (qubit: QubitCalibration) => number | null;
  }[] = [
    { name: "T1", kind: "time", read: qubit => qubit.T1 },
    { name: "T2", kind: "time", read: qubit => qubit.T2 },
    { name: "Readout error", kind: "error", read: qubit => qubit.readoutError },
    ...(gate === null
      ? []
      : [
          {
            name: `${singleLine(gate, 16)} error`,
            kind: "error" as const,
            read: (qubit: QubitCalibration) => qubit.gateError[gate] ?? null,
          },
        ]),
  ];
  const lineOf = (
    qubit: number,
    name: string,
    read: (qubit: QubitCalibration) => number | null,
  ): DriftLine => ({
    name,
    values: figures.map(at => finite(at.get(qubit) ? read(at.get(qubit)!) : null)),
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
    const values = figures.map(at => [...at.values()].map(read).flatMap(value => finite(value) ?? []));
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

const finite = (value: number | null | undefined): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;

function quartiles(values: readonly number[]): [number, number] | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.round(part * (sorted.length - 1))]!;
  return [at(0.25), at(0.75)];
}

const rowsOf = ({ times, panels }: CalibrationDrift) =>
  panels.flatMap(({ name: panel, lines }) =>
    lines.flatMap(({ name, values }) =>
      values.map((value, i) => ({ time: times[i]!, panel, line: name, value })),
    ),
  );

const records = rowsOf;

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
