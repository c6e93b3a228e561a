export { fontFamilies } from "./apply-theme.ts";
export { type CalibrationBarsOptions, calibrationBars } from "./calibration/bars.ts";
export type { CoupledDevice } from "./calibration/coupling.ts";
export { type CalibrationDriftOptions, calibrationDrift } from "./calibration/drift.ts";
export { type CalibrationMapOptions, calibrationMap, miniMap } from "./calibration/map.ts";
export { type TopologyOptions, topologyChart } from "./calibration/topology.ts";
export { Chart } from "./chart.ts";
export { type ComparedData, type ComparisonOptions, comparison } from "./comparison.ts";
export { type ComposeOptions, concat } from "./compose/concat.ts";
export { type FacetOptions, facetChart } from "./compose/facet.ts";
export { type LayerOptions, layered } from "./compose/layer.ts";
export { type DisplayableView, displayableView } from "./displayable-view.ts";
export { embedFonts } from "./embed-fonts.ts";
export { type EnergyOptions, energies, formatEnergy } from "./energies.ts";
export { checkFont } from "./fonts.ts";
export { type HistogramData, type HistogramOptions, histogram, nothingMeasured } from "./histogram.ts";
export { type BarOptions, type ChartOptions, chartOptionChecks, type FigureOptions } from "./options.ts";
export type { OutcomeOrder } from "./outcome-label.ts";
export { svgToPng } from "./png.ts";
export { type BarsOptions, barsChart } from "./rows/bars.ts";
export { type BinOptions, binChart } from "./rows/bins.ts";
export { type BoxOptions, boxChart } from "./rows/box.ts";
export { type Channel, type DataColumns, type Encoded, rowsOf } from "./rows/columns.ts";
export {
  type HeatmapOptions,
  heatmapChart,
  isNumberList,
  type MatrixCell,
  type MatrixOptions,
  matrixCells,
} from "./rows/heatmap.ts";
export { type AreaOptions, areaChart, type LineOptions, lineChart } from "./rows/line.ts";
export type { PlainOptions, RowsOptions, SeriesOptions } from "./rows/plot.ts";
export { type RuleOptions, ruleChart, type TextOptions, textChart } from "./rows/rule.ts";
export { type ScatterOptions, scatterChart } from "./rows/scatter.ts";
export type { SavedPicture } from "./save.ts";
export { type TimelineOptions, timelineChart } from "./schedule/timeline.ts";
export { programName, type SmallMultiplesOptions, smallMultiples } from "./small-multiples.ts";
export { specChart } from "./spec-chart.ts";
export { type AmplitudeOptions, amplitudeChart } from "./state/amplitudes.ts";
export { type BlochOptions, blochChart } from "./state/bloch.ts";
export { cityChart } from "./state/city.ts";
export { type DensityOptions, hintonChart } from "./state/density-matrix.ts";
export { formatPhase } from "./state/phase.ts";
export { type QsphereOptions, qsphereChart } from "./state/qsphere.ts";
export {
  type BlochVector,
  basisState,
  blochVector,
  type ComplexMatrix,
  entanglementOf,
  qubitsOf,
  reducedDensityMatrix,
} from "./state/reduced.ts";
export type { StepperFrame, StepperOptions } from "./stepper/execution.ts";
export { stepperChart, stepperChecks } from "./stepper/stepper.ts";
export {
  currentTheme,
  luminance,
  resolveTheme,
  setTheme,
  type Theme,
  type ThemeName,
  type ThemeOptions,
  themeColors,
} from "./theme.ts";
export {
  dailyUsageChart,
  type SpendingChartOptions,
  spendingChart,
  type UsageChartOptions,
  usageChart,
} from "./usage.ts";
export type { VegaLiteSpec } from "./vega-lite.ts";
