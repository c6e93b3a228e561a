import { asIs, inline, mark, only, round, tips } from "../channels.ts";
import { figureRoles, inked, neutral, series } from "../roles.ts";
import { formatPhase } from "./phase.ts";
import type { BlochVector } from "./reduced.ts";

export interface Sphere extends BlochVector {
  qubit: number;
  /** 1 for a pure qubit, 0 for one that is mixed completely. */
  length: number;
}

const wordsWidth = 140;
const captionsAbove = 24;
const captionsBelow = 60;

/** The view at first: turned by an azimuth around the z axis and raised by an elevation. */
const azimuth = Math.PI / 6.2;
const elevation = Math.PI / 9.5;

export const formatComponent = (value: number) =>
  (Math.abs(value) < 0.005 ? 0 : value).toFixed(2).replace("-", "−");

export const componentsOf = ({ x, y, z }: BlochVector) => `(${[x, y, z].map(formatComponent).join(", ")})`;

type SphereGrid = ReturnType<typeof sphereGrid>;

/** Lays out spheres, at most `maxAcross` per row, with space for the words below each, in pixels. */
export function sphereGrid(count: number, diameter: number, maxAcross: number, words: number = wordsWidth) {
  const radius = diameter / 2;
  const [above, below] = [1 + captionsAbove / radius, 1 + captionsBelow / radius];
  const across = Math.min(maxAcross, Math.max(1, count));
  return {
    diameter,
    across,
    down: Math.max(1, Math.ceil(count / across)),
    /** Half the width and the height of a sphere with its captions, in radii. */
    wide: Math.max(1.34, words / diameter),
    above,
    high: above + below,
  };
}

/** Returns the words below a sphere: the angles of a pure state, the length of a mixed one. */
export function wordsOf({ x, y, z, length }: Sphere): string {
  if (length < 0.9995) return `mixed, |r| = ${length.toFixed(2)}`;
  const theta = Math.acos(Math.min(1, Math.max(-1, z / length)));
  const phi = Math.hypot(x, y) < 1e-6 ? 0 : Math.atan2(y, x);
  return `θ = ${formatPhase(theta)}, φ = ${formatPhase(phi)}`;
}

export function sphereRow(sphere: Sphere, index: number, { across, wide, high }: SphereGrid) {
  const [x, y, z] = [round(sphere.x), round(sphere.y), round(sphere.z)];
  return {
    qubit: `q[${sphere.qubit}]`,
    words: wordsOf(sphere),
    text: componentsOf(sphere),
    cx: round((index % across) * 2 * wide),
    cy: round(-Math.floor(index / across) * high),
    ...{ x, y, z },
  };
}

const steps = (list: readonly (readonly [as: string, calculate: string])[]) =>
  list.map(([as, calculate]) => ({ calculate, as }));

/** Computes from a row, in radii, its arrow as seen and its foot on the equator. Dragging turns the view. */
export const projectedSteps = steps([
  ["azimuth", `${round(azimuth)} + (turn.across ? turn.across[0] : 0)`],
  ["elevation", `clamp(${round(elevation)} + (turn.up ? turn.up[0] : 0), -1.5, 1.5)`],
  ["ca", "cos(datum.azimuth)"],
  ["sa", "sin(datum.azimuth)"],
  ["ce", "cos(datum.elevation)"],
  ["se", "sin(datum.elevation)"],
  ["forward", "datum.x * datum.ca + datum.y * datum.sa"],
  ["u", "datum.y * datum.ca - datum.x * datum.sa"],
  ["v", "datum.z * datum.ce - datum.forward * datum.se"],
  ["depth", "datum.forward * datum.ce + datum.z * datum.se"],
  ["tipX", "datum.cx + datum.u"],
  ["tipY", "datum.cy + datum.v"],
  ["footY", "datum.cy - datum.forward * datum.se"],
  ["seen", "max(0.001, sqrt(datum.u * datum.u + datum.v * datum.v))"],
  ["length", "sqrt(datum.x * datum.x + datum.y * datum.y + datum.z * datum.z)"],
]);

/** The look of a sphere: light from the upper left. */
export const ball = {
  ...{ stroke: figureRoles.edge, strokeWidth: 1 },
  fill: {
    ...{ gradient: "radial", x1: 0.38, y1: 0.3, r1: 0, x2: 0.38, y2: 0.3, r2: 0.78 },
    stops: [0, 0.55, 1].map((offset, index) => ({ offset, color: `role:sphere${index}` })),
  },
};

const plain = { type: "quantitative", axis: null };

/** Returns the channels of places in radii. */
export const at = (x: string, y: string) => ({ x: { field: x, ...plain }, y: { field: y, ...plain } });

