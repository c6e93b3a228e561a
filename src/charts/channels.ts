import { neutral } from "../display/palette.ts";
import { fonts } from "./theme.ts";

const letterWidth = 6.7;

/** Pixels that the longest of these labels takes up, with the gap beside it. */
export function labelWidth(labels: readonly string[]): number {
  return Math.max(0, ...labels.map(label => label.length)) * letterWidth + 12;
}

/** Six digits, when nothing else is said: more than a picture shows, and fewer bytes in its specification. */
export const round = (value: number, digits: number = 6) => Number(value.toPrecision(digits));

/** Powers of ten from one value to another. */
export function decades(from: number, to: number): number[] {
  const first = Math.ceil(Math.log10(from));
  const count = Math.floor(Math.log10(to)) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => 10 ** (first + index));
}

/** Where outcomes stand: in the given order, their labels level or upright. */
export function outcomeChannel(
  labels: readonly string[],
  title: string,
  shown: "level" | "upright" | "none",
) {
  return {
    field: "outcome",
    type: "nominal",
    sort: null,
    scale: { domain: labels, paddingInner: 0, paddingOuter: 0 },
    axis: {
      title,
      labels: shown !== "none",
      labelAngle: shown === "upright" ? -90 : 0,
      labelFont: fonts.mono,
      titleFont: fonts.mono,
      labelLimit: 320,
      labelOverlap: false,
    },
  };
}

/** Names of series above the bars. */
export const legend = {
  title: null,
  orient: "top",
  symbolType: "square",
  symbolOpacity: 1,
  labelColor: neutral,
  labelFontSize: 12,
  labelLimit: 240,
};

/** An axis of probabilities, in percent. */
export const percentAxis = { title: "probability", labelExpr: "format(datum.value * 100, '~g') + ' %'" };

/** Bars below this share of the axis show the upper half of their interval alone: the lower would cover them. */
export const shortBar = 0.04;

/**
 * Marks of a bar's interval, from its value in the field `to` to the fields `low` and `high`: white inside the bar
 * and grey above it, with caps where there is room, so that both halves are seen on any background.
 */
export function intervalMarks(barWidth: number, encoding: { [channel: string]: unknown } = {}) {
  return [
    { end: "low", color: "rgba(255,255,255,0.8)" },
    { end: "high", color: neutral },
  ].flatMap(({ end, color }) => {
    const transform = [{ filter: `isValid(datum.${end})` }];
    const plain = { ...encoding, color: { value: color } };
    const line = {
      transform,
      mark: { type: "rule", strokeWidth: 1.25 },
      encoding: { ...plain, y: { field: "to" }, y2: { field: end } },
    };
    const size = Math.min(10, barWidth / 2);
    const cap = {
      transform,
      mark: { type: "tick", orient: "horizontal", opacity: 1, size, thickness: 1.25 },
      encoding: { ...plain, y: { field: end } },
    };
    return barWidth >= 14 ? [line, cap] : [line];
  });
}
