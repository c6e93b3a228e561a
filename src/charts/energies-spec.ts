import { formatNumber } from "../display/format.ts";
import { round } from "./channels.ts";
import type { Energies } from "./energies.ts";
import { energyLabel, formatEnergy } from "./energy-label.ts";
import { neutral, series } from "./roles.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "./vega-lite.ts";

const barWidth = 18;
const labelledBars = 16;

/** Draws energies as a Vega-Lite specification. */
export function energiesSpec(drawn: Energies, description: string): VegaLiteSpec {
  const { bars, title, subtitle, lowest, options } = drawn;
  const width = clampPixels(options.width ?? 480, 120, 2000);
  const rows = bars.map(bar => ({
    energy: energyLabel(bar),
    from: round(bar.from, 12),
    to: round(bar.to, 12),
    found: bar.occurrences,
    kind: bar.lowest ? "lowest" : "other",
    text: formatNumber(bar.occurrences),
  }));
  const single = bars.every(({ from, to }) => from === to);
  const [min, max] = [rows[0]?.from ?? 0, rows.at(-1)?.to ?? 0];
  const pixel = (max - min) / width || 1;
  const margin = single ? pixel * barWidth : pixel * 4;
  const tallest = Math.max(1, ...bars.map(bar => bar.occurrences));
  const x = {
    field: "from",
    type: "quantitative",
    scale: { domain: [min - margin, max + margin], nice: false, zero: false },
    axis: {
      title: "energy",
      titlePadding: 26,
      grid: false,
      tickCount: 8,
      ...(min === max && { values: [min] }),
    },
  };
  const y = {
    field: "found",
    type: "quantitative",
    scale: { domain: [0, tallest * 1.12], nice: false },
    axis: { title: "times found", tickCount: 5, tickMinStep: 1, format: ",~r" },
  };
  const color = {
    field: "kind",
    type: "nominal",
    scale: { domain: ["other", "lowest"], range: [series[0], series[1]] },
    legend: null,
  };
  const tooltip = [
    { field: "energy", type: "nominal", title: "energy" },
    { field: "text", type: "nominal", title: "times found" },
  ];
  const above = { baseline: "bottom", dy: -4, color: neutral, fontSize: 11 };
  const middle = single ? {} : { transform: [{ calculate: "(datum.from + datum.to) / 2", as: "from" }] };
  const layer = [
    {
      mark: single
        ? { type: "bar", cornerRadiusEnd: 2, width: barWidth }
        : { type: "rect", stroke: "rgba(255,255,255,0.7)", strokeWidth: 0.5 },
      encoding: { x, ...(!single && { x2: { field: "to" }, y2: { datum: 0 } }), y, color, tooltip },
    },
    ...(bars.length <= labelledBars
      ? [
          {
            ...middle,
            mark: { type: "text", ...above },
            encoding: { x, y, text: { field: "text", type: "nominal" } },
          },
        ]
      : []),
    {
      data: { values: [{ from: lowest, text: `▲ lowest: ${formatEnergy(lowest ?? 0)}` }] },
      mark: { type: "text", ...above, baseline: "top", dy: 22, align: "left", dx: -4 },
      encoding: { x, y: { value: { expr: "height" } }, text: { field: "text", type: "nominal" } },
    },
  ];
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width,
    height: clampPixels(options.height ?? 200, 80, 1200),
    ...(bars.length > 0 ? { data: { values: rows }, layer } : empty),
  });
}

const empty = {
  data: { values: [{ text: "no solutions" }] },
  mark: { type: "text", color: neutral, fontSize: 13 },
  encoding: { text: { field: "text", type: "nominal" } },
};
