import type { RenderedView } from "../display/rendered-view.ts";
import type { Chart } from "./chart.ts";
import type { Plot } from "./rows/plot.ts";
import type { ChartOptions } from "./theme.ts";
import type { VegaLiteSpec } from "./vega-lite.ts";

/** What a chart is made from. */
export interface ChartSource<Options extends object> {
  /** What the chart shows, in a sentence: the text alternative of its picture. */
  description: string;
  title: string;
  /** The specification without its theme. */
  spec: VegaLiteSpec;
  /** The same data as a table. */
  table: () => RenderedView;
  /** The same data as records of numbers and strings, for files. Default: the rows of the table as they are written. */
  records?: () => readonly object[];
  /** Rows on two axes, from which charts over each other have one text form. */
  plot?: Plot;
  /** The same picture in lines of at most `columns` characters. */
  text: (columns: number) => string;
  /**
   * Pixels of the width that the option `width` sets, and how many such widths stand side by side; null where there is
   * no such option. Default: that of the specification, once.
   */
  area?: { width: number; across: number } | null;
  /** The options that the chart was made with. */
  options?: Options & ChartOptions;
  /** Draws the same data with some options changed. */
  rebuild(options: Options): Chart<Options>;
}

/** A change of a chart's specification: of the copy that it is given, or by another one that it returns. */
// biome-ignore lint/suspicious/noConfusingVoidType: what is changed in place returns nothing
// biome-ignore lint/suspicious/noExplicitAny: the members of a specification are of every kind
export type SpecEdit = (spec: { [member: string]: any }) => object | void;
