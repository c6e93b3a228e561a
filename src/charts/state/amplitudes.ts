import { oneOf, wholeNumber } from "../../contract/options.ts";
import { code } from "../../display/cell.ts";
import { formatNumber, formatPercent } from "../../display/format.ts";
import { blocks } from "../../display/meter.ts";
import { table } from "../../display/table.ts";
import { clip, pad, singleLine } from "../../display/text.ts";
import { type BarOptions, barOptionChecks } from "../bar-options.ts";
import type { Chart } from "../chart.ts";
import { drawChart } from "../draw-chart.ts";
import { type LabelStyle, labeller, labelStyle } from "../outcome-label.ts";
import { amplitudesSpec, phaseOf } from "./amplitudes-spec.ts";
import { formatPhase } from "./phase.ts";
import { possibleStates } from "./possible-states.ts";
import { type Amplitudes, qubitsOf } from "./reduced.ts";

/** How the amplitudes of a state are drawn. */
export interface AmplitudeOptions extends BarOptions {
  /** Basis states that get a bar, the likeliest ones, at most 256. Default: 32. */
  top?: number;
  /** Order of the bars: by basis state or by descending probability. Default: `"outcome"`. */
  sort?: "outcome" | "value";
  /** How basis states are written: as kets, as bits, or not at all. Default: `"ket"`. */
  labels?: LabelStyle;
}

/** The bar of a basis state. */
export interface AmplitudeBar {
  label: string;
  re: number;
  im: number;
  probability: number;
}

/** The amplitudes of a state, prepared before they are drawn in one way or another. */
export interface PreparedAmplitudes {
  bars: AmplitudeBar[];
  /** The basis states that are not drawn, and their probability. */
  rest: { label: string; probability: number } | null;
  title: string;
  subtitle: string;
  qubits: number;
  options: AmplitudeOptions;
}

const defaultTop = 32;
const maxTop = 256;

/** Draws the amplitudes of a state: their squares as bars, their phases as colours and as hands of a dial. */
export function amplitudeChart(
  amplitudes: Amplitudes,
  options: AmplitudeOptions = {},
): Chart<AmplitudeOptions> {
  return drawChart(
    {
      checks: {
        ...barOptionChecks,
        top: wholeNumber(1),
        sort: oneOf("outcome", "value"),
        labels: labelStyle,
      },
      prepare: chosen => prepare(amplitudes, chosen),
      describe: ({ title, subtitle }) => `${title}: probability and phase of each basis state. ${subtitle}`,
      ...{ spec: amplitudesSpec, table: amplitudeTable, text: amplitudeText, records },
    },
    options,
  );
}

const records = ({ bars }: PreparedAmplitudes) =>
  bars.map(bar => ({
    state: bar.label,
    re: bar.re,
    im: bar.im,
    probability: bar.probability,
    phase: phaseOf(bar),
  }));

function prepare(amplitudes: Amplitudes, options: AmplitudeOptions): PreparedAmplitudes {
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
    rest: left > 0 ? { label: restLabel, probability: rest } : null,
    title: singleLine(options.title ?? "State", 80),
    subtitle: [
      `${formatNumber(qubits)} ${qubits === 1 ? "qubit" : "qubits"}`,
      `${formatNumber(all.length)} of ${formatNumber(2 ** qubits)} basis states`,
      ...(left > 0 ? [`${restLabel}: ${formatPercent(rest)}`] : []),
    ].join(" · "),
    qubits,
    options,
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
      {
        label: "Amplitude",
        align: "right",
        value: ({ re, im }) => `${re.toFixed(4).replace("-", "−")} ${signed(im)}i`,
      },
      { label: "Probability", align: "right", value: ({ probability }) => formatPercent(probability) },
      { label: "Phase", align: "right", value: bar => formatPhase(phaseOf(bar)) },
    ],
  });
}

function amplitudeText({ bars, title, subtitle }: PreparedAmplitudes, columns: number): string {
  const width = Math.max(36, Math.floor(columns));
  const labels = Math.max(1, ...bars.map(({ label }) => label.length));
  const room = Math.max(8, Math.min(40, width - labels - 26));
  const max = bars.reduce((largest, { probability }) => Math.max(largest, probability), 1e-12);
  const lines = bars.map(bar => {
    const drawn = pad(blocks(bar.probability / max, room), room);
    return `  ${pad(bar.label, labels)}  ${drawn}  ${pad(formatPercent(bar.probability), 8, "right")}  ∠ ${formatPhase(phaseOf(bar))}`;
  });
  return [title, subtitle, ...lines].map(line => clip(line, width)).join("\n");
}
