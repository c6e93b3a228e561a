import { finiteNumber, text } from "../contract/options.ts";
import { neutral } from "../display/palette.ts";

/** Fonts of words and of outcomes: the shipped ones first, so that a page and a picture look alike. */
export const fonts = {
  words: "Inter, system-ui, -apple-system, Segoe UI, sans-serif",
  mono: "DejaVu Sans Mono, Menlo, Consolas, monospace",
} as const;

/** A title, and the size of the bars' area in pixels. */
export interface BarOptions {
  /** Text above the chart, in place of its own. */
  title?: string;
  /** Width of the bars' area in pixels. */
  width?: number;
  /** Height of the bars' area in pixels. */
  height?: number;
}

/** What the options of bars must be. */
export const barOptionChecks = { title: text, width: finiteNumber, height: finiteNumber } as const;

/** A Vega-Lite specification: plain data, written for version 5. */
export interface VegaLiteSpec {
  /** Address of the JSON schema that the specification follows. */
  readonly $schema: string;
  readonly [member: string]: unknown;
}

const schema = "https://vega.github.io/schema/vega-lite/v5.json";

/** What all charts have in common: no background, and colours that hold on white as on black. */
const config = {
  font: fonts.words,
  padding: 8,
  view: { stroke: null },
  title: {
    anchor: "start",
    frame: "group",
    color: neutral,
    fontSize: 15,
    fontWeight: 600,
    subtitleColor: neutral,
    subtitleFontSize: 12,
    subtitlePadding: 6,
    subtitleLineHeight: 16,
    offset: 14,
  },
  axis: {
    labelColor: neutral,
    titleColor: neutral,
    labelFontSize: 11,
    titleFontSize: 12,
    titleFontWeight: 400,
    domainColor: "rgba(128,128,128,0.55)",
    gridColor: "rgba(128,128,128,0.22)",
    ticks: false,
    labelPadding: 6,
    titlePadding: 10,
  },
  axisY: { domain: false },
} as const;

/** Completes a chart's own part to a specification. */
export function themed(part: { [member: string]: unknown }): VegaLiteSpec {
  return { $schema: schema, background: "transparent", ...part, config };
}

/** A size in whole pixels between two bounds; the lower one for what is no number. */
export function within(pixels: number, least: number, most: number): number {
  return Number.isFinite(pixels) ? Math.round(Math.min(most, Math.max(least, pixels))) : least;
}

/**
 * The width near `width` in which each of `count` things gets as many whole pixels. What is drawn alike has then the
 * same pixels, which makes a picture less than half as large.
 */
export function wholeSteps(width: number, count: number): number {
  return count > 0 ? count * Math.max(1, Math.round(width / count)) : width;
}
