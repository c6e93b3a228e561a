import "./require-node.ts";
import { installRichDisplay } from "./kernels/index.ts";

export type {
  AmplitudeOptions,
  AreaOptions,
  BarsOptions,
  BinOptions,
  BlochOptions,
  BlochVector,
  BoxOptions,
  CalibrationBarsOptions,
  CalibrationDriftOptions,
  CalibrationMapOptions,
  Channel,
  Chart,
  ChartOptions,
  ComparisonOptions,
  ComposeOptions,
  DataColumns,
  DensityOptions,
  DisplayableView,
  Encoded,
  EnergyOptions,
  FacetOptions,
  FigureOptions,
  HeatmapOptions,
  HistogramOptions,
  LayerOptions,
  LineOptions,
  MatrixCell,
  MatrixOptions,
  OutcomeOrder,
  PlainOptions,
  QsphereOptions,
  RowsOptions,
  RuleOptions,
  ScatterOptions,
  SeriesOptions,
  SizedOptions,
  SmallMultiplesOptions,
  SpendingChartOptions,
  StepperOptions,
  TextOptions,
  Theme,
  ThemeName,
  ThemeOptions,
  TimelineOptions,
  TopologyOptions,
  VegaLiteSpec,
} from "./charts/index.ts";
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
export { type Display, type DisplayHandle, display } from "./kernels/index.ts";
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

export type { OutputValue } from "./simulation/index.ts";
