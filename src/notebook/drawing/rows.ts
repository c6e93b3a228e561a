import {
  type AreaOptions,
  areaChart,
  type BarsOptions,
  type BoxOptions,
  barsChart,
  boxChart,
  type Chart,
  type DataColumns,
  type HeatmapOptions,
  heatmapChart,
  isNumberList,
  type LineOptions,
  lineChart,
  type MatrixCell,
  type MatrixOptions,
  matrixCells,
  type RuleOptions,
  rowsOf,
  ruleChart,
  type ScatterOptions,
  scatterChart,
  type TextOptions,
  textChart,
} from "../../charts/index.ts";
import { rethrowAsKetbookError } from "../../client/index.ts";
import { given } from "../values/options.ts";
import type { Numbers } from "./outcomes.ts";

/**
 * Draws rows, or columns, as a line, or one a series; `low` and `high` as a band around it.
 *
 * @example
 * ```ts
 * import { line } from "ketbook";
 * const rows = [{ delay: 0, p1: 0.98, low: 0.95, high: 1, qubit: "q0" }, { delay: 10, p1: 0.81, low: 0.77, high: 0.85, qubit: "q0" }];
 * line(rows, { x: "delay", y: "p1", low: "low", high: "high", series: "qubit" });
 * line(rows, { x: { field: "delay", title: "Delay (µs)" }, y: { field: "p1", scale: "log" } });
 * line({ delay: [0, 10, 20], p1: [0.98, 0.81, 0.67] }, { x: "delay", y: "p1" });
 * ```
 *
 * @throws KetbookError for an unknown column or option.
 */
export function line<Row extends object>(
  rows: readonly Row[] | DataColumns<Row>,
  options: LineOptions<Row>,
): Chart<Partial<LineOptions<Row>>> {
  return rethrowAsKetbookError("line", () => lineChart(rowsOf(rows), options));
}

/**
 * Draws rows, or columns, as points; `low` and `high` as rules through them, `size` as their area.
 *
 * @example
 * ```ts
 * import { scatter } from "ketbook";
 * const qubits = [{ qubit: 0, T1: 120, T2: 90, device: "garnet" }, { qubit: 1, T1: 95, T2: 71, device: "garnet" }];
 * scatter(qubits, { x: "T1", y: "T2", series: "device", label: "qubit" });
 * ```
 *
 * @throws KetbookError for an unknown column or option.
 */
export function scatter<Row extends object>(
  rows: readonly Row[] | DataColumns<Row>,
  options: ScatterOptions<Row>,
): Chart<Partial<ScatterOptions<Row>>> {
  return rethrowAsKetbookError("scatter", () => scatterChart(rowsOf(rows), options));
}

/**
 * Draws rows, or columns, as bars, series side by side or stacked; `low` and `high` as intervals.
 *
 * @example
 * ```ts
 * import { bars } from "ketbook";
 * const rows = [{ device: "garnet", error: 0.006 }, { device: "forte", error: 0.005 }];
 * bars(rows, { x: "device", y: "error", sort: "-y", horizontal: true });
 * ```
 *
 * @throws KetbookError for an unknown column or option.
 */
export function bars<Row extends object>(
  rows: readonly Row[] | DataColumns<Row>,
  options: BarsOptions<Row>,
): Chart<Partial<BarsOptions<Row>>> {
  return rethrowAsKetbookError("bars", () => barsChart(rowsOf(rows), options));
}

/**
 * Draws rows, or columns, as areas down to 0; those of several series lie on each other.
 *
 * @example
 * ```ts
 * import { area } from "ketbook";
 * const rows = [{ day: "2026-11-20", jobs: 12, device: "garnet" }, { day: "2026-11-21", jobs: 31, device: "garnet" }];
 * area(rows, { x: "day", y: "jobs", series: "device" });
 * ```
 *
 * @throws KetbookError for an unknown column or option.
 */
export function area<Row extends object>(
  rows: readonly Row[] | DataColumns<Row>,
  options: AreaOptions<Row>,
): Chart<Partial<AreaOptions<Row>>> {
  return rethrowAsKetbookError("area", () => areaChart(rowsOf(rows), options));
}

