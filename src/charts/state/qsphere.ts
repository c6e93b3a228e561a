import { flag, stringValue, wholeNumber } from "../../contract/options.ts";
import { formatCount, formatNumber, formatPercent } from "../../display/format.ts";
import { singleLine } from "../../display/text.ts";
import { pixelLength } from "../bar-options.ts";
import { round } from "../channels.ts";
import type { Chart } from "../chart.ts";
import { drawChart } from "../draw-chart.ts";
import { figureRoles, inked } from "../roles.ts";
import type { ChartOptions } from "../theme.ts";
import { chartOptionChecks } from "../theme-options.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import { amplitudeChart } from "./amplitudes.ts";
import { ball } from "./bloch-spheres.ts";
import { degreesOf, formatPhase, phaseColorChannel, phaseWheel, wheelRoom } from "./phase.ts";
import { type Amplitudes, qubitsOf } from "./reduced.ts";

/** How a q-sphere is drawn. */
export interface QsphereOptions extends ChartOptions {
  /** Basis states that get a point, the likeliest ones, at most 64. Default: 32. */
  top?: number;
  /** Whether points are named. Default: with up to 16 of them. */
  labels?: boolean;
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Width of the sphere with its labels in pixels. Default: 320. */
  width?: number;
}

/** A basis state on the sphere. */
interface Point {
  state: string;
  x: number;
  y: number;
  /** Whether the point is on the side of the sphere that is seen. */
  isFront: boolean;
  probability: number;
  phase: number;
}

interface Drawn {
  points: Point[];
  qubits: number;
  title: string;
  subtitle: string;
  options: QsphereOptions;
}

const maxTop = 64;
const minProbability = 1e-9;
const tilt = 0.35;
/** Spheres of more qubits have an equator alone. */
const maxParallels = 5;

/**
 * Draws a state of up to 12 qubits on a sphere: a point a basis state, all zeros on top, as many ones on each parallel;
 * the area is the probability, the colour the phase. Throws a `RangeError` for more qubits.
 */
export function qsphereChart(amplitudes: Amplitudes, options: QsphereOptions = {}): Chart<QsphereOptions> {
  const bars = () =>
    amplitudeChart(amplitudes, { title: options.title ?? "Q-sphere", top: options.top ?? 32, sort: "value" });
  return drawChart<QsphereOptions, Drawn>(
    {
      checks: {
        ...chartOptionChecks,
        top: wholeNumber(1),
        labels: flag,
        title: stringValue,
        width: pixelLength,
      },
      prepare: chosen => prepare(amplitudes, chosen),
      describe: ({ title, points, qubits }) =>
        `${title} of ${formatCount(qubits, "qubits")}: ${points
          .slice(0, 4)
          .map(
            each =>
              `|${each.state}⟩ ${formatPercent(each.probability)} with phase ${formatPhase(each.phase)}`,
          )
          .join(", ")}.`,
      spec: qsphereSpec,
      table: () => bars().source.table(),
      text: (_, columns) => bars().toText(columns),
    },
    options,
  );
}

const onesOf = (index: number) => index.toString(2).replaceAll("0", "").length;

/** Places the likeliest basis states: by their ones from the top, evenly around each parallel. */
function prepare(amplitudes: Amplitudes, options: QsphereOptions): Drawn {
  const qubits = qubitsOf(amplitudes);
  if (qubits < 1 || qubits > 12)
    throw new RangeError(
      `A q-sphere is drawn of 1 to 12 qubits, not of ${qubits}: draw the amplitudes of more.`,
    );
  const parallels: number[][] = Array.from({ length: qubits + 1 }, () => []);
  for (let index = 0; index < 2 ** qubits; index++) parallels[onesOf(index)]!.push(index);
  const all = parallels.flatMap((states, ones) =>
    states.map((index, place): Point => {
      const [re, im] = [amplitudes[2 * index]!, amplitudes[2 * index + 1]!];
      const polar = (ones / qubits) * Math.PI;
      const around = (place / states.length) * 2 * Math.PI + Math.PI / 2;
      const depth = Math.sin(polar) * Math.cos(around);
      return {
        state: index.toString(2).padStart(qubits, "0"),
        x: Math.sin(polar) * Math.sin(around),
        y: Math.cos(polar) * Math.cos(tilt) - depth * Math.sin(tilt),
        isFront: states.length === 1 || Math.cos(polar) * Math.sin(tilt) + depth * Math.cos(tilt) >= -1e-9,
        probability: re * re + im * im,
        phase: Math.atan2(im, re),
      };
    }),
  );
  const likely = all
    .filter(({ probability }) => probability > minProbability)
    .sort((one, other) => other.probability - one.probability);
  const points = likely.slice(0, Math.min(maxTop, options.top ?? 32));
  const left = likely.length - points.length;
  return {
    points,
    qubits,
    title: singleLine(options.title ?? "Q-sphere", 80),
    subtitle: [
      "Area: probability; hollow: behind",
      ...(left > 0 ? [`${formatNumber(left)} less likely basis states are not drawn`] : []),
    ].join(" · "),
    options,
  };
}

