import { round } from "../channels.ts";
import type { Chart } from "../chart.ts";
import { lines } from "../outcome-label.ts";
import { figureRoles, inked } from "../roles.ts";
import type { ChartOptions } from "../theme.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec, wholeSteps } from "../vega-lite.ts";
import { type DensityMatrix, densityChart, MIN_ENTRY_SIZE, matrixEntries } from "./density-matrix.ts";
import { degreesOf, formatPhase, phaseColorChannel, phaseWheel, wheelRoom } from "./phase.ts";
import type { Amplitudes, ComplexMatrix } from "./reduced.ts";

/** How a density matrix is drawn, as squares or as a city. */
export interface DensityOptions extends ChartOptions {
  /** Qubits whose matrix is drawn, the others traced out. Default: all. */
  qubits?: readonly number[];
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Width of the matrix in pixels. Default: up to 360, or 480 for a city. */
  width?: number;
}

const maxQubits = 6;
const largestCell = 64;
/** Smaller entries, and those in small cells, get no number. */
const minNumber = 0.1;
const numberedCell = 28;
const labelHeight = 12;

/**
 * Draws the density matrix of up to six qubits as squares: the area is the size of an entry, the colour its phase.
 * Throws a `RangeError` for more qubits.
 */
export function hintonChart(
  state: Amplitudes | ComplexMatrix,
  options: DensityOptions = {},
): Chart<DensityOptions> {
  return densityChart(state, options, {
    max: maxQubits,
    noun: "A Hinton diagram",
    mark: "square",
    key: "area: |ρ|",
    spec: hintonSpec,
  });
}

function hintonSpec(
  { matrix, labels, title, subtitle, options }: DensityMatrix,
  description: string,
): VegaLiteSpec {
  const { size } = matrix;
  const wanted = clampPixels(options.width ?? Math.min(360, size * largestCell), 80, 1200);
  const width = wholeSteps(wanted, size);
  const cell = width / size;
  const { entries, largest } = matrixEntries(matrix);
  const rows = entries
    .filter(entry => entry.size >= MIN_ENTRY_SIZE)
    .map(entry => ({
      row: `|${labels[entry.row]}⟩`,
      column: `⟨${labels[entry.column]}|`,
      phase: degreesOf(entry.phase),
      area: round((cell * 0.94) ** 2 * (entry.size / largest), 4),
      text: `${entry.size.toFixed(3)} ∠ ${formatPhase(entry.phase)}`,
      ...(entry.size >= minNumber && cell >= numberedCell && { number: entry.size.toFixed(2) }),
    }));
  const every = Math.ceil(labelHeight / cell);
  const axis = (names: readonly string[], orient: "left" | "top", isUpright = false) => ({
    type: "nominal",
    sort: null,
    scale: { domain: names, padding: 0.5 },
    axis: {
      title: null,
      labelColor: inked,
      labelFontSize: 11.5,
      labelAngle: isUpright ? -90 : 0,
      labelOverlap: false,
      values: names.filter((_, index) => index % every === 0),
      ...{ domain: false, ticks: false, orient },
    },
  });
  const columns = labels.map(label => `⟨${label}|`);
  const kets = labels.map(label => `|${label}⟩`);
  const isTight = 7 * (labels[0]!.length + 2) + 6 > cell;
  const places = {
    x: { field: "column", ...axis(columns, "top", isTight) },
    y: { field: "row", ...axis(kets, "left") },
  };
  return vegaLiteSpec({
    description,
    title: {
      text: title,
      subtitle: lines(`${subtitle} · largest ${largest.toFixed(3)}`, Math.max(36, Math.floor(width / 6))),
    },
    width,
    height: width,
    layer: [
      {
        data: { values: [{ from: 0 }] },
        mark: { type: "rect", fill: figureRoles.wash, aria: false },
        encoding: { x: { value: 0 }, x2: { value: width }, y: { value: 0 }, y2: { value: width } },
      },
      {
        data: { values: rows },
        mark: { type: "point", shape: "square", filled: true, opacity: 1 },
        encoding: {
          ...places,
          size: { field: "area", type: "quantitative", scale: null, legend: null },
          color: phaseColorChannel,
          tooltip: [
            { field: "row", type: "nominal", title: "row" },
            { field: "column", type: "nominal", title: "column" },
            { field: "text", type: "nominal", title: "entry" },
          ],
        },
      },
      {
        data: { values: rows.filter(row => "number" in row) },
        mark: { type: "text", color: "#000000", fontSize: 11, fontWeight: 600 },
        encoding: { ...places, text: { field: "number", type: "nominal" } },
      },
      ...phaseWheel(width + wheelRoom, wheelRoom),
    ],
  });
}
