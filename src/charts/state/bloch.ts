import { list, stringValue } from "../../contract/index.ts";
import { formatNumber, numbers, pad, singleLine, table } from "../../display/index.ts";
import { clampPixels, inline, mark, only, pixels } from "../channels.ts";
import { type Chart, drawChart } from "../chart.ts";
import { type ChartOptions, chartOptionChecks, pixelLength } from "../options.ts";
import { inked, neutral, series } from "../roles.ts";
import {
  at,
  componentsOf,
  formatComponent,
  projectedSteps,
  type Sphere,
  sphereGrid,
  sphereRow,
  sphereView,
  wordsOf,
} from "./bloch-spheres.ts";
import { type Amplitudes, type BlochVector, blochVector, checkQubits, qubitsOf } from "./reduced.ts";

/** Options of Bloch spheres. */
export interface BlochOptions extends ChartOptions {
  /** Qubits that get a sphere. Default: all of them. */
  qubits?: readonly number[];
  /** Text above the chart, in place of the default one. */
  title?: string;
  /** Diameter of a sphere in pixels, at most 4000. Default: 200 for one, 140 for several. */
  size?: number;
}

const maxSpheres = 64;
const axes = ["x", "y", "z"] as const;

/** Draws the state of each qubit by itself as an arrow in its Bloch sphere; shorter when it is entangled. */
export const blochChart = (
  amplitudes: Amplitudes | readonly BlochVector[],
  options: BlochOptions = {},
): Chart<BlochOptions> =>
  drawChart(
    { ...chartOptionChecks, qubits: list, title: stringValue, size: pixelLength },
    options,
    ({ qubits, size, ...chosen }) => {
      const vectors = areVectors(amplitudes) ? amplitudes : undefined;
      const count = vectors?.length ?? qubitsOf(amplitudes as Amplitudes);
      const requested = qubits ?? Array.from({ length: count }, (_, qubit) => qubit);
      checkQubits(requested, count);
      const spheres = [...new Set(requested)].slice(0, maxSpheres).map((qubit): Sphere => {
        const vector = vectors?.[qubit] ?? blochVector(amplitudes as Amplitudes, qubit);
        return { qubit, ...vector, length: Math.hypot(vector.x, vector.y, vector.z) };
      });
      const mixed = spheres.filter(({ length }) => length < 0.9995).length;
      const title = singleLine(chosen.title ?? "Bloch spheres", 80);
      const subtitle =
        spheres.length === 1
          ? `(x, y, z) = ${componentsOf(spheres[0]!)}`
          : mixed === 0
            ? "Every qubit is in a state of its own"
            : `${formatNumber(mixed)} of ${formatNumber(spheres.length)} qubits ${vectors ? "mixed" : "entangled"}: their arrows are shorter`;
      const words = spheres.slice(0, 6).map(sphere => `q[${sphere.qubit}] ${wordsOf(sphere)}`);
      return {
        ...{ title, subtitle, area: null },
        description: `${title}: ${words.join("; ")}. ${subtitle}`,
        spec: blochSpec(spheres, title, size),
        records: () => spheres,
        table: () =>
          table<Sphere>({
            caption: title,
            noun: "qubits",
            rows: spheres,
            limit: maxSpheres,
            columns: [
              numbers("Qubit", ({ qubit }) => formatNumber(qubit)),
              ...axes.map(axis => numbers<Sphere>(axis, sphere => formatComponent(sphere[axis]))),
              numbers("Length", ({ length }) => formatComponent(length)),
            ],
          }),
        text: () =>
          spheres.map(sphere => {
            const parts = axes.map(axis => `${axis} ${pad(formatComponent(sphere[axis]), 5, "right")}`);
            return `  ${pad(`q[${sphere.qubit}]`, 5)}  ${parts.join("  ")}  length ${formatComponent(sphere.length)}`;
          }),
      };
    },
  );

const areVectors = (given: Amplitudes | readonly BlochVector[]): given is readonly BlochVector[] =>
  typeof given[0] === "object";

