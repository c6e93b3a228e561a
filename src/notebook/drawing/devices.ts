import { type BarOptions, barOptionChecks } from "../../charts/bar-options.ts";
import type { CalibrationMapOptions } from "../../charts/calibration/map.ts";
import { type TopologyOptions, topologyChart } from "../../charts/calibration/topology.ts";
import type { Chart } from "../../charts/chart.ts";
import { type DailyBars, dailyChart } from "../../charts/daily-bars.ts";
import { KetbookError } from "../../client/errors.ts";
import { rethrowAsKetbookError } from "../../client/rethrow.ts";
import { checkOptions, describeValue, finiteNumber, stringValue } from "../../contract/options.ts";
import { isKnownTopology, type KnownTopology } from "../../contract/topology.ts";
import { formatNumber, series as palette, singleLine, table } from "../../display/index.ts";
import { Calibration } from "../devices/calibration.ts";
import { Device } from "../devices/device.ts";

/** Connected qubits: a topology, a device that has one, or pairs. */
export type GivenTopology = KnownTopology | Device | readonly (readonly [number, number])[];

/**
 * Draws which qubits of a device are joined, as a graph; of a calibration the errors of pairs and qubits too.
 *
 * @example
 * ```ts
 * import { coupling, device } from "ketbook";
 * coupling([[0, 1], [1, 2], [1, 3], [3, 5]]);
 * coupling({ type: "square-lattice", rows: 4, cols: 5 });
 * coupling(await device("garnet").calibration(), { gate: "cz" });
 * ```
 *
 * @throws KetbookError for what is no topology, and an option that is not there.
 */
export function coupling(
  calibration: Calibration,
  options?: CalibrationMapOptions,
): Chart<CalibrationMapOptions>;
export function coupling(topology: GivenTopology, options?: TopologyOptions): Chart<TopologyOptions>;
export function coupling(
  given: Calibration | GivenTopology,
  options: CalibrationMapOptions | TopologyOptions = {},
): Chart<CalibrationMapOptions> | Chart<TopologyOptions> {
  return rethrowAsKetbookError("coupling", (): Chart<CalibrationMapOptions> | Chart<TopologyOptions> => {
    if (given instanceof Calibration) return given.map(options);
    if (given instanceof Device) return topologyChart(given, options);
    const topology = Array.isArray(given) ? fromPairs(given) : (given as KnownTopology);
    if (!isKnownTopology(Object(topology)))
      throw new RangeError(
        'A topology is a list of pairs such as [[0, 1], [1, 2]], or { type: "square-lattice", rows: 2, cols: 3 }.',
      );
    return topologyChart({ name: "Coupling", topology, numberQubits: null }, options);
  });
}

const maxQubits = 1024;

function fromPairs(pairs: readonly (readonly [number, number])[]): KnownTopology {
  const wrong = pairs.findIndex(
    pair =>
      !Array.isArray(pair) ||
      pair.length !== 2 ||
      pair[0] === pair[1] ||
      !pair.every(qubit => Number.isInteger(qubit) && qubit >= 0 && qubit < maxQubits),
  );
  if (wrong >= 0)
    throw new RangeError(`Pair ${wrong} must be two qubits such as [0, 1], with numbers below ${maxQubits}.`);
  if (pairs.length === 0)
    throw new RangeError("The list of pairs is empty. Give at least one, such as [[0, 1], [1, 2]].");
  const qubits = pairs.flat().reduce((max, qubit) => Math.max(max, qubit + 1), 0);
  return { type: "coupling-map", qubits, edges: pairs.map(([a, b]) => [a, b]) };
}

/** A value of one day. */
export interface DayRow {
  /** The day: `YYYY-MM-DD`. */
  date: string;
  /** The day's value, 0 or more. */
  value: number;
}

/** Options of a chart of daily values. */
export interface SeriesChartOptions extends BarOptions {
  /** Unit of the values, such as `jobs`. Default: `value`. */
  unit?: string;
  /** Daily quota, drawn as a dashed line. */
  quota?: number;
}

const day = /^\d{4}-\d\d-\d\d$/;

function isDay(given: unknown): given is DayRow {
  const { date, value } = Object(given) as Partial<DayRow>;
  if (typeof date !== "string" || !day.test(date) || Number.isNaN(Date.parse(date))) return false;
  return Number.isFinite(value) && Number(value) >= 0;
}

/**
 * Draws a value a day as bars over time, such as what was used or spent.
 *
 * @example
 * ```ts
 * import { series } from "ketbook";
 * series([{ date: "2026-11-20", value: 12 }, { date: "2026-11-21", value: 31 }], { unit: "jobs", quota: 40 });
 * ```
 *
 * @throws KetbookError for rows that are no days, and an option that is not there.
 */
export function series(days: readonly DayRow[], options: SeriesChartOptions = {}): Chart<SeriesChartOptions> {
  return rethrowAsKetbookError("series", () => {
    checkOptions(options, { ...barOptionChecks, unit: stringValue, quota: finiteNumber });
    if (!Array.isArray(days))
      throw new RangeError(
        `Days are a list such as [{ date: "2026-11-21", value: 31 }], not ${describeValue(days)}.`,
      );
    const wrong = days.findIndex(given => !isDay(given));
    if (wrong >= 0)
      throw new KetbookError(`series: row ${wrong} must be a day such as { date: "2026-11-21", value: 31 }.`);
    const rows = days.toSorted((one, other) => (one.date < other.date ? -1 : 1)).slice(-366);
    const unit = singleLine(options.unit ?? "value", 40);
    const total = rows.reduce((sum, { value }) => sum + value, 0);
    const bars: DailyBars = {
      title: singleLine(options.title ?? `${unit[0]!.toUpperCase()}${unit.slice(1)} a day`, 80),
      subtitle: [`${formatNumber(total)} on ${formatNumber(rows.length)} days`],
      unit,
      names: rows.map(({ date }) => date),
      series: [{ name: unit, color: palette[0], values: rows.map(({ value }) => value) }],
      texts: rows.map(({ value }) => formatNumber(value)),
      quota: options.quota ?? null,
    };
    return dailyChart(bars, options, {
      table: () =>
        table<DayRow>({
          rows,
          columns: [
            { label: "Date", value: ({ date }) => date },
            { label: unit, align: "right", value: ({ value }) => formatNumber(value) },
          ],
        }),
      rebuild: changed => series(days, { ...options, ...changed }),
    });
  });
}
