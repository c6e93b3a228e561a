import type { ChartSource } from "./chart-source.ts";
import { untouched } from "./roles.ts";
import { plainTex } from "./rows/tex.ts";
import { wrapText } from "./vega/metrics.ts";
import type { VegaLiteSpec } from "./vega-lite.ts";

/** Style of the grey line below a chart. */
export const captionStyle = "caption";

/** Room beside the area of a chart that its caption may take, too. */
const beside = 40;

/**
 * Returns the specification of a chart with a title only where somebody gave one: else what stood below it is a caption,
 * in lines no wider than the chart.
 */
export function captioned({ spec, options }: Pick<ChartSource<object>, "spec" | "options">): VegaLiteSpec {
  const { title, ...rest } = spec;
  const { text, subtitle, style } = Object(title) as { [member: string]: unknown };
  const isGiven = Object(options).title !== undefined || spec[untouched] !== undefined;
  if (text === undefined || style === captionStyle) return spec;
  if (isGiven) return { ...spec, title: { ...Object(title), text: plainTex(String(text)) } };
  const width = typeof spec.width === "number" ? spec.width + beside : Number.POSITIVE_INFINITY;
  const lines = [subtitle ?? []].flat().flatMap(line => wrapText(String(line), width, { fontSize: 11.5 }));
  if (lines.length === 0) return rest as VegaLiteSpec;
  return {
    ...rest,
    title: { text: lines, style: captionStyle, orient: "bottom" },
  } as unknown as VegaLiteSpec;
}
