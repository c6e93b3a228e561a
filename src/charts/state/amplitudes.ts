import { oneOf, wholeNumber } from "../../contract/index.ts";
import {
  code,
  dotted,
  formatNumber,
  formatPercent,
  numbers,
  present,
  singleLine,
  table,
} from "../../display/index.ts";
import { barLines } from "../bar-text.ts";
import {
  clampPixels,
  inline,
  labelWidth,
  mark,
  outcomeChannel,
  percentAxis,
  round,
  silent,
  tips,
  withNarrow,
} from "../channels.ts";
import { type Chart, drawChart } from "../chart.ts";
import { type SizedOptions, sizedChecks } from "../options.ts";
import { labeller, labelStyle, rowOf } from "../outcome-label.ts";
import { inked, neutral } from "../roles.ts";
import { fonts } from "../vega-lite.ts";
import { degreesOf, dialMarks, formatPhase, phaseColorChannel, phaseWheel, wheelRoom } from "./phase.ts";
import { type Amplitudes, type PossibleState, possibleStates, qubitsOf } from "./reduced.ts";

/** Options of the amplitudes of a state. */
export interface AmplitudeOptions extends SizedOptions {
  /** Basis states that get a bar, the likeliest ones, at most 256. Default: 32. */
  top?: number;
  /** Order of the bars: by basis state or by descending probability. Default: `"outcome"`. */
  sort?: "outcome" | "value";
  /** Form of basis states: kets, bits, or hidden. Default: `"ket"`. */
  labels?: "raw" | "ket" | "none";
}

type AmplitudeBar = PossibleState & { label: string };

/** Describes the first of some basis states by their probabilities and phases. */
export const stateWords = (states: readonly Pick<AmplitudeBar, "label" | "probability" | "phase">[]) =>
  states
    .slice(0, 4)
    .map(
      ({ label, probability, phase }) =>
        `${label} ${formatPercent(probability)} with phase ${formatPhase(phase)}`,
    )
    .join(", ");

const defaultTop = 32;
const maxTop = 256;

/** Draws the amplitudes of a state: their squares as bars, their phases as colours and as hands of a dial. */
export const amplitudeChart = (
  amplitudes: Amplitudes,
  options: AmplitudeOptions = {},
  remark = "",
): Chart<AmplitudeOptions> =>
  drawChart(
    { ...sizedChecks, top: wholeNumber(1), sort: oneOf("outcome", "value"), labels: labelStyle },
    options,
    chosen => {
      const qubits = qubitsOf(amplitudes);
      const all = possibleStates(amplitudes);
      const shown = all.slice(0, Math.min(maxTop, chosen.top ?? defaultTop));
      if (chosen.sort !== "value") shown.sort((one, other) => one.index - other.index);
      const left = all.length - shown.length;
      const restLabel = `+${formatNumber(left)} more`;
      const written = labeller(chosen.labels ?? "ket", restLabel);
      const rest = Math.max(0, 1 - shown.reduce((sum, { probability }) => sum + probability, 0));
      const bars = shown.map(state => ({
        ...state,
        label: written(state.index.toString(2).padStart(qubits, "0")),
      }));
      const title = singleLine(chosen.title ?? "State", 80);
      const order = Array.from({ length: qubits }, (_, index) => qubits - 1 - index);
      const subtitle = dotted(
        remark,
        rowOf(order, qubit => `q[${qubit}]`),
        `${formatNumber(all.length)} of ${formatNumber(2 ** qubits)} basis states`,
        left > 0 && `${restLabel}: ${formatPercent(rest)}`,
      );
      return {
        title,
        subtitle,
        description: `Amplitudes: ${stateWords(bars)}. ${subtitle}`,
        spec: amplitudesSpec(bars, chosen),
        records: () =>
          bars.map(({ label, re, im, probability, phase }) => ({ state: label, re, im, probability, phase })),
        table: () =>
          table<AmplitudeBar>({
            caption: title,
            noun: "basis states",
            rows: bars,
            limit: maxTop,
            columns: [
              { label: "State", value: ({ label }) => code(label) },
              numbers("Amplitude", ({ re, im }) => `${re.toFixed(4).replace("-", "−")} ${signed(im)}i`),
              numbers("Probability", ({ probability }) => formatPercent(probability)),
              numbers("Phase", ({ phase }) => formatPhase(phase)),
            ],
          }),
        text: columns => {
          const max = bars.reduce((largest, { probability }) => Math.max(largest, probability), 1e-12);
          const drawn = bars.map(({ label, probability, phase }) => ({
            names: [label],
            share: probability / max,
            numbers: [formatPercent(probability), `∠ ${formatPhase(phase)}`],
          }));
          return barLines(drawn, columns);
        },
      };
    },
  );

const signed = (value: number) => `${value < 0 ? "−" : "+"} ${Math.abs(value).toFixed(4)}`;

const [MIN_NUMBER, MIN_RADIUS] = [34, 4];

/** Width of the bars on narrow pages, beside the wheel of phases. */
const narrowWidth = 230;

function amplitudesSpec(bars: readonly AmplitudeBar[], options: AmplitudeOptions) {
  const labels = bars.map(bar => bar.label);
  const label = labelWidth(labels);
  const wanted = bars.length * (label <= 72 ? Math.max(54, label) : 24);
  const highest = bars.reduce((max, { probability }) => Math.max(max, probability), 0) || 1;
  const values = bars.map(bar => ({
    outcome: bar.label,
    probability: round(bar.probability),
    phase: degreesOf(bar.phase),
    angle: formatPhase(bar.phase),
    text: formatPercent(bar.probability),
  }));
  const y = { field: "probability", type: "quantitative" };
  const height = clampPixels(options.height ?? 200, 60);
  const percent = { calculate: "format(100 * datum.probability, '.3~r')", as: "percent" };
  const fitting = (text: "percent" | "angle", y: string | number, look: object) =>
    mark("text", { color: neutral, fontSize: 11, ...look }, { y, text, ...silent }, { transform: [percent] });
  const views = (width: number) => {
    const step = width / Math.max(1, labels.length);
    const radius = Math.min(9, step * 0.4);
    const written = options.labels === "none" ? 0 : label > step ? label + 4 : 20;
    const below = height + written + radius + 6;
    const hasNumbers = step >= MIN_NUMBER;
    const x = outcomeChannel(labels, { title: [], step, hidden: options.labels === "none" });
    const barWidth = round(Math.max(1, Math.min(44, step * 0.64)));
    return {
      width,
      height,
      ...inline(values),
      encoding: {
        x: { ...x, axis: { ...x.axis, labelFont: fonts.words, labelColor: inked, labelFontSize: 12 } },
        y: {
          ...y,
          scale: { domain: [0, highest * (hasNumbers ? 1.1 : 1.02)], nice: false },
          axis: { ...percentAxis, tickCount: 4 },
        },
        tooltip: tips({ outcome: "state", text: "probability", angle: "phase" }),
      },
      layer: present([
        mark("bar", { width: barWidth, cornerRadiusEnd: 2 }, { y, color: phaseColorChannel }),
        hasNumbers && fitting("percent", "probability", { baseline: "bottom", dy: -4 }),
        ...(radius >= MIN_RADIUS ? dialMarks(radius, { y: below }) : []),
        hasNumbers && fitting("angle", below + radius + 11, {}),
        ...phaseWheel(wheelRoom, wheelRoom),
      ]),
    };
  };
  const width = clampPixels(options.width ?? clampPixels(wanted, 320, 560), 120);
  return withNarrow(views, width, narrowWidth);
}
