import { formatPercent } from "../display/format.ts";
import { lines } from "./outcome-label.ts";
import { inked, neutral } from "./roles.ts";
import { fonts } from "./vega-lite.ts";

const letterWidth = 6.7;
/** Characters of a label; of a longer one its beginning and its end are written. */
const maxLabel = 24;

/** Expression of a name as a label: the tooltip has all of a long one. */
export const nameLabels = {
  labelExpr: `length(datum.label) > ${maxLabel} ? slice(datum.label, 0, ${maxLabel / 2}) + '…' + slice(datum.label, ${1 - maxLabel / 2}) : datum.label`,
};

/** Returns pixels that the longest of these labels takes up, with the gap beside it. */
export function labelWidth(labels: readonly string[]): number {
  return Math.min(maxLabel, Math.max(0, ...labels.map(label => label.length))) * letterWidth + 12;
}

/** Rounds to significant digits (default: 6): more than a picture shows, and fewer bytes in its specification. */
export const round = (value: number, digits: number = 6) => Number(value.toPrecision(digits));

/** Returns powers of ten from one value to another. */
export function decades(from: number, to: number): number[] {
  const first = Math.ceil(Math.log10(from));
  const count = Math.floor(Math.log10(to)) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => 10 ** (first + index));
}

/** Pixels that a label takes that stands upright. */
const upright = 12;
const titleLetter = 7.4;

/**
 * Returns where outcomes stand, in the given order, `step` pixels each: their labels level where they have room, else
 * upright, and where that is too close only every second, third and so on, with the last one where it is a `remainder`.
 */
export function outcomeChannel(
  labels: readonly string[],
  { title, step, hidden = false, remainder = false }: OutcomeAxis,
) {
  const every = Math.ceil(upright / step);
  const written = labels.filter(
    (_, index) =>
      index % every === 0 && !(remainder && index > labels.length - 1 - every && index < labels.length - 1),
  );
  const last = labels.at(-1);
  if (remainder && last !== undefined && written.at(-1) !== last) written.push(last);
  const characters = Math.max(16, Math.floor((step * labels.length) / titleLetter));
  const titleLines = title.flatMap(line => lines(line, characters));
  return {
    field: "outcome",
    type: "nominal",
    sort: null,
    scale: { domain: labels, paddingInner: 0, paddingOuter: 0 },
    axis: {
      title: titleLines.length > 1 ? titleLines : (titleLines[0] ?? null),
      labels: !hidden,
      labelAngle: labelWidth(labels) > step ? -90 : 0,
      labelFont: fonts.mono,
      titleFont: fonts.mono,
      labelLimit: 320,
      labelOverlap: false,
      ...(labelWidth(labels) > step && every > 1 && { values: written }),
    },
  };
}

/** How outcomes stand below an axis. */
export interface OutcomeAxis {
  /** What the outcomes are made of, each line wrapped to the axis. */
  title: readonly string[];
  /** Pixels of an outcome. */
  step: number;
  /** Whether no labels are written. Default: false. */
  hidden?: boolean;
  /** Whether the last label is that of all other outcomes, which is always written. Default: false. */
  remainder?: boolean;
}

/** Colour of the lines across, faint on any ground. */
export const gridColor = "rgba(128,128,128,0.22)";

/** Names of series above the bars. */
export const legend = {
  title: null,
  orient: "top",
  offset: 38,
  symbolType: "square",
  symbolOpacity: 1,
  labelColor: neutral,
  labelFontSize: 12,
  labelLimit: 240,
  ...nameLabels,
};

/** An axis of probabilities, in percent. */
export const percentAxis = { title: "probability, %", labelExpr: "format(datum.value * 100, '~g')" };

/** Smaller probabilities than this are written as powers of ten, and then all on their axis. */
const minPercent = 1e-7;
const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const maxDecades = 12;

/** Writes a power of ten: `10⁻⁶`. */
export const powerOfTen = (exponent: number) =>
  `10${[...String(exponent)].map(digit => (digit === "-" ? "⁻" : digits[Number(digit)])).join("")}`;

/** Expression of a label on a logarithmic axis: `0.01`, `2 × 10⁻⁶`, `10⁷`. */
export const decadeLabels = ((place: string, mantissa: string, digit: (of: string) => string) =>
  `datum.value >= 0.001 && datum.value < 1e5 ? format(datum.value, ',~g') : (${mantissa} == 1 ? '' : ${mantissa} + ' × ') + '10' + (${place} < 0 ? '⁻' : '') + (abs(${place}) > 9 ? ${digit(`floor(abs(${place}) / 10)`)} : '') + ${digit(`abs(${place}) % 10`)}`)(
  "floor(log(datum.value) / LN10 + 1e-9)",
  "round(datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9)))",
  of => `slice('${digits}', ${of}, ${of} + 1)`,
);

/** Returns a probability beside an axis that begins at `floor`: in percent, or where it is very small as a power of ten. */
export function probabilityText(value: number, floor: number): string {
  if (!(floor > 0 && floor < minPercent && value > 0 && value < 1e-5)) return formatPercent(value);
  const exponent = Math.ceil(-Math.log10(value));
  return `${(value * 10 ** exponent).toFixed(1)}·${powerOfTen(-exponent)}`;
}

/** Returns a logarithmic axis of probabilities from `floor` to `end`: in percent, or where they are very small in powers of ten. */
export function decadeAxis(floor: number, end: number) {
  const all = decades(floor, end);
  const every = Math.ceil(all.length / maxDecades);
  const values = all.filter((_, index) => (all.length - 1 - index) % every === 0);
  if (floor >= minPercent) return { ...percentAxis, values };
  const powers = values.map(value => {
    const exponent = Math.round(-Math.log10(value));
    return exponent === 0 ? "1" : powerOfTen(-exponent);
  });
  const place = `round(-log(datum.value) / LN10)`;
  const first = Math.round(-Math.log10(values[0] ?? 1));
  return {
    title: "probability",
    values,
    labelExpr: `${JSON.stringify(powers)}[round((${first} - ${place}) / ${every})]`,
  };
}

/** Bars below this share of the axis show the upper half of their interval alone: the lower would cover them. */
export const shortBar = 0.04;

/**
 * Returns marks of a bar's interval, from its value in a field to the fields `low` and `high`: white inside the bar
 * and in the colour of text above it, with caps where there is room, so that both halves are seen on any background.
 */
export function intervalMarks(
  barWidth: number,
  encoding: { [channel: string]: unknown } = {},
  from: string = "to",
) {
  return [
    { end: "low", color: "rgba(255,255,255,0.8)" },
    { end: "high", color: inked },
  ].flatMap(({ end, color }) => {
    const transform = [{ filter: `isValid(datum.${end})` }];
    const plain = { ...encoding, color: { value: color } };
    const line = {
      transform,
      mark: { type: "rule", strokeWidth: 1.25 },
      encoding: { ...plain, y: { field: from, type: "quantitative" }, y2: { field: end } },
    };
    const size = Math.min(10, barWidth / 2);
    const cap = {
      transform,
      mark: { type: "tick", orient: "horizontal", opacity: 1, size, thickness: 1.25 },
      encoding: { ...plain, y: { field: end, type: "quantitative" } },
    };
    return barWidth >= 14 ? [line, cap] : [line];
  });
}

/** Returns what stands in place of a chart that has nothing to draw. */
export const emptyDrawing = (text: string) => ({
  data: { values: [{ text }] },
  mark: { type: "text", color: neutral, fontSize: 13 },
  encoding: { text: { field: "text", type: "nominal" } },
});
