import { formatPercent } from "../../display/format.ts";
import { labelWidth, outcomeChannel, percentAxis, round } from "../channels.ts";
import { neutral } from "../roles.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "../vega-lite.ts";
import type { AmplitudeBar, PreparedAmplitudes } from "./amplitudes.ts";
import { degreesOf, formatPhase, phaseColorChannel } from "./phase.ts";

/** Returns the phase of an amplitude in radians. */
export const phaseOf = ({ re, im }: AmplitudeBar) => Math.atan2(im, re);

function bitsText(qubits: number): string {
  if (qubits === 1) return "q[0]";
  return qubits <= 4
    ? Array.from({ length: qubits }, (_, index) => `q[${qubits - 1 - index}]`).join(" ")
    : `q[${qubits - 1}] … q[0]`;
}

/** Draws amplitudes as a Vega-Lite specification. */
export function amplitudesSpec(
  { bars, rest, title, subtitle, qubits, options }: PreparedAmplitudes,
  description: string,
): VegaLiteSpec {
  const labels = [...bars, ...(rest ? [rest] : [])].map(({ label }) => label);
  const label = labelWidth(labels);
  const wanted = labels.length * (label <= 72 ? Math.max(24, label) : 24);
  const width = clampPixels(options.width ?? clampPixels(wanted, 320, 640), 120, 2000);
  const step = width / Math.max(1, labels.length);
  const radius = Math.min(9, step * 0.4);
  const size = round((2 * radius) ** 2);
  const highest = bars.reduce((max, { probability }) => Math.max(max, probability), 0) || 1;
  const values = bars.map(bar => ({
    outcome: bar.label,
    probability: round(bar.probability),
    phase: degreesOf(phaseOf(bar)),
    text: `${formatPercent(bar.probability)}, phase ${formatPhase(phaseOf(bar))}`,
  }));
  const barWidth = round(Math.max(1, Math.min(44, step * 0.72)));
  const y = { field: "probability", type: "quantitative" };
  const dial = { yOffset: -radius - 5 };
  return vegaLiteSpec({
    description,
    title: {
      text: title,
      subtitle: [subtitle, "The hand of each dial points to the phase: 0 is right, π/2 is up"],
    },
    width,
    height: clampPixels(options.height ?? 200, 60, 1200),
    data: { values },
    transform: [{ calculate: "-datum.phase", as: "turn" }],
    encoding: {
      x: outcomeChannel(labels, {
        ...{ title: [bitsText(qubits)], step, hidden: options.labels === "none" },
        remainder: rest !== null,
      }),
      y: {
        ...y,
        scale: { domain: [0, highest * 1.02], nice: false },
        axis: { ...percentAxis, tickCount: 4 },
      },
      tooltip: [
        { field: "outcome", type: "nominal", title: "state" },
        { field: "text", type: "nominal", title: "probability" },
      ],
    },
    layer: [
      ...(rest ? remainderBar(rest, highest, barWidth) : []),
      {
        mark: { type: "bar", width: barWidth, cornerRadiusEnd: 2 },
        encoding: { y, color: phaseColorChannel },
      },
      {
        mark: {
          type: "point",
          shape: "circle",
          filled: false,
          color: neutral,
          size,
          strokeWidth: 1,
          opacity: 1,
          ...dial,
        },
        encoding: { y },
      },
      {
        mark: {
          type: "point",
          shape: "M0,0L1,0",
          filled: false,
          size,
          strokeWidth: 2,
          opacity: 1,
          ...dial,
        },
        encoding: {
          y,
          color: phaseColorChannel,
          angle: { field: "turn", type: "quantitative", scale: null },
        },
      },
    ],
  });
}

/** Returns the grey bar of all that is not drawn, broken in two where it is higher than the axis. */
function remainderBar(rest: NonNullable<PreparedAmplitudes["rest"]>, highest: number, width: number) {
  const { label, probability } = rest;
  const row = { outcome: label, text: formatPercent(probability), from: 0, to: round(probability) };
  const values =
    probability <= highest
      ? [row]
      : [
          { ...row, to: round(highest * 0.8) },
          { ...row, from: round(highest * 0.84), to: round(highest) },
        ];
  const to = { field: "to", type: "quantitative" };
  return [
    {
      data: { values },
      mark: { type: "bar", width, color: neutral },
      encoding: { y: to, y2: { field: "from" } },
    },
  ];
}
