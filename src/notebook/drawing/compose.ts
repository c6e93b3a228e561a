import type { Chart } from "../../charts/chart.ts";
import { type ComposeOptions, concat } from "../../charts/compose/concat.ts";
import { type FacetOptions, facetChart, repeatChart } from "../../charts/compose/facet.ts";
import { type LayerOptions, layered } from "../../charts/compose/layer.ts";
import { currentTheme, setTheme } from "../../charts/current-theme.ts";
import { checkFont } from "../../charts/fonts.ts";
import { type SpecChartOptions, specChart } from "../../charts/spec-chart.ts";
import type { Theme, ThemeName, ThemeOptions } from "../../charts/theme.ts";
import { resolveTheme } from "../../charts/theme-options.ts";
import { rethrowAsKetbookError } from "../../client/rethrow.ts";

/**
 * Chooses how all charts look that have no theme of their own, also those made before, and returns the whole theme;
 * without an argument it only returns it.
 *
 * @example
 * ```ts
 * import { histogram, theme } from "ketbook";
 * theme("paper");
 * theme({ base: "slides", colors: ["#0072B2", "#D55E00"], subtitle: true });
 * theme("notebook");
 * histogram({ "00": 503, "11": 497 }, { theme: { base: "paper", width: "3.4in" } }).toSVG();
 * ```
 *
 * @throws KetbookError for a theme or an option that is not there.
 */
export function theme(look?: ThemeName | ThemeOptions): Theme {
  if (look !== undefined)
    setTheme(
      rethrowAsKetbookError("theme", () => {
        const chosen = resolveTheme(look);
        checkFont(chosen.font);
        return chosen;
      }),
    );
  return currentTheme();
}

/**
 * Shows a Vega-Lite specification like every other chart. It holds its own data: nothing is loaded.
 *
 * @example
 * ```ts
 * import { chart } from "ketbook";
 * const rows = [{ T1: 120 }, { T1: 95 }];
 * chart({ data: { values: rows }, mark: "boxplot", encoding: { y: { field: "T1", type: "quantitative" } } });
 * ```
 *
 * @throws KetbookError that says where the specification is wrong, or loads something.
 */
export function chart(spec: object, options?: SpecChartOptions): Chart<SpecChartOptions> {
  return rethrowAsKetbookError("chart", () => specChart(spec, options));
}

/**
 * Puts charts side by side.
 *
 * @example
 * ```ts
 * import { hconcat, histogram } from "ketbook";
 * hconcat([histogram({ "0": 50, "1": 50 }), histogram({ "0": 61, "1": 39 })], { shared: ["y"] });
 * ```
 *
 * @throws KetbookError for what is no chart, and an option that is not there.
 */
export function hconcat(charts: readonly Chart[], options?: ComposeOptions): Chart<ComposeOptions> {
  return rethrowAsKetbookError("hconcat", () => concat("hconcat", charts, options));
}

/**
 * Puts charts below each other.
 *
 * @throws KetbookError for what is no chart, and an option that is not there.
 */
export function vconcat(charts: readonly Chart[], options?: ComposeOptions): Chart<ComposeOptions> {
  return rethrowAsKetbookError("vconcat", () => concat("vconcat", charts, options));
}

/**
 * Puts charts into a grid, three in a row or as many as `columns` says.
 *
 * @throws KetbookError for what is no chart, and an option that is not there.
 */
export function grid(charts: readonly Chart[], options?: ComposeOptions): Chart<ComposeOptions> {
  return rethrowAsKetbookError("grid", () => concat("concat", charts, options));
}

/**
 * Draws charts over each other on the same axes, such as points and the line through them.
 *
 * @example
 * ```ts
 * import { layer, line, scatter } from "ketbook";
 * const rows = [{ delay: 0, p1: 0.98 }, { delay: 10, p1: 0.81 }];
 * layer([scatter(rows, { x: "delay", y: "p1" }), line(rows, { x: "delay", y: "p1", points: false })]);
 * ```
 *
 * @throws KetbookError for what is no chart, and an option that is not there.
 */
export function layer(charts: readonly Chart[], options?: LayerOptions): Chart<LayerOptions> {
  return rethrowAsKetbookError("layer", () => layered(charts, options));
}

/**
 * Draws a chart of the rows of each value of a column: small multiples on shared scales.
 *
 * @example
 * ```ts
 * import { facet, line } from "ketbook";
 * const rows = [{ delay: 0, p1: 0.98, device: "garnet" }, { delay: 0, p1: 0.81, device: "forte" }];
 * facet(rows, { by: "device", columns: 4 }, some => line(some, { x: "delay", y: "p1" }));
 * ```
 *
 * @throws KetbookError for a column or an option that is not there.
 */
export function facet<Row extends object>(
  rows: readonly Row[],
  options: FacetOptions<Row>,
  draw: (rows: Row[]) => Chart,
): Chart<ComposeOptions> {
  return rethrowAsKetbookError("facet", () => facetChart(rows, options, draw));
}

/**
 * Draws a chart for each of some values, such as names of columns: a grid on scales of their own.
 *
 * @example
 * ```ts
 * import { repeat, scatter } from "ketbook";
 * const qubits = [{ qubit: 0, T1: 120, T2: 90 }, { qubit: 1, T1: 95, T2: 71 }];
 * repeat(["T1", "T2"] as const, y => scatter(qubits, { x: "qubit", y }));
 * ```
 *
 * @throws KetbookError for what is no list, and an option that is not there.
 */
export function repeat<Value>(
  values: readonly Value[],
  draw: (value: Value, index: number) => Chart,
  options?: ComposeOptions,
): Chart<ComposeOptions> {
  return rethrowAsKetbookError("repeat", () => repeatChart(values, draw, options));
}
