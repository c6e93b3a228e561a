import { formatPercent } from "../display/format.ts";
import { intervalLabel } from "../results/index.ts";
import { emptyDrawing, intervalMarks, outcomeChannel, percentAxis, round } from "./channels.ts";
import { neutral, series } from "./roles.ts";
import type { SmallMultiples } from "./small-multiples.ts";
import { clampPixels, type VegaLiteSpec, vegaLiteSpec } from "./vega-lite.ts";

const maxAcross = 3;

/** Arranges small multiples: so many beside each other, each under its name. */
function panelled(panels: readonly string[], unit: object): object {
  if (panels.length < 2) return unit;
  return {
    facet: {
      field: "panel",
      type: "nominal",
      sort: panels,
      header: { title: null, labelColor: neutral, labelFontSize: 12, labelLimit: 240 },
    },
    columns: panels.length === 4 ? 2 : Math.min(maxAcross, panels.length),
    spec: unit,
  };
}

/** Draws histograms beside each other as a Vega-Lite specification. */
export function smallMultiplesSpec(drawn: SmallMultiples, description: string): VegaLiteSpec {
  const { panels, bars, outcomes, isShared, exact, title, subtitle, options } = drawn;
  const maxBars = Math.max(1, ...panels.map(({ name }) => bars.filter(({ panel }) => panel === name).length));
  const width = clampPixels(options.width ?? 200, 60, 2000);
  const step = width / maxBars;
  const top = Math.max(0, ...bars.map(({ to, high }) => Math.max(to, high))) || 1;
  const { scale, ...channel } = outcomeChannel(outcomes, { title: [], step });
  const barWidth = round(Math.min(28, Math.max(1, step * 0.72)));
  const unit = {
    width,
    height: clampPixels(options.height ?? 110, 40, 1200),
    encoding: {
      x: { ...channel, ...(isShared && { scale }) },
      y: {
        type: "quantitative",
        scale: { domain: [0, round(Math.min(1, top))], nice: true },
        axis: { ...percentAxis, tickCount: 3 },
      },
    },
    layer: [
      {
        mark: { type: "bar", width: barWidth, color: series[0] },
        encoding: {
          y: { field: "to" },
          tooltip: [
            { field: "panel", type: "nominal", title: "result" },
            { field: "outcome", type: "nominal", title: "outcome" },
            { field: "to", type: "quantitative", title: "probability", format: ".2%" },
            ...(exact ? [] : [{ field: "interval", type: "nominal", title: intervalLabel }]),
          ],
        },
      },
      ...(exact ? [] : intervalMarks(barWidth)),
    ],
  };
  const values = bars.map(bar => ({
    ...bar,
    to: round(bar.to),
    low: round(bar.low),
    high: round(bar.high),
    ...(!exact && { interval: `${formatPercent(bar.low)} to ${formatPercent(bar.high)}` }),
  }));
  const head = { description, title: { text: title, subtitle } };
  if (bars.length === 0) return vegaLiteSpec({ ...head, ...emptyDrawing("no outcomes") });
  return vegaLiteSpec({
    ...head,
    data: { values },
    ...panelled(
      panels.map(({ name }) => name),
      unit,
    ),
    ...(!isShared && { resolve: { scale: { x: "independent" } } }),
  });
}