/** Draws rows of {@link sphereRow} as a view of a specification. */
export function sphereView(
  values: readonly object[],
  { diameter, across, down, wide, above, high }: SphereGrid,
) {
  const radius = diameter / 2;
  const isLarge = diameter >= 180;
  const [width, height] = [Math.round(across * diameter * wide), Math.round((down * diameter * high) / 2)];
  const scaled = (from: number, to: number) => ({
    type: "quantitative",
    scale: { domain: [round(from), round(to)], nice: false, zero: false },
  });
  const part = (
    type: string,
    [x, y]: readonly string[],
    look: object,
    channels: object = {},
    more?: object,
  ) => mark(type, { opacity: 1, ...look }, { ...at(x!, y!), ...channels }, more);
  const [middle, tip, foot] = [
    ["cx", "cy"],
    ["tipX", "tipY"],
    ["tipX", "footY"],
  ] as const;
  const circle = { shape: "circle", size: diameter ** 2 };
  /** A path around the middle of each sphere, in radii with y downwards. */
  const outline = (path: string, look: object) =>
    part("point", middle, {
      ...{ shape: { expr: path }, size: diameter ** 2 },
      ...{ fill: null, stroke: figureRoles.guide, strokeWidth: 1, ...look },
    });
  const dashed = { strokeDash: [2.5, 3] };
  const arc = (isBack: boolean) =>
    `'M-1,0A1,' + max(0.001, abs(datum.se)) + ',0,0,' + (datum.se > 0 ? ${Number(isBack)} : ${Number(!isBack)}) + ',1,0'`;
  const axes = (sign: string) =>
    [
      ["-datum.sa", "datum.ca * datum.se"],
      ["datum.ca", "datum.sa * datum.se"],
      ["0", "-datum.ce"],
    ]
      .map(([x, y]) => `'M0,0L' + ${sign}(${x}) + ',' + ${sign}(${y})`)
      .join(" + ");
  const words = (text: string, below: number, look: object) =>
    part("text", middle, { yOffset: round(radius + below), ...look }, { text });
  const far = round(1.06 + 14 / radius, 3);
  const color = series[1];
  const drop = { color, strokeWidth: 1, strokeDash: [2, 2.5] };
  const ring = { stroke: color, strokeWidth: 1, strokeDash: [1, 3], strokeCap: "round" };
  const ends = `[['|0⟩', 0, datum.ce], ['|1⟩', 0, -datum.ce], ['x', -datum.sa, -datum.ca * datum.se], ['y', datum.ca, -datum.sa * datum.se]]`;
  const arrow = [
    part(
      "point",
      middle,
      { shape: "circle", fill: null, ...ring },
      { size: asIs("ring") },
      only("datum.length > 0.02 && datum.length < 0.98"),
    ),
    part("rule", middle, drop, { x2: "tipX", y2: "footY" }),
    part("rule", tip, drop, { x2: "tipX", y2: "footY" }),
    part("point", foot, { filled: true, color, size: 10 }),
    part("point", middle, { filled: true, color, size: 14 }),
    part(
      "rule",
      middle,
      { color, strokeWidth: isLarge ? 2.75 : 2.25, strokeCap: "round" },
      { x2: "neckX", y2: "neckY" },
    ),
    part(
      "point",
      tip,
      { shape: "M0,0L-1,-0.4L-0.75,0L-1,0.4Z", stroke: color, strokeWidth: 1.25, strokeJoin: "round" },
      {
        size: asIs("head"),
        angle: { field: "angle", type: "quantitative", scale: null },
        fill: { condition: { test: "datum.depth < -0.02", value: figureRoles.ground }, value: color },
      },
    ),
  ];
  return {
    ...{ width, height },
    ...inline(values),
    encoding: { x: scaled(-wide, (2 * across - 1) * wide), y: scaled(above - down * high, above) },
    resolve: { scale: { x: "independent", y: "independent" } },
    layer: [
      {
        transform: projectedSteps,
        resolve: { scale: { x: "independent", y: "independent" } },
        layer: [
          part("point", middle, { ...circle, ...ball }),
          outline(arc(true), dashed),
          outline(arc(false), {}),
          outline(axes("-"), { ...dashed, strokeWidth: 0.75 }),
          outline(axes("+"), {}),
          mark(
            "text",
            { color: inked, fontSize: isLarge ? 13.5 : 12 },
            { ...at("endX", "endY"), text: "name" },
            {
              transform: [
                { calculate: ends, as: "end" },
                { flatten: ["end"] },
                ...steps([
                  ["endX", `datum.cx + ${far} * datum.end[1]`],
                  ["endY", `datum.cy + ${far} * datum.end[2]`],
                  ["name", "datum.end[0]"],
                ]),
              ],
            },
          ),
          {
            transform: steps([
              ["ring", `pow(${diameter} * datum.length, 2)`],
              ["tip", `min(${isLarge ? 13 : 10}, 0.6 * datum.seen * ${radius})`],
              ["head", "pow(2 * datum.tip, 2)"],
              ["neckX", `datum.tipX - datum.u / datum.seen * 0.75 * datum.tip / ${radius}`],
              ["neckY", `datum.tipY - datum.v / datum.seen * 0.75 * datum.tip / ${radius}`],
              ["angle", "-atan2(datum.v, datum.u) * 180 / PI"],
            ]),
            layer: arrow,
          },
          words("qubit", isLarge ? 36 : 32, { color: inked, fontWeight: 600, fontSize: 12.5 }),
          words("words", isLarge ? 53 : 48, { color: neutral, fontSize: 11.5 }),
          mark(
            "point",
            { opacity: 0, tooltip: null },
            {
              x: { field: "across", ...plain, scale: { domain: [0, round(width / radius)] } },
              y: { field: "up", ...plain, scale: { domain: [0, round(height / radius)] } },
            },
            {
              ...inline([{ across: 0, up: 0 }]),
              params: [{ name: "turn", select: { type: "interval", zoom: false }, bind: "scales" }],
            },
          ),
          part(
            "point",
            middle,
            { ...circle, fill: "transparent", stroke: null },
            { tooltip: tips({ qubit: "qubit", text: "(x, y, z)", words: "state" }) },
          ),
        ],
      },
    ],
  };
}
