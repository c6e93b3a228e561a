import { list, stringValue } from "../../contract/options.ts";
import { formatNumber } from "../../display/format.ts";
import { table } from "../../display/table.ts";
import { clipLines, pad, singleLine } from "../../display/text.ts";
import { pixelLength } from "../bar-options.ts";
import type { Chart } from "../chart.ts";
import { drawChart } from "../draw-chart.ts";
import type { ChartOptions } from "../theme.ts";
import { chartOptionChecks } from "../theme-options.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import {
  componentsOf,
  formatComponent,
  type Sphere,
  sphereGrid,
  sphereRow,
  sphereView,
  wordsOf,
} from "./bloch-spheres.ts";
import { type Amplitudes, type BlochVector, blochVector, qubitsOf } from "./reduced.ts";

/** How Bloch spheres are drawn. */
export interface BlochOptions extends ChartOptions {
  /** Qubits that get a sphere. Default: all of them. */
  qubits?: readonly number[];
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Diameter of a sphere in pixels. Default: 200 for one, 140 for several. */
  size?: number;
}

interface Drawn {
  spheres: Sphere[];
  title: string;
  subtitle: string;
  options: BlochOptions;
}

const maxSpheres = 64;

/** Draws the state of each qubit by itself as an arrow in its Bloch sphere; shorter when it is entangled. */
export function blochChart(
  amplitudes: Amplitudes | readonly BlochVector[],
  options: BlochOptions = {},
): Chart<BlochOptions> {
  return drawChart(
    {
      checks: { ...chartOptionChecks, qubits: list, title: stringValue, size: pixelLength },
      prepare: chosen => prepare(amplitudes, chosen),
      describe: ({ title, spheres, subtitle }) =>
        `${title}: ${spheres
          .slice(0, 6)
          .map(sphere => `q[${sphere.qubit}] ${wordsOf(sphere)}`)
          .join("; ")}. ${subtitle}`,
      ...{ spec: blochSpec, table: blochTable, text: blochText, area: null },
    },
    options,
  );
}

function prepare(amplitudes: Amplitudes | readonly BlochVector[], options: BlochOptions): Drawn {
  const vectors = areVectors(amplitudes) ? amplitudes : undefined;
  const count = vectors?.length ?? qubitsOf(amplitudes as Amplitudes);
  const requested = options.qubits ?? Array.from({ length: count }, (_, qubit) => qubit);
  const wrong = requested.find(qubit => !Number.isInteger(qubit) || qubit < 0 || qubit >= count);
  if (wrong !== undefined)
    throw new RangeError(`There is no qubit ${wrong}: the state has the qubits 0 to ${count - 1}.`);
  const spheres = [...new Set(requested)].slice(0, maxSpheres).map(qubit => {
    const vector = vectors?.[qubit] ?? blochVector(amplitudes as Amplitudes, qubit);
    return { qubit, ...vector, length: Math.hypot(vector.x, vector.y, vector.z) };
  });
  const mixed = spheres.filter(({ length }) => length < 0.9995).length;
  return {
    spheres,
    title: singleLine(options.title ?? "Bloch spheres", 80),
    subtitle:
      spheres.length === 1
        ? `(x, y, z) = ${componentsOf(spheres[0]!)}`
        : mixed === 0
          ? "Every qubit is in a state of its own"
          : `${formatNumber(mixed)} of ${formatNumber(spheres.length)} qubits ${vectors ? "mixed" : "entangled"}: their arrows are shorter`,
    options,
  };
}

const areVectors = (given: Amplitudes | readonly BlochVector[]): given is readonly BlochVector[] =>
  typeof given[0] === "object";

function blochSpec({ spheres, title, subtitle, options }: Drawn, description: string): VegaLiteSpec {
  const count = spheres.length;
  const size = clampPixels(options.size ?? (count === 1 ? 200 : 140), 40, 400);
  const grid = sphereGrid(count, size, count === 4 ? 2 : 3);
  const rows = spheres.map((sphere, index) => sphereRow(sphere, index, grid));
  return vegaLiteSpec({ description, title: { text: title, subtitle }, ...sphereView(rows, grid) });
}

function blochTable({ spheres, title }: Drawn) {
  return table<Sphere>({
    caption: title,
    noun: "qubits",
    rows: spheres,
    limit: maxSpheres,
    columns: [
      { label: "Qubit", align: "right", value: ({ qubit }) => formatNumber(qubit) },
      { label: "x", align: "right", value: ({ x }) => formatComponent(x) },
      { label: "y", align: "right", value: ({ y }) => formatComponent(y) },
      { label: "z", align: "right", value: ({ z }) => formatComponent(z) },
      { label: "Length", align: "right", value: ({ length }) => formatComponent(length) },
    ],
  });
}

function blochText({ spheres, title, subtitle }: Drawn, width: number): string {
  const lines = spheres.map(
    ({ qubit, x, y, z, length }) =>
      `  ${pad(`q[${qubit}]`, 5)}  x ${pad(formatComponent(x), 5, "right")}  y ${pad(formatComponent(y), 5, "right")}  z ${pad(formatComponent(z), 5, "right")}  length ${formatComponent(length)}`,
  );
  return clipLines([title, subtitle, ...lines], width);
}
