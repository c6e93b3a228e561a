import {
  type Chart,
  type ChartOptions,
  type ComposeOptions,
  checkFont,
  concat,
  currentTheme,
  type FacetOptions,
  facetChart,
  type LayerOptions,
  layered,
  resolveTheme,
  setTheme,
  specChart,
  type Theme,
  type ThemeName,
  type ThemeOptions,
} from "../../charts/index.ts";
import { rethrowAsKetbookError } from "../../client/index.ts";

/**
 * Sets the theme of all charts without their own theme, including existing ones, and returns the whole theme;
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
 * @throws KetbookError for an unknown theme or option.
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
 * Shows a Vega-Lite specification like every other chart. It holds its own data: nothing is loaded. A `description` says
 * what it shows, in a sentence; by default it is the specification's own, or its title.
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
export function chart(
  spec: object,
  options?: ChartOptions & { description?: string },
): Chart<ChartOptions & { description?: string }> {
  return rethrowAsKetbookError("chart", () => specChart(spec, options));
}

/**
 * Puts charts beside each other, three in a row or as many as `columns` says: `{ columns: 1 }` puts them below each other.
 *
 * @example
 * ```ts
 * import { grid, histogram } from "ketbook";
 * grid([histogram({ "0": 50, "1": 50 }), histogram({ "0": 61, "1": 39 })], { shared: ["y"] });
 * ```
 *
 * @throws KetbookError for anything but a chart, and for an unknown option.
 */
export function grid(charts: readonly Chart[], options?: ComposeOptions): Chart<ComposeOptions> {
  return rethrowAsKetbookError("grid", () => concat(charts, options));
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
 * @throws KetbookError for anything but a chart, and for an unknown option.
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
 * @throws KetbookError for an unknown column or option.
 */
export function facet<Row extends object>(
  rows: readonly Row[],
  options: FacetOptions<Row>,
  draw: (rows: Row[]) => Chart,
): Chart<ComposeOptions> {
  return rethrowAsKetbookError("facet", () => facetChart(rows, options, draw));
}
