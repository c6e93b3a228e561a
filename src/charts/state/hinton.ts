import { faint } from "../../display/palette.ts";
import { round } from "../channels.ts";
import type { Chart } from "../chart.ts";
import { lines } from "../outcome-label.ts";
import type { ChartOptions } from "../theme.ts";
import { clampPixels, fonts, type VegaLiteSpec, vegaLiteSpec, wholeSteps } from "../vega-lite.ts";
import { type DensityMatrix, densityChart, MIN_ENTRY_SIZE, matrixEntries } from "./density-matrix.ts";
import { degreesOf, formatPhase, phaseColorChannel } from "./phase.ts";
import type { Amplitudes, ComplexMatrix } from "./reduced.ts";

/** How the Hinton diagram of a density matrix is drawn. */
export interface HintonOptions extends ChartOptions {
  /** Up to six qubits whose matrix is drawn, the others traced out. Default: all. */
  qubits?: readonly number[];
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Width of the matrix in pixels. Default: up to 360. */
  width?: number;
}

const maxQubits = 6;
const largestCell = 64;
const labelHeight = 12;

/**
 * Draws the density matrix of up to six qubits as squares: the area is the size of an entry, the colour its phase.
 * Throws a `RangeError` for more qubits.
 */
export function hintonChart(
  state: Amplitudes | ComplexMatrix,
  options: HintonOptions = {},
): Chart<HintonOptions> {
  return densityChart(state, options, {
    max: maxQubits,
    noun: "A Hinton diagram",
    mark: "square",
    key: "area: size, colour: phase",
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
    }));
  const every = Math.ceil(labelHeight / cell);
  const axis = (names: readonly string[], orient: "left" | "bottom", isUpright = false) => ({
    type: "nominal",
    sort: null,
    scale: { domain: names, padding: 0.5 },
    axis: {
      title: null,
      labelFont: fonts.mono,
      labelAngle: isUpright ? -90 : 0,
      labelOverlap: false,
      values: names.filter((_, index) => index % every === 0),
      domain: false,
      orient,
    },
  });
  const columns = labels.map(label => `⟨${label}|`);
  const kets = labels.map(label => `|${label}⟩`);
  const isTight = 7 * (labels[0]!.length + 2) + 6 > cell;
  return vegaLiteSpec({
    description,
    title: {
      text: title,
      subtitle: [
        ...lines(subtitle, Math.max(36, Math.floor(width / 6))),
        `Largest square: ${largest.toFixed(3)}`,
      ],
    },
    width,
    height: width,
    layer: [
      {
        data: { values: [{ from: 0 }] },
        mark: { type: "rect", fill: "transparent", stroke: faint },
        encoding: { x: { value: 0 }, x2: { value: width }, y: { value: 0 }, y2: { value: width } },
      },
      {
        data: { values: rows },
        mark: { type: "point", shape: "square", filled: true, opacity: 1 },
        encoding: {
          x: { field: "column", ...axis(columns, "bottom", isTight) },
          y: { field: "row", ...axis(kets, "left") },
          size: { field: "area", type: "quantitative", scale: null, legend: null },
          color: phaseColorChannel,
          tooltip: [
            { field: "row", type: "nominal", title: "row" },
            { field: "column", type: "nominal", title: "column" },
            { field: "text", type: "nominal", title: "entry" },
          ],
        },
      },
    ],
  });
}
