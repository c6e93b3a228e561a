import { checkOptions, type OptionCheck } from "../contract/index.ts";
import type { RenderedView } from "../display/index.ts";
import { Chart, type ChartSource } from "./chart.ts";
import type { ChartOptions } from "./options.ts";
import { recolored } from "./roles.ts";
import type { VegaLiteSpec } from "./vega-lite.ts";

/** How some data become a chart: they are prepared once, and drawn from that in each form. */
export interface ChartDrawing<Options extends object, Prepared extends { title: string }> {
  /** Every option there is, with what its value must be. */
  checks: Readonly<Record<keyof Options & string, OptionCheck>>;
  /** Computes what is drawn. Throws a `RangeError` where the options don't fit the data. */
  prepare(options: Options): Prepared;
  /** Returns what the picture shows, in a sentence. */
  describe(prepared: Prepared): string;
  spec(prepared: Prepared, description: string): VegaLiteSpec;
  table(prepared: Prepared): RenderedView;
  text(prepared: Prepared, columns: number): string;
  /** As in `ChartSource`. */
  records?(prepared: Prepared): readonly object[];
  /** As in `ChartSource`. */
  area?: null;
}

/** Draws a chart, and draws it anew when its options change. Throws a `RangeError` for an option that is not there. */
export function drawChart<Options extends ChartOptions, Prepared extends { title: string }>(
  drawing: ChartDrawing<Options, Prepared>,
  options: Options,
): Chart<Options> {
  checkOptions(options, drawing.checks);
  const prepared = drawing.prepare(options);
  const description = drawing.describe(prepared);
  const { color } = Object(options) as { color?: string };
  const spec = drawing.spec(prepared, description);
  const source: ChartSource<Options> = {
    title: prepared.title,
    description,
    spec: color === undefined ? spec : recolored(spec, color),
    table: () => drawing.table(prepared),
    text: columns => drawing.text(prepared, columns),
    options,
    ...(drawing.records && { records: () => drawing.records!(prepared) }),
    ...(drawing.area === null && { area: null }),
    rebuild: changed => drawChart(drawing, { ...options, ...changed }),
  };
  return new Chart(source);
}