/**
 * Draws how the values of each category spread: median, middle half, whiskers, and the values beyond them.
 *
 * @example
 * ```ts
 * import { box } from "ketbook";
 * const rows = [{ device: "garnet", T1: 41 }, { device: "garnet", T1: 38 }, { device: "garnet", T1: 52 }];
 * box(rows, { x: "device", y: { field: "T1", title: "$T_1$, µs" } });
 * ```
 *
 * @throws KetbookError for an unknown column or option.
 */
export function box<Row extends object>(
  rows: readonly Row[] | DataColumns<Row>,
  options: BoxOptions<Row>,
): Chart<Partial<BoxOptions<Row>>> {
  return rethrowAsKetbookError("box", () => boxChart(rowsOf(rows), options));
}

/**
 * Draws a line across at each row's `y`, or an upright one at its `x`: limits and expected values, to lay over a chart.
 *
 * @example
 * ```ts
 * import { layer, rule, scatter } from "ketbook";
 * const rows = [{ delay: 0, p1: 0.98 }, { delay: 10, p1: 0.81 }];
 * layer([scatter(rows, { x: "delay", y: "p1" }), rule([{ p1: 0.5, name: "half" }], { y: "p1", label: "name" })]);
 * ```
 *
 * @throws KetbookError for an unknown column or option.
 */
export function rule<Row extends object>(
  rows: readonly Row[] | DataColumns<Row>,
  options: RuleOptions<Row>,
): Chart<Partial<RuleOptions<Row>>> {
  return rethrowAsKetbookError("rule", () => ruleChart(rowsOf(rows), options));
}

/**
 * Draws words at places, to name what another chart shows.
 *
 * @example
 * ```ts
 * import { text } from "ketbook";
 * text([{ x: 3, y: 0.4, words: "revival" }], { x: "x", y: "y", label: "words" });
 * ```
 *
 * @throws KetbookError for an unknown column or option.
 */
export function text<Row extends object>(
  rows: readonly Row[] | DataColumns<Row>,
  options: TextOptions<Row>,
): Chart<Partial<TextOptions<Row>>> {
  return rethrowAsKetbookError("text", () => textChart(rowsOf(rows), options));
}

/**
 * Draws rows, columns, or the numbers of a matrix, as coloured cells; more than 100 of an axis by the means of neighbours.
 *
 * @example
 * ```ts
 * import { heatmap } from "ketbook";
 * const rows = [{ theta: 0, phi: 0, p0: 1 }, { theta: 1, phi: 0, p0: 0.77 }];
 * heatmap(rows, { x: "theta", y: "phi", color: "p0" });
 * heatmap([[0.98, 0.02], [0.05, 0.95]], { x: "measured", y: "prepared", color: { title: "probability", domain: [0, 1] } });
 * ```
 *
 * @throws KetbookError for an unknown column or option, or rows of a matrix of different lengths.
 */
export function heatmap(
  matrix: readonly Numbers[],
  options?: MatrixOptions,
): Chart<Partial<HeatmapOptions<MatrixCell>>>;
export function heatmap<Row extends object>(
  rows: readonly Row[] | DataColumns<Row>,
  options: HeatmapOptions<Row>,
): Chart<Partial<HeatmapOptions<Row>>>;
export function heatmap(data: readonly object[] | DataColumns<object>, options: object = {}): Chart<object> {
  return rethrowAsKetbookError("heatmap", (): Chart<object> => {
    if (!Array.isArray(data) || !isNumberList(data[0]))
      return heatmapChart(rowsOf(data) as never[], options as never);
    const { rows, columns, x = "column", y = "row", color = {}, ...rest } = options as MatrixOptions;
    const { cells, blocks } = matrixCells(data as readonly Numbers[], given({ rows, columns }));
    return heatmapChart(cells, {
      ...(blocks.some(size => size > 1) && { subtitle: `each cell is the mean of ${blocks.join(" × ")}` }),
      ...rest,
      x: { field: "column", title: x },
      y: { field: "row", title: y },
      color: { field: "value", ...(typeof color === "string" ? { title: color } : color) },
    });
  });
}
