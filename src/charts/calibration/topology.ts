import { checkOptions, stringValue } from "../../contract/options.ts";
import { formatCount } from "../../display/format.ts";
import { table } from "../../display/table.ts";
import { clip, singleLine } from "../../display/text.ts";
import { pixelLength } from "../bar-options.ts";
import { round } from "../channels.ts";
import { Chart } from "../chart.ts";
import { series } from "../roles.ts";
import type { ChartOptions } from "../theme.ts";
import { chartOptionChecks } from "../theme-options.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import { type CoupledDevice, type Coupling, couplingOf } from "./coupling.ts";
import { type Layout, layoutOf } from "./layout.ts";

/** How a topology is drawn. */
export interface TopologyOptions extends ChartOptions {
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Width of the graph in pixels, at most. Default: 640. */
  width?: number;
}

const uncalibrated = {
  ...{ deviceQrn: "", provider: null, lastCalibrated: null, fetchedAt: null, qubits: {} },
  edges: { gateError: {}, gateLength: {} },
};

/** Draws which qubits are joined, as a graph. */
export function topologyChart(device: CoupledDevice, options: TopologyOptions = {}): Chart<TopologyOptions> {
  checkOptions(options, { ...chartOptionChecks, title: stringValue, width: pixelLength });
  const coupling = couplingOf(device, uncalibrated);
  const { qubits, pairs } = coupling;
  const title = singleLine(options.title ?? device.name, 80);
  const subtitle = `${formatCount(qubits.length, "qubits")} · ${formatCount(pairs.length, "pairs")}`;
  const description = `${title}: coupling graph. ${subtitle}`;
  const neighbours = (qubit: number) =>
    pairs.flatMap(({ a, b }) => (a === qubit ? [b] : b === qubit ? [a] : [])).sort((a, b) => a - b);
  const lines = () => qubits.map(qubit => `  ${qubit}: ${neighbours(qubit).join(" ")}`);
  return new Chart<TopologyOptions>({
    title,
    description,
    spec: graphSpec(coupling, { title, subtitle, description, width: options.width ?? 640 }),
    options,
    table: () =>
      table<number>({
        caption: title,
        noun: "qubits",
        rows: qubits,
        limit: qubits.length,
        columns: [
          { label: "Qubit", align: "right", value: String },
          { label: "Joined with", value: qubit => neighbours(qubit).join(", ") },
        ],
      }),
    text: columns => [title, subtitle, ...lines()].map(line => clip(line, columns)).join("\n"),
    rebuild: changed => topologyChart(device, { ...options, ...changed }),
  });
}

function graphSpec(
  { qubits, pairs, layout }: Coupling,
  {
    title,
    subtitle,
    description,
    width,
  }: { title: string; subtitle: string; description: string; width: number },
): VegaLiteSpec {
  const places: Layout = layout ?? layoutOf(qubits.length, pairs);
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const step = Math.min(64, clampPixels(width, 40, 2000) / (right - left + 1), 900 / (bottom - top + 1));
  const diameter = Math.min(30, step * 0.62);
  const fontSize = Math.min(12, Math.floor(diameter / Math.max(1.6, String(qubits.length - 1).length * 0.8)));
  const axis = (from: number, to: number, reverse: boolean) => ({
    type: "quantitative",
    axis: null,
    scale: { domain: [from - 0.5, to + 0.5], zero: false, nice: false, reverse },
  });
  const place = (qubit: number) => ({ x: round(places[qubit]!.x), y: round(places[qubit]!.y) });
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle: [subtitle] },
    width: Math.max(60, Math.round((right - left + 1) * step)),
    height: Math.max(60, Math.round((bottom - top + 1) * step)),
    encoding: {
      x: { field: "x", ...axis(left, right, false) },
      y: { field: "y", ...axis(top, bottom, true) },
    },
    layer: [
      {
        data: {
          values: pairs.map(({ a, b }) => {
            const end = place(b);
            return { pair: `${a}–${b}`, ...place(a), x2: end.x, y2: end.y };
          }),
        },
        mark: { type: "rule", stroke: "#767676", strokeWidth: Math.max(1, diameter / 10) },
        encoding: {
          x2: { field: "x2" },
          y2: { field: "y2" },
          tooltip: [{ field: "pair", type: "nominal", title: "pair" }],
        },
      },
      {
        data: { values: qubits.map(qubit => ({ qubit, ...place(qubit) })) },
        layer: [
          {
            mark: { type: "point", filled: true, opacity: 1, size: round(diameter ** 2), color: series[0] },
            encoding: { tooltip: [{ field: "qubit", type: "quantitative", title: "qubit" }] },
          },
          ...(fontSize < 6
            ? []
            : [
                {
                  mark: { type: "text", color: "#ffffff", fontSize, fontWeight: 600 },
                  encoding: { text: { field: "qubit", type: "nominal" } },
                },
              ]),
        ],
      },
    ],
  });
}
