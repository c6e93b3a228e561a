export { type CalibrationBarsOptions, calibrationBars } from "./calibration/bars.ts";
export type { CoupledDevice } from "./calibration/coupling.ts";
export { type CalibrationDriftOptions, calibrationDrift } from "./calibration/drift.ts";
export { type CalibrationMapOptions, calibrationMap } from "./calibration/map.ts";
export { miniMap } from "./calibration/mini-map.ts";
export { Chart, type ChartSource } from "./chart.ts";
export { type ComparedData, type ComparisonOptions, comparison } from "./comparison.ts";
export { facetChart } from "./compose/facet.ts";
export { type EnergiesData, type EnergyOptions, energies, formatEnergy } from "./energies.ts";
export { type HistogramData, type HistogramOptions, histogram, nothingMeasured } from "./histogram.ts";
export type { BarOptions } from "./options.ts";
export type { BitNames } from "./outcome-label.ts";
export { type Png, svgToPng } from "./png.ts";
export { heatmapChart } from "./rows/heatmap.ts";
export { lineChart } from "./rows/line.ts";
export { scatterChart } from "./rows/scatter.ts";
export {
  type NamedDistribution,
  programName,
  type SmallMultiplesOptions,
  smallMultiples,
} from "./small-multiples.ts";
export { type SpendingChartOptions, spendingChart } from "./spending.ts";
export { type AmplitudeOptions, amplitudeChart } from "./state/amplitudes.ts";
export { type BlochOptions, blochChart } from "./state/bloch.ts";
export { cityChart } from "./state/city.ts";
export { type DensityOptions, hintonChart } from "./state/density-matrix.ts";
export {
  type Amplitudes,
  type BlochVector,
  blochVector,
  type ComplexMatrix,
  qubitsOf,
  reducedDensityMatrix,
} from "./state/reduced.ts";
export { dailyUsageChart, type UsageChartOptions, usageChart } from "./usage.ts";
export type { VegaLiteSpec } from "./vega-lite.ts";
