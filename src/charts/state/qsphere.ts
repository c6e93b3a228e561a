import { checkOptions, flag, stringValue, wholeNumber } from "../../contract/options.ts";
import { formatNumber, formatPercent } from "../../display/format.ts";
import { singleLine } from "../../display/text.ts";
import { pixelLength } from "../bar-options.ts";
import { round } from "../channels.ts";
import { Chart } from "../chart.ts";
import type { ChartOptions } from "../theme.ts";
import { chartOptionChecks } from "../theme-options.ts";
import { clampPixels, fonts, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import { amplitudeChart } from "./amplitudes.ts";
import { degreesOf, formatPhase, phaseColorChannel } from "./phase.ts";
import { type Amplitudes, qubitsOf } from "./reduced.ts";

/** How a q-sphere is drawn. */
export interface QsphereOptions extends ChartOptions {
  /** Basis states that get a point, the likeliest ones, at most 64. Default: 32. */
  top?: number;
  /** Whether points are named. Default: with up to 16 of them. */
  labels?: boolean;
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Diameter of the sphere in pixels. Default: 320. */
  width?: number;
}

interface Point {
  state: string;
  x: number;
  y: number;
  /** Whether the point is on the side of the sphere that is seen. */
  isFront: boolean;
  probability: number;
  phase: number;
}

const maxTop = 64;
const minProbability = 1e-9;
const tilt = 0.35;

/**
 * Draws a state of up to 12 qubits on a sphere: a point a basis state, all zeros on top, as many ones on each parallel;
 * the area is the probability, the colour the phase. Throws a `RangeError` for more qubits.
 */
export function qsphereChart(amplitudes: Amplitudes, options: QsphereOptions = {}): Chart<QsphereOptions> {
  checkOptions(options, {
    ...chartOptionChecks,
    top: wholeNumber(1),
    labels: flag,
    title: stringValue,
    width: pixelLength,
  });
  const qubits = qubitsOf(amplitudes);
  if (qubits < 1 || qubits > 12)
    throw new RangeError(
      `A q-sphere is drawn of 1 to 12 qubits, not of ${qubits}: draw the amplitudes of more.`,
    );
  const title = singleLine(options.title ?? "Q-sphere", 80);
  const { points, left } = pointsOf(amplitudes, qubits, Math.min(maxTop, options.top ?? 32));
  const subtitle = [
    `${formatNumber(qubits)} ${qubits === 1 ? "qubit" : "qubits"} · area: probability · colour: phase`,
    ...(left > 0 ? [`${formatNumber(left)} less likely basis states are not drawn`] : []),
  ];
  const likely = points
    .slice(0, 3)
    .map(({ state, probability }) => `|${state}⟩ ${formatPercent(probability)}`);
  const description = `${title}: a point for each basis state of ${qubits} qubits. Likeliest: ${likely.join(", ")}.`;
  const bars = amplitudeChart(amplitudes, { title, top: options.top ?? 32, sort: "value" });
  return new Chart<QsphereOptions>({
    title,
    description,
    spec: qsphereSpec(points, { title, subtitle, description, options }),
    options,
    table: () => bars.source.table(),
    text: columns => bars.toText(columns),
    rebuild: changed => qsphereChart(amplitudes, { ...options, ...changed }),
  });
}

const onesOf = (index: number) => index.toString(2).replaceAll("0", "").length;

/** Returns the likeliest basis states, and where they stand: by their ones from the top, evenly around each parallel. */
function pointsOf(amplitudes: Amplitudes, qubits: number, top: number): { points: Point[]; left: number } {
  const parallels: number[][] = Array.from({ length: qubits + 1 }, () => []);
  for (let index = 0; index < 2 ** qubits; index++) parallels[onesOf(index)]!.push(index);
  const all = parallels.flatMap((states, ones) =>
    states.map((index, place): Point => {
      const [re, im] = [amplitudes[2 * index]!, amplitudes[2 * index + 1]!];
      const polar = (ones / qubits) * Math.PI;
      const context = (place / states.length) * 2 * Math.PI + Math.PI / 2;
      const [across, depth, up] = [
        Math.sin(polar) * Math.sin(context),
        Math.sin(polar) * Math.cos(context),
        Math.cos(polar),
      ];
      return {
        state: index.toString(2).padStart(qubits, "0"),
        x: across,
        y: up * Math.cos(tilt) - depth * Math.sin(tilt),
        isFront: up * Math.sin(tilt) + depth * Math.cos(tilt) >= -1e-9,
        probability: re * re + im * im,
        phase: Math.atan2(im, re),
      };
    }),
  );
  const likely = all
    .filter(({ probability }) => probability > minProbability)
    .sort((one, other) => other.probability - one.probability);
  return { points: likely.slice(0, top), left: Math.max(0, likely.length - top) };
}

/** The outline of the sphere and its equator, around the origin with y downwards. */
const outline = (() => {
  const oval = (height: number) => `M1,0A1,${height.toFixed(3)},0,1,1,-1,0A1,${height.toFixed(3)},0,1,1,1,0`;
  return `${oval(1)}${oval(Math.sin(tilt))}`;
})();

function qsphereSpec(
  points: readonly Point[],
  {
    title,
    subtitle,
    description,
    options,
  }: { title: string; subtitle: string[]; description: string; options: QsphereOptions },
): VegaLiteSpec {
  const width = clampPixels(options.width ?? 320, 100, 1200);
  const reach = 1.22;
  const radius = width / (2 * reach);
  const axis = {
    type: "quantitative",
    axis: null,
    scale: { domain: [-reach, reach], nice: false, zero: false },
  };
  const at = { x: { field: "x", ...axis }, y: { field: "y", ...axis } };
  const values = points.map(({ state, x, y, isFront, probability, phase }) => ({
    state: `|${state}⟩`,
    x: round(x),
    y: round(y),
    isFront,
    phase: degreesOf(phase),
    area: round(Math.max(16, probability * (radius * 0.42) ** 2)),
    text: `${formatPercent(probability)}, phase ${formatPhase(phase)}`,
  }));
  const isNamed = options.labels ?? points.length <= 16;
  return vegaLiteSpec({
    description,
    title: { text: title, subtitle },
    width,
    height: width,
    data: { values },
    encoding: at,
    layer: [
      {
        data: { values: [{ x: 0, y: 0 }] },
        mark: {
          type: "point",
          shape: outline,
          size: round((2 * radius) ** 2),
          filled: false,
          stroke: "rgba(128,128,128,0.55)",
          fill: "rgba(128,128,128,0.06)",
          strokeWidth: 1,
          opacity: 1,
        },
      },
      {
        data: { values: values.map(({ x, y }) => ({ x, y })) },
        mark: { type: "rule", stroke: "rgba(128,128,128,0.55)", strokeWidth: 1 },
        encoding: { x2: { datum: 0 }, y2: { datum: 0 } },
      },
      {
        mark: { type: "point", filled: true },
        encoding: {
          size: { field: "area", type: "quantitative", scale: null, legend: null },
          color: phaseColorChannel,
          opacity: { condition: { test: "datum.isFront", value: 1 }, value: 0.45 },
          tooltip: [
            { field: "state", type: "nominal", title: "state" },
            { field: "text", type: "nominal", title: "probability" },
          ],
        },
      },
      ...(isNamed
        ? ["bottom", "top"].map(baseline => ({
            transform: [{ filter: baseline === "bottom" ? "datum.y >= 0" : "datum.y < 0" }],
            mark: {
              type: "text",
              font: fonts.mono,
              fontSize: 11,
              baseline,
              dy: { expr: baseline === "bottom" ? "-sqrt(datum.area) / 2 - 3" : "sqrt(datum.area) / 2 + 3" },
            },
            encoding: { text: { field: "state", type: "nominal" } },
          }))
        : []),
    ],
  });
}
