import type { Chart } from "../chart.ts";
import { neutral } from "../roles.ts";
import type { ChartOptions } from "../theme.ts";
import { clampPixels, fonts, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import { type DensityMatrix, densityChart, MIN_ENTRY_SIZE, matrixEntries } from "./density-matrix.ts";
import { degreesOf, formatPhase, phaseColor, phaseColorChannel } from "./phase.ts";
import type { Amplitudes, ComplexMatrix } from "./reduced.ts";

/** How the city of a density matrix is drawn. */
export interface CityOptions extends ChartOptions {
  /** Up to four qubits whose matrix is drawn, the others traced out. Default: all of them. */
  qubits?: readonly number[];
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Width of the city in pixels. Default: 480. */
  width?: number;
}

const maxQubits = 4;
/** Pixels from one label to the next. */
const labelHeight = 11;

/**
 * Draws the density matrix of up to four qubits as a city: the size of each entry as the height of a house, its
 * phase as the colour. Throws a `RangeError` for more qubits.
 */
export function cityChart(state: Amplitudes | ComplexMatrix, options: CityOptions = {}): Chart<CityOptions> {
  return densityChart(state, options, {
    max: maxQubits,
    noun: "A city",
    mark: "house",
    key: "height: size, colour: phase",
    spec: citySpec,
  });
}

const fixed = (value: number) => String(Math.round(value * 10) / 10);

function citySpec(
  { matrix, labels, title, subtitle, options }: DensityMatrix,
  description: string,
): VegaLiteSpec {
  const { size } = matrix;
  const width = clampPixels(options.width ?? 480, 160, 1200);
  const margin = Math.max(44, 16 + 7 * labels[0]!.length);
  const half = (width / 2 - margin) / size;
  const rise = half * 0.5;
  const tall = Math.max(90, width * 0.28);
  const { entries, largest } = matrixEntries(matrix);
  /** From the back of the city to its front. */
  entries.sort((one, other) => one.row + one.column - other.row - other.column);
  const above = entries.map(
    ({ row, column, size: length }) => (length / largest) * tall - (row + column) * rise,
  );
  const top = Math.max(tall - size * rise, ...above) + 8;
  const corner = (row: number, column: number) => ({
    x: width / 2 + (column - row) * half,
    y: top + (column + row) * rise,
  });
  /** A closed path through points, each after the first relative to the one before it. */
  const path = (points: readonly { x: number; y: number }[]) => {
    const steps = points.slice(1).map(({ x, y }, index) => {
      const before = points[index]!;
      const down = fixed(y - before.y);
      return x === before.x ? `v${down}` : `l${fixed(x - before.x)},${down}`;
    });
    return `M${fixed(points[0]!.x)},${fixed(points[0]!.y)}${steps.join("")}Z`;
  };
  const faces = entries.flatMap(({ row, column, size: length, phase }) => {
    const gap = 0.1;
    const [north, east] = [corner(row + gap, column + gap), corner(row + gap, column + 1 - gap)];
    const [south, west] = [corner(row + 1 - gap, column + 1 - gap), corner(row + 1 - gap, column + gap)];
    if (length < MIN_ENTRY_SIZE)
      return [{ d: path([north, east, south, west]), c: "rgba(128,128,128,0.18)" }];
    const up = (length / largest) * tall;
    const raised = ({ x, y }: { x: number; y: number }) => ({ x, y: y - up });
    const degrees = degreesOf(phase);
    const text = `|${labels[row]}⟩⟨${labels[column]}|: ${length.toFixed(3)} ∠ ${formatPhase(phase)}`;
    return [
      { d: path([west, south, raised(south), raised(west)]), c: phaseColor(degrees, 0.78) },
      { d: path([south, east, raised(east), raised(south)]), c: phaseColor(degrees, 0.58) },
      {
        d: path([raised(north), raised(east), raised(south), raised(west)]),
        c: phaseColor(degrees, 1),
        text,
      },
    ];
  });
  const place = ({ x, y }: { x: number; y: number }, aside: number) => ({
    x: Math.round(x + aside),
    y: Math.round(y + 9),
  });
  const every = Math.ceil(labelHeight / rise);
  const names = labels.flatMap((label, index) =>
    index % every > 0
      ? []
      : [
          { ...place(corner(index + 0.5, size), 5), label, side: "row" },
          { ...place(corner(size, index + 0.5), -5), label, side: "column" },
        ],
  );
  const height = Math.round(top + 2 * size * rise + 24);
  const west = corner(size, 0);
  const scale = [0, 0.5, 1].map(share => ({
    x: west.x,
    y: west.y - share * tall,
    label: (share * largest).toFixed(largest < 0.1 ? 3 : 2),
  }));
  const onPage = {
    x: { field: "x", type: "quantitative", scale: { domain: [0, width], nice: false }, axis: null },
    y: { field: "y", type: "quantitative", scale: { domain: [height, 0], nice: false }, axis: null },
  };
  const still = { x: { value: 0 }, y: { value: 0 } };
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width,
    height,
    data: { values: faces },
    layer: [
      {
        mark: { type: "point", filled: true, size: 4, opacity: 1, strokeWidth: 0 },
        encoding: {
          ...still,
          shape: { field: "d", type: "nominal", scale: null, legend: null },
          fill: { field: "c", type: "nominal", scale: null, legend: null },
          tooltip: { field: "text", type: "nominal", title: "entry" },
        },
      },
      ...["row", "column"].map(side => ({
        data: { values: names.filter(name => name.side === side) },
        mark: {
          type: "text",
          color: neutral,
          font: fonts.mono,
          fontSize: size > 8 ? 9 : 11,
          align: side === "row" ? "left" : "right",
        },
        encoding: {
          ...onPage,
          text: { field: "label", type: "nominal" },
        },
      })),
      {
        data: { values: [{ x: west.x, y: west.y, end: west.y - tall }] },
        mark: { type: "rule", color: neutral },
        encoding: { ...onPage, y2: { field: "end" } },
      },
      {
        data: { values: scale },
        mark: { type: "tick", orient: "horizontal", color: neutral, size: 6, thickness: 1, xOffset: -3 },
        encoding: onPage,
      },
      {
        data: { values: scale },
        mark: { type: "text", color: neutral, fontSize: 10, align: "right", dx: -9 },
        encoding: { ...onPage, text: { field: "label", type: "nominal" } },
      },
      {
        data: { values: [{ phase: 0 }, { phase: 360 }] },
        mark: { type: "point", filled: true, opacity: 0, size: 0 },
        encoding: { ...still, color: phaseColorChannel },
      },
    ],
  });
}
