import { must, stringValue } from "../contract/options.ts";
import { type ChartOptions, chartOptionChecks, isColor } from "./theme.ts";

/** A title, and the size of the bars' area in pixels. */
export interface BarOptions extends ChartOptions {
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Width of the bars' area in pixels. */
  width?: number;
  /** Height of the bars' area in pixels. */
  height?: number;
}

/** What a chart's one colour must be. */
export const colorCheck = must('a colour such as "#155ec1" or "teal"', isColor);

/** What a length in pixels must be. */
export const pixelLength = must(
  "a number of pixels, more than 0",
  value => Number.isFinite(value) && Number(value) > 0,
);

/** What the options of bars must be. */
export const barOptionChecks = {
  ...chartOptionChecks,
  title: stringValue,
  width: pixelLength,
  height: pixelLength,
} as const;
