import { list, stringValue } from "../../contract/options.ts";
import { formatNumber } from "../../display/format.ts";
import { neutral, series } from "../../display/palette.ts";
import { table } from "../../display/table.ts";
import { clip, pad, singleLine } from "../../display/text.ts";
import { pixelLength } from "../bar-options.ts";
import { round } from "../channels.ts";
import type { Chart } from "../chart.ts";
import { drawChart } from "../draw-chart.ts";
import type { ChartOptions } from "../theme.ts";
import { chartOptionChecks } from "../theme-options.ts";
import { clampPixels, fonts, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import { type Amplitudes, type BlochVector, blochVector, qubitsOf } from "./reduced.ts";

/** How Bloch spheres are drawn. */
export interface BlochOptions extends ChartOptions {
  /** Qubits that get a sphere. Default: all of them. */
  qubits?: readonly number[];
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Diameter of a sphere in pixels. Default: 112. */
  size?: number;
}

interface Sphere extends BlochVector {
  qubit: number;
  /** 1 for a pure qubit, 0 for one that is mixed completely. */
  length: number;
}

interface Drawn {
  spheres: Sphere[];
  title: string;
  subtitle: string;
  options: BlochOptions;
}

const maxSpheres = 64;
/** Pixels of the vector written below a sphere, and of what is written above and below one. */
const vectorWidth = 128;
const captionsAbove = 26;
const captionsBelow = 56;
const columns = 4;

/** From where the spheres are seen: turned by `azimuth` around the z axis and raised by `elevation`. */
const azimuth = Math.PI / 6;
const elevation = Math.PI / 9;
const [ca, sa, ce, se] = [Math.cos(azimuth), Math.sin(azimuth), Math.cos(elevation), Math.sin(elevation)];

/** Returns where a point of the unit ball is seen: to the right, upwards, and towards the eye. */
function project({ x, y, z }: BlochVector) {
  const forward = x * ca + y * sa;
  return { u: y * ca - x * sa, v: z * ce - forward * se, depth: forward * ce + z * se };
}

/** Draws the state of each qubit by itself as an arrow in its Bloch sphere; shorter when it is entangled. */
export function blochChart(
  amplitudes: Amplitudes | readonly BlochVector[],
  options: BlochOptions = {},
): Chart<BlochOptions> {
  return drawChart(
    {
      checks: { ...chartOptionChecks, qubits: list, title: stringValue, size: pixelLength },
      prepare: chosen => prepare(amplitudes, chosen),
      describe: ({ title, subtitle }) => `${title}: one sphere a qubit. ${subtitle}`,
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
      mixed === 0
        ? "Every qubit is in a state of its own"
        : `${formatNumber(mixed)} of ${formatNumber(spheres.length)} qubits ${vectors ? "mixed" : "entangled"}: their arrows are shorter`,
    options,
  };
}

const areVectors = (given: Amplitudes | readonly BlochVector[]): given is readonly BlochVector[] =>
  typeof given[0] === "object";

/** A sphere with its equator and axes, as a path around the origin with y downwards. */
const outline = (() => {
  const axis = (x: number, y: number, z: number) => {
    const { u, v } = project({ x, y, z });
    return `M${(-u).toFixed(3)},${v.toFixed(3)}L${u.toFixed(3)},${(-v).toFixed(3)}`;
  };
  const oval = (height: string) => `M1,0A1,${height},0,1,1,-1,0A1,${height},0,1,1,1,0`;
  return `${oval("1")}${oval(se.toFixed(3))}${axis(1, 0, 0)}${axis(0, 1, 0)}${axis(0, 0, 1)}`;
})();

const formatComponent = (value: number) => (Math.abs(value) < 0.005 ? 0 : value).toFixed(2).replace("-", "−");

function blochSpec({ spheres, title, subtitle, options }: Drawn, description: string): VegaLiteSpec {
  const diameter = clampPixels(options.size ?? 112, 40, 400);
  const across = Math.min(columns, Math.max(1, spheres.length));
  const down = Math.max(1, Math.ceil(spheres.length / across));
  const radius = diameter / 2;
  const wide = Math.max(1.34, vectorWidth / diameter);
  const [above, below] = [ce + captionsAbove / radius, 1 + captionsBelow / radius];
  const high = above + below;
  const values = spheres.map((sphere, index) => {
    const { u, v, depth } = project(sphere);
    const [cx, cy] = [(index % across) * 2 * wide, -Math.floor(index / across) * high];
    return {
      qubit: `q[${sphere.qubit}]`,
      text: `(${formatComponent(sphere.x)}, ${formatComponent(sphere.y)}, ${formatComponent(sphere.z)})`,
      cx: round(cx),
      cy: round(cy),
      x: round(cx + u),
      y: round(cy + v),
      tip: round((diameter * (0.075 + 0.025 * depth)) ** 2),
    };
  });
  const at = (x: string, y: string) => ({
    x: { field: x, type: "quantitative", axis: null },
    y: { field: y, type: "quantitative", axis: null },
  });
  const label = (
    text: string | { field: string },
    offset: { xOffset?: number; yOffset?: number },
    look = {},
  ) => ({
    mark: {
      type: "text",
      color: neutral,
      fontSize: 11,
      ...(typeof text === "string" ? { text } : {}),
      ...offset,
      ...look,
    },
    encoding: {
      ...at("cx", "cy"),
      ...(typeof text === "string" ? {} : { text: { ...text, type: "nominal" } }),
    },
  });
  const end = (vector: BlochVector, gap: number) => {
    const { u, v } = project(vector);
    return { xOffset: round(radius * u * gap), yOffset: round(-radius * v * gap) };
  };
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width: Math.round(across * diameter * wide),
    height: Math.round((down * diameter * high) / 2),
    data: { values },
    encoding: {
      x: {
        type: "quantitative",
        scale: { domain: [-wide, (2 * across - 1) * wide], nice: false, zero: false },
      },
      y: { type: "quantitative", scale: { domain: [above - down * high, above], nice: false, zero: false } },
    },
    layer: [
      {
        mark: {
          type: "point",
          shape: outline,
          size: diameter ** 2,
          filled: false,
          stroke: "rgba(128,128,128,0.55)",
          fill: "transparent",
          strokeWidth: 1,
          opacity: 1,
        },
        encoding: {
          ...at("cx", "cy"),
          tooltip: [
            { field: "qubit", type: "nominal", title: "qubit" },
            { field: "text", type: "nominal", title: "(x, y, z)" },
          ],
        },
      },
      {
        mark: { type: "rule", color: series[1], strokeWidth: 2.5, strokeCap: "round" },
        encoding: { ...at("cx", "cy"), x2: { field: "x" }, y2: { field: "y" } },
      },
      {
        mark: { type: "point", filled: true, color: series[1], opacity: 1 },
        encoding: {
          ...at("x", "y"),
          size: { field: "tip", type: "quantitative", scale: null, legend: null },
        },
      },
      label("|0⟩", { yOffset: round(-radius * ce - 16) }, { font: fonts.mono }),
      label("|1⟩", { yOffset: round(radius * ce + 16) }, { font: fonts.mono }),
      label("x", end({ x: 1, y: 0, z: 0 }, 1.28)),
      label("y", end({ x: 0, y: 1, z: 0 }, 1.24)),
      label({ field: "qubit" }, { yOffset: round(radius + 32) }, { font: fonts.mono, fontWeight: 600 }),
      label({ field: "text" }, { yOffset: round(radius + 47) }),
    ],
  });
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
  return [title, subtitle, ...lines].map(line => clip(line, Math.max(30, Math.floor(width)))).join("\n");
}
