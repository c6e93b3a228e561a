import { round } from "../channels.ts";
import { neutral, series } from "../roles.ts";
import { fonts } from "../vega-lite.ts";
import type { BlochVector } from "./reduced.ts";

/** The state of a qubit by itself. */
export interface Sphere extends BlochVector {
  qubit: number;
  /** 1 for a pure qubit, 0 for one that is mixed completely. */
  length: number;
}

/** Pixels of the vector written below a sphere, and of what is written above and below one. */
const vectorWidth = 128;
const captionsAbove = 26;
const captionsBelow = 56;

/** From where the spheres are seen: turned by `azimuth` around the z axis and raised by `elevation`. */
const azimuth = Math.PI / 6;
const elevation = Math.PI / 9;
const [ca, sa, ce, se] = [Math.cos(azimuth), Math.sin(azimuth), Math.cos(elevation), Math.sin(elevation)];

/** Returns where a point of the unit ball is seen: to the right, upwards, and towards the eye. */
function project({ x, y, z }: BlochVector) {
  const forward = x * ca + y * sa;
  return { u: y * ca - x * sa, v: z * ce - forward * se, depth: forward * ce + z * se };
}

/** A sphere with its equator and axes, as a path around the origin with y downwards. */
const outline = (() => {
  const axis = (x: number, y: number, z: number) => {
    const { u, v } = project({ x, y, z });
    return `M${(-u).toFixed(3)},${v.toFixed(3)}L${u.toFixed(3)},${(-v).toFixed(3)}`;
  };
  const oval = (height: string) => `M1,0A1,${height},0,1,1,-1,0A1,${height},0,1,1,1,0`;
  return `${oval("1")}${oval(se.toFixed(3))}${axis(1, 0, 0)}${axis(0, 1, 0)}${axis(0, 0, 1)}`;
})();

/** Writes a mean value of a Pauli operator. */
export const formatComponent = (value: number) =>
  (Math.abs(value) < 0.005 ? 0 : value).toFixed(2).replace("-", "−");

/** How spheres stand beside and below each other. */
export interface SphereGrid {
  /** Pixels. */
  readonly diameter: number;
  readonly across: number;
  readonly down: number;
  /** Half the width and the height of a sphere with its captions, in radii. */
  readonly wide: number;
  readonly above: number;
  readonly high: number;
}

/** Lays out so many spheres, at most `maxAcross` beside each other. */
export function sphereGrid(count: number, diameter: number, maxAcross: number): SphereGrid {
  const radius = diameter / 2;
  const [above, below] = [ce + captionsAbove / radius, 1 + captionsBelow / radius];
  const across = Math.min(maxAcross, Math.max(1, count));
  return {
    diameter,
    across,
    down: Math.max(1, Math.ceil(count / across)),
    wide: Math.max(1.34, vectorWidth / diameter),
    above,
    high: above + below,
  };
}

/** Returns what is drawn of the sphere at a place of a grid. */
export function sphereRow(sphere: Sphere, index: number, { diameter, across, wide, high }: SphereGrid) {
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
}

/** Draws rows of {@link sphereRow} as a view of a specification. */
export function sphereView(
  values: readonly object[],
  { diameter, across, down, wide, above, high }: SphereGrid,
) {
  const radius = diameter / 2;
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
  return {
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
  };
}
