import { series } from "../roles.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import type { Timeline } from "./timeline.ts";

const KINDS = ["one-qubit gate", "two-qubit gate", "measure", "reset", "idle"] as const;
const IDLE_COLOR = "#bdbdbd";
const ROW_HEIGHT = 22;

/** Draws a schedule as a Vega-Lite specification: a row a qubit, a block a pulse, and idle times as thin bars. */
export function timelineSpec(
  { title, subtitle, qubits, blocks, options }: Timeline,
  description: string,
): VegaLiteSpec {
  const present = KINDS.filter(kind => blocks.some(block => block.kind === kind));
  const encoding = {
    y: { field: "qubit", type: "nominal", sort: qubits, title: "Qubit", axis: { grid: false } },
    x: { field: "start", type: "quantitative", title: "Time (µs)", scale: { nice: false } },
    x2: { field: "end" },
    color: {
      field: "kind",
      type: "nominal",
      scale: {
        domain: present,
        range: present.map(kind => (kind === "idle" ? IDLE_COLOR : series[KINDS.indexOf(kind)])),
      },
      legend: { title: null, orient: "bottom" },
    },
    tooltip: [
      { field: "qubit", type: "nominal", title: "qubit" },
      { field: "name", type: "nominal", title: "operation" },
      { field: "start", type: "quantitative", title: "start (µs)" },
      { field: "end", type: "quantitative", title: "end (µs)" },
    ],
  };
  const of = (test: string) => [{ filter: test }];
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width: clampPixels(options.width ?? 720, 120, 4000),
    height: qubits.length * ROW_HEIGHT,
    data: { values: blocks },
    encoding,
    layer: [
      { transform: of("datum.kind === 'idle'"), mark: { type: "bar", height: 3 } },
      {
        transform: of("datum.kind !== 'idle'"),
        mark: { type: "bar", height: ROW_HEIGHT - 6, stroke: "white", strokeWidth: 0.5 },
      },
    ],
  });
}
