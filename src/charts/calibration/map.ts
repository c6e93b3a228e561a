import type { DeviceCalibration } from "../../contract/calibration.ts";
import { stringValue } from "../../contract/options.ts";
import { median, type Pair, pairErrors, pairName, qubitFigures } from "../../display/calibration.ts";
import { errorColor, errorShare } from "../../display/error-ramp.ts";
import { formatNumber, formatPercent, formatUtc } from "../../display/format.ts";
import { meter } from "../../display/meter.ts";
import { table } from "../../display/table.ts";
import { clip, singleLine } from "../../display/text.ts";
import { pixelLength } from "../bar-options.ts";
import type { Chart } from "../chart.ts";
import { drawChart } from "../draw-chart.ts";
import type { ChartOptions } from "../theme.ts";
import { chartOptionChecks } from "../theme-options.ts";
import { checkGate } from "./checks.ts";
import { type CoupledDevice, type Coupling, couplingOf, qubitCount } from "./coupling.ts";
import { mapSpec } from "./map-spec.ts";
import { byError, mapText } from "./map-text.ts";
import { matrixSpec } from "./matrix-spec.ts";

/** How a calibration is drawn as a map. */
export interface CalibrationMapOptions extends ChartOptions {
  /** The two-qubit gate whose errors are drawn. Default: the one with the most calibrated pairs. */
  gate?: string;
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Maximum width of the map in pixels. Default: 640. */
  width?: number;
}

/** A joined pair of qubits; the error is null where it is not calibrated. */
export interface DrawnPair extends Pair {
  error: number | null;
}

/** A calibration prepared, before it is drawn in one way or another. */
export interface CalibrationMap {
  title: string;
  subtitle: string[];
  /** The two-qubit gate; null where none is calibrated. */
  gate: string | null;
  pairs: DrawnPair[];
  /** Readout error of each qubit, null where it is missing. */
  qubits: { qubit: number; error: number | null }[];
  coupling: Coupling;
  options: CalibrationMapOptions;
}

/**
 * Draws how well a device's qubits work together: its coupling graph with the error of each pair as colour and
 * width and the readout error of each qubit as colour and size; a matrix where all qubits are joined. Colours
 * stand for the same errors on every device and day.
 */
export function calibrationMap(
  device: CoupledDevice,
  calibration: DeviceCalibration,
  options: CalibrationMapOptions = {},
): Chart<CalibrationMapOptions> {
  return drawChart(
    {
      checks: { ...chartOptionChecks, gate: stringValue, title: stringValue, width: pixelLength },
      prepare: chosen => {
        checkGate(calibration, chosen.gate);
        return prepare(device, calibration, chosen);
      },
      describe: ({ title, subtitle, coupling }) =>
        `${title}: ${coupling.layout ? "coupling graph" : "matrix of pairs"}. ${subtitle.join(". ")}`,
      spec: (map, description) =>
        map.coupling.layout ? mapSpec(map, map.coupling.layout, description) : matrixSpec(map, description),
      ...{ table: qubitTable, text: mapText },
    },
    options,
  );
}

/** Returns the figures of a map, in words. */
export function prepare(
  device: CoupledDevice,
  calibration: DeviceCalibration,
  options: CalibrationMapOptions = {},
): CalibrationMap {
  const coupling = couplingOf(device, calibration);
  const { gate, errors } = pairErrors(calibration, options.gate);
  const figures = qubitFigures(calibration);
  const pairs = coupling.pairs.map(({ a, b }) => ({ a, b, error: errors.get(pairName(a, b)) ?? null }));
  const qubits = coupling.qubits.map(qubit => ({
    qubit,
    error: figures.get(qubit)?.readoutError ?? null,
  }));
  const left = qubitCount(device, calibration) - qubits.length;
  const missing = pairs.filter(({ error }) => error === null).length;
  return {
    title: singleLine(options.title ?? device.name, 80),
    subtitle: [
      pairs.length > 0 && `Pairs: ${gate === null ? "not calibrated" : gateWords(gate, pairs)}`,
      `Qubits: readout error, median ${formatPercent(median(qubits.map(({ error }) => error ?? Number.NaN)))}`,
      [
        `Calibrated ${formatUtc(calibration.lastCalibrated)}`,
        missing > 0 &&
          gate !== null &&
          `${coupling.layout ? "dashed" : "small"}: ${formatNumber(missing)} not calibrated`,
        left > 0 && `${formatNumber(left)} qubits are not drawn`,
      ]
        .filter(Boolean)
        .join(" · "),
    ].filter(line => line !== false),
    gate: gate === null ? null : singleLine(gate, 24),
    pairs,
    qubits,
    coupling,
    options,
  };
}

function gateWords(gate: string, pairs: readonly DrawnPair[]): string {
  const worst = pairs.reduce<DrawnPair | undefined>(
    (worst, pair) => ((pair.error ?? -1) > (worst?.error ?? -1) ? pair : worst),
    undefined,
  );
  const middle = median(pairs.map(({ error }) => error ?? Number.NaN));
  return clip(
    [
      `${singleLine(gate, 24)} error, median ${formatPercent(middle)}`,
      worst &&
        worst.error !== null &&
        worst.error !== middle &&
        `worst ${formatPercent(worst.error)} (${worst.a}–${worst.b})`,
    ]
      .filter(Boolean)
      .join(", "),
    120,
  );
}

/** Returns a row for each qubit: its readout error, and the error of the gate with each of its neighbours. */
function qubitTable({ title, gate, pairs, qubits, coupling }: CalibrationMap) {
  const neighbours = new Map<number, { qubit: number; error: number | null }[]>();
  for (const { a, b, error } of pairs)
    for (const [own, qubit] of [
      [a, b],
      [b, a],
    ] as const)
      neighbours.set(own, [...(neighbours.get(own) ?? []), { qubit, error }]);
  return table<CalibrationMap["qubits"][number]>({
    caption: title,
    noun: "qubits",
    rows: qubits,
    limit: 200,
    columns: [
      { label: "Qubit", align: "right", value: ({ qubit }) => formatNumber(qubit) },
      { label: "Readout error", value: ({ error }) => errorMeter(error) },
      {
        label: `${gate ?? "Two-qubit"} error with its neighbours`,
        value: ({ qubit }) => neighbourText(neighbours.get(qubit) ?? [], coupling.layout !== undefined),
      },
    ],
  });
}

const errorMeter = (error: number | null) =>
  error === null ? null : meter(errorShare(error), { label: formatPercent(error), color: errorColor(error) });

const mostNeighbours = 8;

/** Lists neighbours by their number; where all qubits are joined, the worst ones. */
function neighbourText(
  list: readonly { qubit: number; error: number | null }[],
  isLattice: boolean,
): string | null {
  if (list.length === 0) return null;
  const sorted = isLattice ? list.toSorted((a, b) => a.qubit - b.qubit) : list.toSorted(byError);
  const shown = sorted.slice(0, mostNeighbours);
  const more = list.length - shown.length;
  const texts = shown.map(({ qubit, error }) => `${qubit}: ${formatPercent(error)}`);
  return [...texts, ...(more > 0 ? [`${formatNumber(more)} better ones`] : [])].join(" · ");
}
