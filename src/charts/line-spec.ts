import { neutral } from "../display/palette.ts";
import { emptyDrawing, legend, round } from "./channels.ts";
import type { Lines, Point } from "./line.ts";
import { themed, type VegaLiteSpec, within } from "./theme.ts";

const maxDots = 60;
const maxAcross = 3;

/** How small multiples are arranged: so many beside each other, each under its name. */
export function panelled(
  panels: readonly string[],
  unit: { [member: string]: unknown },
): { [member: string]: unknown } {
  if (panels.length < 2) return unit;
  return {
    facet: {
      field: "panel",
      type: "nominal",
      sort: panels,
      header: { title: null, labelColor: neutral, labelFontSize: 12, labelLimit: 240 },
    },
    columns: panels.length === 4 ? 2 : Math.min(maxAcross, panels.length),
    spec: unit,
  };
}

/** The width of one panel's area, in pixels. */
export const panelWidth = (width: number | undefined, panels: number) =>
  within(width ?? (panels > 1 ? 200 : 480), 80, 2000);

function rowOf({ x, y, low, high }: Point) {
  return {
    x: typeof x === "number" ? round(x) : x,
    y: round(y),
    ...(low !== null && high !== null && { low: round(low), high: round(high) }),
  };
}

/** Draws lines as a Vega-Lite specification. */
export function lineSpec(drawn: Lines, description: string): VegaLiteSpec {
  const { lines, panels, isNumeric, title, subtitle, options } = drawn;
  const names = [...new Map(lines.map(({ name, color }) => [name, color])).entries()];
  const most = Math.max(0, ...lines.map(({ points }) => points.length));
  const values = lines.flatMap(({ name, panel, points }) =>
    points.map(point => ({ ...rowOf(point), series: name, panel })),
  );
  const hasBand = values.some(row => "low" in row);
  const encoding = {
    x: {
      field: "x",
      type: isNumeric ? "quantitative" : "ordinal",
      ...(isNumeric ? { scale: { zero: false, nice: false } } : { sort: null }),
      axis: {
        title: options.x,
        labelAngle: 0,
        grid: false,
        labelOverlap: true,
        ...(isNumeric && { tickCount: 6 }),
      },
    },
    y: {
      field: "y",
      type: "quantitative",
      scale: options.domain ? { domain: options.domain, nice: false } : { zero: false },
      axis: { title: options.y, tickCount: 5 },
    },
    color: {
      field: "series",
      type: "nominal",
      scale: { domain: names.map(([name]) => name), range: names.map(([, color]) => color) },
      legend: names.length > 1 ? { ...legend, symbolType: "stroke", symbolStrokeWidth: 3 } : null,
    },
    tooltip: [
      ...(names.length > 1 ? [{ field: "series", type: "nominal", title: options.series }] : []),
      { field: "x", type: isNumeric ? "quantitative" : "nominal", title: options.x },
      { field: "y", type: "quantitative", title: options.y },
      ...(hasBand
        ? [
            { field: "low", type: "quantitative", title: "low" },
            { field: "high", type: "quantitative", title: "high" },
          ]
        : []),
    ],
  };
  const interval = { y: { field: "low", type: "quantitative" }, y2: { field: "high" } };
  const filter = [{ filter: "isValid(datum.low)" }];
  const band = isNumeric
    ? { transform: filter, mark: { type: "area", opacity: 0.2 }, encoding: interval }
    : { transform: filter, mark: { type: "rule", strokeWidth: 1.5 }, encoding: interval };
  const layer = [
    ...(hasBand ? [band] : []),
    { mark: { type: "line", strokeWidth: 2 } },
    ...(most <= maxDots ? [{ mark: { type: "point", filled: true, opacity: 1, size: 24 } }] : []),
  ];
  const unit = {
    width: panelWidth(options.width, panels.length),
    height: within(options.height ?? (panels.length > 1 ? 140 : 240), 60, 1200),
    encoding,
    layer,
  };
  const head = { description, title: { text: title, subtitle } };
  if (values.length === 0) return themed({ ...head, ...emptyDrawing("no points") });
  return themed({ ...head, data: { values }, ...panelled(panels, unit) });
}
