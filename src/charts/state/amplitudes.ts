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
import { barText } from "../bar-text.ts";
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
import { type BarOptions, barOptionChecks } from "../options.ts";
import { labeller, labelStyle } from "../outcome-label.ts";
import { inked, neutral } from "../roles.ts";
import { fonts } from "../vega-lite.ts";
import { degreesOf, dialMarks, formatPhase, phaseColorChannel, phaseWheel, wheelRoom } from "./phase.ts";
import { type Amplitudes, possibleStates, qubitsOf } from "./reduced.ts";

/** Options of the amplitudes of a state. */
export interface AmplitudeOptions extends BarOptions {
  /** Basis states that get a bar, the likeliest ones, at most 256. Default: 32. */
  top?: number;
  /** Order of the bars: by basis state or by descending probability. Default: `"outcome"`. */
  sort?: "outcome" | "value";
  /** Form of basis states: kets, bits, or hidden. Default: `"ket"`. */
  labels?: "raw" | "ket" | "none";
}

type PreparedAmplitudes = ReturnType<typeof prepare>;
type AmplitudeBar = PreparedAmplitudes["bars"][number];

const phaseOf = ({ re, im }: { re: number; im: number }) => Math.atan2(im, re);

export const stateWords = (ket: string, probability: number, phase: number) =>
  `${ket} ${formatPercent(probability)} with phase ${formatPhase(phase)}`;

const defaultTop = 32;
const maxTop = 256;

/** Draws the amplitudes of a state: their squares as bars, their phases as colours and as hands of a dial. */
export function amplitudeChart(
  amplitudes: Amplitudes,
  options: AmplitudeOptions = {},
  remark = "",
): Chart<AmplitudeOptions> {
  return drawChart(
    {
      checks: {
        ...{ ...barOptionChecks, top: wholeNumber(1) },
        ...{ sort: oneOf("outcome", "value"), labels: labelStyle },
      },
      prepare: chosen => prepare(amplitudes, chosen, remark),
      describe: ({ bars, subtitle }) => {
        const words = bars.slice(0, 4).map(bar => stateWords(bar.label, bar.probability, phaseOf(bar)));
        return `Amplitudes: ${words.join(", ")}. ${subtitle}`;
      },
      ...{ spec: amplitudesSpec, table: amplitudeTable, text: amplitudeText, records },
    },
    options,
  );
}

const records = ({ bars }: PreparedAmplitudes) =>
  bars.map(bar => {
    const { label, re, im, probability } = bar;
    return { state: label, re, im, probability, phase: phaseOf(bar) };
  });

function prepare(amplitudes: Amplitudes, options: AmplitudeOptions, remark: string) {
  const qubits = qubitsOf(amplitudes);
  const top = Math.min(maxTop, options.top ?? defaultTop);
  const all = possibleStates(amplitudes);
  const likeliest = all.slice(0, top);
  const shown =
    options.sort === "value" ? likeliest : likeliest.sort((one, other) => one.index - other.index);
  const left = all.length - shown.length;
  const restLabel = `+${formatNumber(left)} more`;
  const written = labeller(options.labels ?? "ket", restLabel);
  const rest = Math.max(0, 1 - shown.reduce((sum, { probability }) => sum + probability, 0));
  return {
    bars: shown.map(({ index, probability }) => ({
      label: written(index.toString(2).padStart(qubits, "0")),
      re: amplitudes[2 * index]!,
      im: amplitudes[2 * index + 1]!,
      probability,
    })),
    title: singleLine(options.title ?? "State", 80),
    subtitle: dotted(
      remark,
      bitsText(qubits),
      `${formatNumber(all.length)} of ${formatNumber(2 ** qubits)} basis states`,
      left > 0 && `${restLabel}: ${formatPercent(rest)}`,
    ),
    options,
  };
}

const [MIN_NUMBER, MIN_RADIUS] = [34, 4];

function bitsText(qubits: number): string {
  if (qubits === 1) return "q[0]";
  return qubits <= 4
    ? Array.from({ length: qubits }, (_, index) => `q[${qubits - 1 - index}]`).join(" ")
    : `q[${qubits - 1}] … q[0]`;
}

function amplitudesSpec(drawn: PreparedAmplitudes) {
  const { bars, options } = drawn;
  const label = labelWidth(bars.map(bar => bar.label));
  const wanted = bars.length * (label <= 72 ? Math.max(54, label) : 24);
  const width = clampPixels(options.width ?? clampPixels(wanted, 320, 560), 120, 2000);
  return withNarrow(room => amplitudeViews(drawn, room), width, narrowWidth);
}

/** Width of the bars on narrow pages, beside the wheel of phases. */
const narrowWidth = 230;

function amplitudeViews({ bars, options }: PreparedAmplitudes, width: number) {
  const labels = bars.map(bar => bar.label);
  const label = labelWidth(labels);
  const step = width / Math.max(1, labels.length);
  const highest = bars.reduce((max, { probability }) => Math.max(max, probability), 0) || 1;
  const values = bars.map(bar => ({
    outcome: bar.label,
    probability: round(bar.probability),
    phase: degreesOf(phaseOf(bar)),
    angle: formatPhase(phaseOf(bar)),
    text: formatPercent(bar.probability),
  }));
  const barWidth = round(Math.max(1, Math.min(44, step * 0.64)));
  const y = { field: "probability", type: "quantitative" };
  const height = clampPixels(options.height ?? 200, 60, 1200);
  const radius = Math.min(9, step * 0.4);
  const written = options.labels === "none" ? 0 : label > step ? label + 4 : 20;
  const below = height + written + radius + 6;
  const percent = { calculate: "format(100 * datum.probability, '.3~r')", as: "percent" };
  const fitting = (text: "percent" | "angle", y: string | number, look: object) =>
    mark("text", { color: neutral, fontSize: 11, ...look }, { y, text, ...silent }, { transform: [percent] });
  const hasNumbers = step >= MIN_NUMBER;
  const x = outcomeChannel(labels, { title: [], step, hidden: options.labels === "none" });
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
}

const signed = (value: number) => `${value < 0 ? "−" : "+"} ${Math.abs(value).toFixed(4)}`;

function amplitudeTable({ bars, title }: PreparedAmplitudes) {
  return table<AmplitudeBar>({
    caption: title,
    noun: "basis states",
    rows: bars,
    limit: maxTop,
    columns: [
      { label: "State", value: ({ label }) => code(label) },
      numbers("Amplitude", ({ re, im }) => `${re.toFixed(4).replace("-", "−")} ${signed(im)}i`),
      { label: "Probability", align: "right", value: ({ probability }) => formatPercent(probability) },
      { label: "Phase", align: "right", value: bar => formatPhase(phaseOf(bar)) },
    ],
  });
}

function amplitudeText({ bars, title, subtitle }: PreparedAmplitudes, columns: number): string {
  const max = bars.reduce((largest, { probability }) => Math.max(largest, probability), 1e-12);
  const drawn = bars.map(bar => ({
    names: [bar.label],
    share: bar.probability / max,
    numbers: [formatPercent(bar.probability), `∠ ${formatPhase(phaseOf(bar))}`],
  }));
  return barText({ title, subtitle: [subtitle] }, drawn, columns);
}
