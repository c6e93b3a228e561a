import { round } from "../channels.ts";
import { series } from "../roles.ts";
import { dashed, dashes } from "../rows/plot-channels.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import type { CalibrationDrift, DriftPanel } from "./drift.ts";

const HEIGHT = { figures: 84, qubits: 64 } as const;
/** Room for the numbers beside a panel, so that all panels stand in one line. */
const minExtent = 48;
const COLUMNS = 5;

/** Returns a panel's rows: times in their unit, errors as shares. */
function rowsOf({ lines }: DriftPanel, times: readonly string[], size: number) {
  return lines.flatMap(({ name, values, band }) =>
    values.flatMap((value, i) => {
      if (value === null) return [];
      const ends = band?.[i];
      const between = ends ? { low: round(ends[0] / size), high: round(ends[1] / size) } : {};
      return [{ time: times[i]!, line: name, value: round(value / size), ...between }];
    }),
  );
}

function panelSpec(panel: DriftPanel, { times, panels, options }: CalibrationDrift, place: number) {
  const isSmall = options.panels === "qubits";
  const width = clampPixels(options.width ?? (isSmall ? 120 : 420), 60, 2000);
  const known = panel.lines.flatMap(({ values }) => values.filter(value => value !== null));
  const isLong = panel.kind === "time" && Math.max(0, ...known) >= 1e5;
  const isLast = isSmall ? place >= panels.length - COLUMNS : place === panels.length - 1;
  const unit = panel.kind === "error" ? "" : isLong ? " (s)" : " (µs)";
  const names = panel.lines.map(({ name }) => name);
  const title = isSmall ? (place % COLUMNS === 0 ? "µs" : null) : `${panel.name}${unit}`;
  const y = (field: string) => ({
    field,
    type: "quantitative",
    title,
    scale: { zero: false, nice: true },
    axis: {
      tickCount: 3,
      minExtent: isSmall ? 28 : minExtent,
      ...(panel.kind === "error" && { labelExpr: "format(datum.value * 100, '.2~g') + ' %'" }),
    },
  });
  const color = {
    field: "line",
    type: "nominal",
    scale: { domain: names, range: names.map((_, i) => series[i % series.length]) },
    legend: names.length > 1 && place === 0 ? { title: null, ...dashed } : null,
  };
  const range = names.map((_, i) => dashes[Math.floor(i / series.length) % dashes.length]);
  const strokeDash = { ...color, scale: { domain: names, range } };
  return {
    width,
    height: HEIGHT[isSmall ? "qubits" : "figures"],
    ...(isSmall && { title: { text: panel.name, fontSize: 11 } }),
    data: { values: rowsOf(panel, times, isLong ? 1e6 : 1) },
    encoding: {
      x: {
        field: "time",
        type: "temporal",
        scale: { type: "utc" },
        axis: { title: null, labels: isLast, tickCount: isSmall ? 3 : 6, format: "%d %b" },
      },
    },
    layer: [
      ...(panel.lines.some(({ band }) => band)
        ? [
            {
              mark: { type: "area", opacity: 0.18, interpolate: "step-after" },
              encoding: { y: y("low"), y2: { field: "high" }, color },
            },
          ]
        : []),
      {
        mark: { type: "line", interpolate: "step-after", strokeWidth: 1.75 },
        encoding: { y: y("value"), color, ...(names.length > series.length && { strokeDash }) },
      },
      {
        mark: { type: "point", filled: true, size: isSmall ? 6 : 14 },
        encoding: {
          y: y("value"),
          color,
          tooltip: [
            { field: "time", type: "temporal", title: "calibrated", format: "%Y-%m-%d %H:%M" },
            { field: "line", type: "nominal", title: "of" },
            { field: "value", type: "quantitative", title: `${panel.name}${unit}`, format: ".3~g" },
          ],
        },
      },
    ],
  };
}

/** Draws the drift of a device's figures as a Vega-Lite specification. */
export function driftSpec(drift: CalibrationDrift, description: string): VegaLiteSpec {
  const { title, subtitle, panels, options } = drift;
  const drawn = panels.map((panel, place) => panelSpec(panel, drift, place));
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    spacing: options.panels === "qubits" ? 14 : 10,
    ...(options.panels === "qubits" ? { concat: drawn, columns: COLUMNS } : { vconcat: drawn }),
  });
}
