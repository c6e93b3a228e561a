import { checkOptions, text } from "../../contract/options.ts";
import { plain } from "../../display/text.ts";
import { Chart } from "../chart.ts";
import { pixelLength, themed } from "../theme.ts";
import { type ChartOptions, chartOptionChecks } from "../themes.ts";
import { checkCharts, joined } from "./concat.ts";
import { partsOf } from "./parts.ts";

/** How charts lie over each other. */
export interface LayerOptions extends ChartOptions {
  /** Text above the chart. Default: that of the first one. */
  title?: string;
  /** Width of the area in pixels. Default: that of the first chart. */
  width?: number;
  /** Height of the area in pixels. Default: that of the first chart. */
  height?: number;
}

/** Draws charts over each other in one area, on the same axes; the first lies below. */
export function layered(charts: readonly Chart[], options: LayerOptions = {}): Chart<LayerOptions> {
  checkCharts(charts);
  checkOptions(options, { ...chartOptionChecks, title: text, width: pixelLength, height: pixelLength });
  const apart = charts.find(({ bareSpec }) =>
    ["hconcat", "vconcat", "concat"].some(name => name in bareSpec),
  );
  if (apart)
    throw new RangeError(
      `"${apart.source.title}" is made of several charts, and can't lie over another one.`,
    );
  const { views, datasets } = partsOf(charts);
  const first = charts[0]!.bareSpec;
  const title = plain(options.title ?? charts[0]!.source.title, 80);
  const description = `${title}: ${charts.length} charts over each other. ${charts.map(String).join(" ")}`;
  return new Chart<LayerOptions>({
    title,
    description,
    spec: themed({
      description,
      title: { text: title },
      width: options.width ?? first.width,
      height: options.height ?? first.height,
      ...(datasets && { datasets }),
      layer: views.map(({ title: _, width: __, height: ___, description: ____, ...view }) => view),
    }),
    options,
    table: () => joined(charts.map(chart => chart.source.table())),
    text: columns => charts.map(chart => chart.toText(columns)).join("\n\n"),
    again: changed => layered(charts, { ...options, ...changed }),
  });
}