function blochSpec(spheres: readonly Sphere[], title: string, given: number | undefined) {
  const count = spheres.length;
  const size = clampPixels(given ?? (count === 1 ? 200 : 140), 40);
  const inRows = (across: number) => {
    const grid = sphereGrid(count, size, across);
    const rows = spheres.map((sphere, index) => sphereRow(sphere, index, grid));
    return sphereView(rows, grid);
  };
  const view = inRows(count === 4 ? 2 : 3);
  const [sphere] = spheres;
  if (count > 2 && count !== 4) return { ...view, usermeta: { narrow: inRows(2) } };
  if (count > 1 || !sphere || size < panelHeight) return view;
  const views = (x: number, y: number) => ({
    ...view,
    layer: [...view.layer, ...angleArcs(sphere), ...componentPanel(sphere, x, y)],
  });
  const { width, height } = view;
  return {
    ...{ title: { text: title }, ...views(width + 24, (height - panelHeight) / 2 - 14) },
    ...(width <= 360 && { usermeta: { narrow: views((width - panelWidth) / 2, height + 12) } }),
  };
}

const [panelWidth, panelHeight] = [176, 150];

/** Draws the angles of a pure state in its sphere: θ from the pole, φ from x. */
function angleArcs({ x, y, z, length }: Sphere): object[] {
  const across = Math.hypot(x, y);
  if (length < 0.9995 || across < 0.1) return [];
  const [theta, phi] = [Math.atan2(across, z), Math.atan2(y, x)];
  const steps = 16;
  const arc = (angle: string, radius: number, at: (share: number) => [number, number, number]) =>
    Array.from({ length: steps + 1 }, (_, step) => {
      const [ax, ay, az] = at(step / steps);
      const name = step === steps / 2 ? { name: angle } : {};
      return { angle, step, cx: 0, cy: 0, x: radius * ax, y: radius * ay, z: radius * az, ...name };
    });
  const values = [
    ...arc("θ", 0.32, share => {
      const polar = share * theta;
      return [Math.sin(polar) * Math.cos(phi), Math.sin(polar) * Math.sin(phi), Math.cos(polar)];
    }),
    ...(Math.abs(phi) < 0.1 ? [] : arc("φ", 0.3, share => [Math.cos(share * phi), Math.sin(share * phi), 0])),
  ];
  const line = { color: inked, strokeWidth: 1.25, interpolate: "linear" };
  const named = only(
    "isValid(datum.name)",
    { calculate: "datum.u * 1.5", as: "nameX" },
    { calculate: "datum.v * 1.5", as: "nameY" },
  );
  return [
    {
      ...inline(values),
      transform: projectedSteps,
      layer: [
        mark("line", line, { ...at("tipX", "tipY"), order: "step", detail: "angle" }),
        mark(
          "text",
          { color: inked, fontSize: 13, fontStyle: "italic" },
          { ...at("nameX", "nameY"), text: "name" },
          named,
        ),
      ],
    },
  ];
}

function componentPanel(sphere: Sphere, left: number, top: number): object[] {
  const [from, to] = [left + 34, left + 134];
  const data = inline(
    axes.map((axis, index) => ({
      ...{ name: `⟨${axis.toUpperCase()}⟩`, value: formatComponent(sphere[axis]), at: top + 28 + 28 * index },
      end: from + 50 + 50 * sphere[axis],
    })),
  );
  const y = pixels("at");
  const text = (field: string, x: number, align: string) =>
    mark("text", { fontSize: 12, color: inked, align }, { x, y, text: field }, data);
  const ends = [-1, 0, 1].map(value => ({
    ...{ name: String(value).replace("-", "−"), x: from + 50 + 50 * value, at: top + 112 },
  }));
  const tick = { orient: "vertical", color: neutral, size: 12, thickness: 1 };
  return [
    mark("rule", { color: neutral, opacity: 0.45 }, { x: from, x2: to, y }, data),
    mark("rule", { color: series[1], strokeWidth: 4 }, { x: pixels("end"), x2: from + 50, y }, data),
    mark("tick", tick, { x: from + 50, y }, data),
    text("name", left, "left"),
    text("value", left + panelWidth, "right"),
    mark("text", { fontSize: 11, color: neutral }, { x: pixels("x"), y, text: "name" }, inline(ends)),
  ];
}
