import { checkOptions, type OptionCheck } from "../contract/index.ts";
import type { RenderedView } from "../display/index.ts";
import { Chart, type ChartSource } from "./chart.ts";
import type { ChartOptions } from "./options.ts";
import { recolored } from "./roles.ts";
import { vegaLiteSpec } from "./vega-lite.ts";

interface Titled {
  title: string;
  subtitle?: string | readonly string[];
}

/** Steps from data to a chart: they are prepared once, and then drawn in each form. */
export interface ChartDrawing<Options extends object, Prepared extends Titled> {
  /** Every option there is, with what its value must be. */
  checks: Readonly<Record<keyof Options & string, OptionCheck>>;
  prepare(options: Options): Prepared;
  describe(prepared: Prepared): string;
  /** Returns the specification without the members that all charts share; its own title takes precedence. */
  spec(prepared: Prepared): { readonly [member: string]: unknown };
  table(prepared: Prepared): RenderedView;
  text(prepared: Prepared, columns: number): string;
  records?(prepared: Prepared): readonly object[];
  area?: null;
}

/** Draws a chart, and draws it again when its options change. Throws a `RangeError` for an unknown option. */
export function drawChart<Options extends ChartOptions, Prepared extends Titled>(
  drawing: ChartDrawing<Options, Prepared>,
  options: Options,
): Chart<Options> {
  checkOptions(options, drawing.checks);
  const prepared = drawing.prepare(options);
  const description = drawing.describe(prepared);
  const { color } = Object(options) as { color?: string };
  const { title, subtitle = [] } = prepared;
  const spec = vegaLiteSpec({
    title: { text: title, ...(subtitle.length > 0 && { subtitle }) },
    ...drawing.spec(prepared),
    description,
  });
  const source: ChartSource<Options> = {
    ...{ title, description },
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
