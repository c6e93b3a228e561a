export { Chart, type ChartSource } from "./chart.ts";
export { type ComparedData, type ComparisonOptions, comparison } from "./comparison.ts";
export { type HistogramData, type HistogramOptions, histogram } from "./histogram.ts";
export type { LabelStyle, Register } from "./outcome-label.ts";
export { type Png, svgToPng } from "./png.ts";
export type { VegaLiteSpec } from "./theme.ts";
