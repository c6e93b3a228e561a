import { must, stringValue } from "../contract/index.ts";
import { isColor, type ThemeName, type ThemeOptions, themeCheck } from "./theme.ts";

/** Options of every chart. */
export interface ChartOptions {
  /** Theme of this chart, in place of the theme of all charts. */
  theme?: ThemeName | ThemeOptions;
}

/** Options of charts with a title and a width. */
export interface FigureOptions extends ChartOptions {
  /** Text above the chart, in place of the default one. */
  title?: string;
  /** Width of the chart's area in pixels, at most 4000. */
  width?: number;
}

/** A title, and the size of the area in pixels. */
export interface SizedOptions extends FigureOptions {
  /** Height of the chart's area in pixels, at most 4000. */
  height?: number;
}

export const colorCheck = must('a colour such as "#155ec1" or "teal"', isColor);

/** Largest size of an area that an option may give, in pixels. */
export const maxLength = 4000;

export const pixelLength = must(
  `a number of pixels, more than 0 and at most ${maxLength}`,
  value => Number(value) > 0 && Number(value) <= maxLength && typeof value === "number",
);

export const chartOptionChecks = { theme: themeCheck } as const;

export const figureChecks = { ...chartOptionChecks, title: stringValue, width: pixelLength } as const;

export const sizedChecks = { ...figureChecks, height: pixelLength } as const;
