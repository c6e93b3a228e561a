import { neutral } from "../display/palette.ts";
import { emptyDrawing, round } from "./channels.ts";
import type { Heatmap } from "./heatmap.ts";
import { panelled, panelWidth } from "./line-spec.ts";
import { themed, type VegaLiteSpec, within } from "./theme.ts";

/** Cells this large have their value written within. */
const writtenCell = 40;

/** Colours from low to high: light to dark, or through light grey where 0 is between the ends. */
const sequential = ["#d7e9f5", "#56a5d6", "#0072B2", "#003554"];
const diverging = ["#0072B2", "#ececec", "#D55E00"];

/** Draws a heatmap as a Vega-Lite specification. */
export function heatmapSpec(drawn: Heatmap, description: string): VegaLiteSpec {
  const { cells, across, upwards, panels, domain, title, subtitle, options } = drawn;
  const head = { description, title: { text: title, subtitle } };
  if (cells.length === 0) return themed({ ...head, ...emptyDrawing("no cells") });
  const [least, most] = domain;
  const reach = Math.max(-least, most);
  const isDiverging = least < 0 && most > 0;
  const width = panelWidth(options.width ?? (panels.length > 1 ? 180 : 380), panels.length);
  const cellWidth = width / Math.max(1, across.length);
  const height = within(
    options.height ?? Math.min(width, Math.max(40, upwards.length * Math.max(cellWidth, 12))),
    30,
    1200,
  );
  const isWritten = cellWidth >= writtenCell && height / Math.max(1, upwards.length) >= 16;
  const ends = isDiverging ? [-reach, 0, reach] : [least, most];
  const axis = { labelAngle: 0, labelOverlap: true, grid: false, domain: false };
  const field = (name: "x" | "y", sort: readonly string[]) => ({
    field: name,
    type: "ordinal",
    sort,
    scale: { paddingInner: 0.02, paddingOuter: 0 },
    axis: { ...axis, title: options[name] },
  });
  const encoding = {
    x: field("x", across),
    y: field("y", upwards.toReversed()),
    tooltip: [
      { field: "x", type: "nominal", title: options.x },
      { field: "y", type: "nominal", title: options.y },
      { field: "value", type: "quantitative", title: options.color },
    ],
  };
  const color = {
    field: "value",
    type: "quantitative",
    scale: { domain: ends, range: isDiverging ? diverging : sequential, clamp: true },
    legend: {
      title: options.color,
      titleColor: neutral,
      labelColor: neutral,
      gradientLength: Math.max(60, Math.min(160, height)),
    },
  };
  const isDark = `datum.value ${isDiverging ? "<" : ">"} ${round(isDiverging ? -0.85 * reach : least + 0.6 * (most - least))}`;
  const words = {
    mark: { type: "text", fontSize: 11 },
    encoding: {
      text: { field: "value", type: "quantitative", format: ".2~f" },
      color: { condition: { test: isDark, value: "#ffffff" }, value: "#000000" },
    },
  };
  const unit = {
    width,
    height,
    encoding,
    layer: [{ mark: { type: "rect" }, encoding: { color } }, ...(isWritten ? [words] : [])],
  };
  const values = cells.map(({ value, ...cell }) => ({ ...cell, value: round(value, 4) }));
  return themed({ ...head, data: { values }, ...panelled(panels, unit) });
}