/** Returns the part of the parallel at a height that is seen, or the part behind, as a path with y downwards. */
function parallel(z: number, isBack: boolean): string {
  const across = Math.sqrt(1 - z * z);
  const edge = Math.acos(Math.min(1, Math.max(-1, (-z * Math.tan(tilt)) / across)));
  const x = (across * Math.sin(edge)).toFixed(3);
  const y = (across * Math.cos(edge) * Math.sin(tilt) - z * Math.cos(tilt)).toFixed(3);
  const isLong = edge > Math.PI / 2 !== isBack;
  return `M-${x},${y}A${across.toFixed(3)},${(across * Math.sin(tilt)).toFixed(3)},0,${Number(isLong)},${Number(isBack)},${x},${y}`;
}

function qsphereSpec({ points, qubits, title, subtitle, options }: Drawn, description: string): VegaLiteSpec {
  const width = clampPixels(options.width ?? 320, 100, 1200);
  const reach = 1.36;
  const radius = width / (2 * reach);
  const axis = {
    type: "quantitative",
    axis: null,
    scale: { domain: [-reach, reach], nice: false, zero: false },
  };
  const isNamed = options.labels ?? points.length <= 16;
  const values = points.map(({ state, x, y, isFront, probability, phase }) => ({
    state: `|${state}⟩`,
    x: round(x),
    y: round(y),
    isFront,
    phase: degreesOf(phase),
    area: round(Math.max(16, probability * (radius * 0.38) ** 2)),
    text: `${formatPercent(probability)}, phase ${formatPhase(phase)}`,
    ...(isNamed && { label: points.length > 8 ? `|${state}⟩` : `|${state}⟩ ${formatPercent(probability)}` }),
  }));
  const heights =
    qubits > maxParallels || qubits === 1
      ? [0]
      : Array.from({ length: qubits - 1 }, (_, ones) => Math.cos((Math.PI * (ones + 1)) / qubits));
  const outline = (shape: string, look: object) => ({
    data: { values: [{ x: 0, y: 0 }] },
    mark: { type: "point", shape, size: round((2 * radius) ** 2), opacity: 1, strokeWidth: 1, ...look },
  });
  const guide = (isBack: boolean) =>
    outline(heights.map(z => parallel(z, isBack)).join(""), {
      ...{ fill: null, stroke: figureRoles.guide, ...(isBack && { strokeDash: [2.5, 3] }) },
    });
  const color = phaseColorChannel;
  const sides = (isFront: boolean) => [
    {
      transform: [{ filter: `datum.isFront === ${isFront}` }],
      mark: { type: "rule", strokeWidth: 2.25, ...(!isFront && { strokeDash: [3, 3] }) },
      encoding: { x2: { datum: 0 }, y2: { datum: 0 }, color },
    },
    {
      transform: [{ filter: `datum.isFront === ${isFront}` }],
      mark: {
        ...{ type: "point", shape: "circle", opacity: 1, strokeWidth: isFront ? 1.5 : 3 },
        ...(isFront ? { filled: true, stroke: figureRoles.ground } : { fill: figureRoles.wash }),
      },
      encoding: {
        size: { field: "area", type: "quantitative", scale: null, legend: null },
        [isFront ? "fill" : "stroke"]: color,
        tooltip: [
          { field: "state", type: "nominal", title: "state" },
          { field: "text", type: "nominal", title: "probability" },
        ],
      },
    },
  ];
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width,
    height: width,
    data: { values },
    encoding: { x: { field: "x", ...axis }, y: { field: "y", ...axis } },
    layer: [
      outline("circle", ball),
      guide(true),
      guide(false),
      ...sides(false),
      ...sides(true),
      {
        transform: [{ filter: "isValid(datum.label)" }],
        mark: {
          type: "text",
          ...{ color: inked, fontSize: 12, fontWeight: 600 },
          baseline: { expr: "datum.y >= 0 ? 'bottom' : 'top'" },
          dy: { expr: "(datum.y >= 0 ? -1 : 1) * (sqrt(datum.area) / 2 + 4)" },
        },
        encoding: { text: { field: "label", type: "nominal" } },
      },
      ...phaseWheel(width + wheelRoom, wheelRoom),
    ],
  });
}
