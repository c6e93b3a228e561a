import "./require-node.ts";
import { installRichDisplay } from "./kernels/last-expression.ts";

export type { TopologyOptions } from "./charts/calibration/topology.ts";
export type { ComposeOptions } from "./charts/compose/concat.ts";
export type { FacetOptions } from "./charts/compose/facet.ts";
export type { LayerOptions } from "./charts/compose/layer.ts";
export type { DisplayableView } from "./charts/displayable-view.ts";
export type {
  AmplitudeOptions,
  BarOptions,
  BlochOptions,
  BlochVector,
  CalibrationBarsOptions,
  CalibrationDriftOptions,
  CalibrationMapOptions,
  Chart,
  ComparisonOptions,
  DensityOptions,
  EnergyOptions,
  HistogramOptions,
  SmallMultiplesOptions,
  SpendingChartOptions,
  VegaLiteSpec,
} from "./charts/index.ts";
export type { ChartOptions, FigureOptions } from "./charts/options.ts";
export type { AreaOptions } from "./charts/rows/area.ts";
export type { BarsOptions } from "./charts/rows/bars.ts";
export type { BinOptions } from "./charts/rows/bins.ts";
export type { BoxOptions } from "./charts/rows/box.ts";
export type { Channel, DataColumns, Encoded } from "./charts/rows/columns.ts";
export type { HeatmapOptions, MatrixCell, MatrixOptions } from "./charts/rows/heatmap.ts";
export type { LineOptions } from "./charts/rows/line.ts";
export type { RowsOptions, SeriesOptions } from "./charts/rows/plot.ts";
export type { RuleOptions } from "./charts/rows/rule.ts";
export type { ScatterOptions } from "./charts/rows/scatter.ts";
export type { TextOptions } from "./charts/rows/text.ts";
export type { TimelineOptions } from "./charts/schedule/timeline.ts";
export type { QsphereOptions } from "./charts/state/qsphere.ts";
export type { StepperOptions } from "./charts/stepper/stepper.ts";
export type { Theme, ThemeName, ThemeOptions } from "./charts/theme.ts";
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InsufficientCreditsError,
  KetbookError,
  LimitError,
  LostSubmissionError,
  NotFoundError,
  PermissionError,
  RequestError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from "./client/index.ts";
export type {
  Displayable,
  MimeBundle,
  ProvenanceRecord,
  RenderedView,
  SimulatorDay,
  SpendingRow,
} from "./display/index.ts";
export { type Display, type DisplayHandle, display } from "./kernels/values/display.ts";
export * from "./notebook/index.ts";
export {
  type Distribution,
  type Expectation,
  linspace,
  type Observable,
  type OutcomeRow,
  type Solution,
} from "./results/index.ts";

installRichDisplay();

export type { OutputValue } from "./simulation/circuit/output-values.ts";
