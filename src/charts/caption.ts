import type { ChartSource } from "./chart-source.ts";
import { untouched } from "./roles.ts";
import type { VegaLiteSpec } from "./vega-lite.ts";

/** Style of the grey line below a chart. */
export const captionStyle = "caption";

/** Returns the specification of a chart with a title only where somebody gave one: else what stood below it is a caption. */
export function captioned({ spec, options }: Pick<ChartSource<object>, "spec" | "options">): VegaLiteSpec {
  const { title, ...rest } = spec;
  const { text, subtitle, style } = Object(title) as { [member: string]: unknown };
  const isGiven = Object(options).title !== undefined || spec[untouched] !== undefined;
  if (text === undefined || style === captionStyle || isGiven) return spec;
  const lines = [subtitle ?? []].flat();
  if (lines.length === 0) return rest as VegaLiteSpec;
  return {
    ...rest,
    title: { text: lines, style: captionStyle, orient: "bottom" },
  } as unknown as VegaLiteSpec;
}
