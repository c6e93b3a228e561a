import "./require-node.ts";
import { installRichDisplay } from "./kernels/last-expression.ts";

export type { TopologyOptions } from "./charts/calibration/topology.ts";
export type { EditableSpec, SpecEdit } from "./charts/chart-source.ts";
export type { ComposeOptions, SharedChannel } from "./charts/compose/concat.ts";
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
  CityOptions,
  ColorOption,
  ComparisonOptions,
  ComplexMatrix,
  EnergyOptions,
  HintonOptions,
  HistogramOptions,
  LabelStyle,
  SmallMultiplesOptions,
  SpendingChartOptions,
  VegaLiteSpec,
} from "./charts/index.ts";
export type { BarsOptions } from "./charts/rows/bars.ts";
export type { BinOptions } from "./charts/rows/bins.ts";
export type { Channel, ColumnName, DataColumns, Encoded, ScaleKind } from "./charts/rows/columns.ts";
export type { HeatmapOptions, MatrixCell, MatrixOptions } from "./charts/rows/heatmap.ts";
export type { LineOptions } from "./charts/rows/line.ts";
export type { RowsOptions, SeriesOptions } from "./charts/rows/plot.ts";
export type { ScatterOptions } from "./charts/rows/scatter.ts";
export type { TimelineOptions } from "./charts/schedule/timeline.ts";
export type { SpecChartOptions } from "./charts/spec-chart.ts";
export type { QsphereOptions } from "./charts/state/qsphere.ts";
export type { StepperOptions } from "./charts/stepper/stepper.ts";
export type { ChartOptions, FontFiles, Theme, ThemeName, ThemeOptions } from "./charts/theme.ts";
export type { AccountClient, UsageSeriesQuery } from "./client/account.ts";
export { type CancelOptions, cancelJob } from "./client/cancel.ts";
export type { Client } from "./client/client.ts";
export type { CalibrationCallOptions, DevicesClient } from "./client/devices.ts";
export {
  ApiError,
  type ApiErrorCode,
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
} from "./client/errors.ts";
export type { Fetch, FetchBody, FetchRequest, FetchResponse } from "./client/fetch.ts";
export type { GroupsClient } from "./client/groups.ts";
export type { JobsClient, RawResults } from "./client/jobs.ts";
export type { CallOptions, ClientOptions } from "./client/options.ts";
export type { Trouble } from "./client/outage.ts";
export type { Page, Pages } from "./client/pages.ts";
export type { RecordedPrograms } from "./client/records.ts";
export { type FetchResultOptions, fetchResult } from "./client/result.ts";
export type { Rows, UnreadRecord } from "./client/rows.ts";
export type { Watch, WatchOptions } from "./client/watch.ts";
export type {
  CreditBalance,
  CreditPricing,
  SimulatorUsage,
  UsageDay,
  UserBudget,
} from "./contract/account.ts";
export type { DeviceCalibration, EdgeFigure, QubitCalibration } from "./contract/calibration.ts";
export type {
  DeviceFilter,
  DevicePricing,
  DeviceQuery,
  DeviceType,
  PricingModel,
  RuntimeDevice,
} from "./contract/device.ts";
export type { PageQuery, Pagination } from "./contract/envelope.ts";
export type { ErrorCode, ErrorDetail } from "./contract/errors.ts";
export type { GroupFilter, JobGroup, JobGroupQuery, JobGroupRequest } from "./contract/group.ts";
export type {
  ExperimentType,
  JobFilter,
  JobQuery,
  JobRequest,
  JobTimes,
  RecordedTags,
  RuntimeJob,
  Tags,
  TagValue,
} from "./contract/job.ts";
export type { PackedCounts } from "./contract/packed-counts.ts";
export type { PackedMeasurements } from "./contract/packed-measurements.ts";
export type { Program, ProgramAscii, RecordedProgram } from "./contract/program.ts";
export type { NoQuote, Quote, QuoteRequest } from "./contract/quote.ts";
export type { ObservableExpectation, RawResult, ResultData, RuntimeResult } from "./contract/result.ts";
export type { DeviceStatus, GroupStatus, JobStatus, OpenEnum } from "./contract/status.ts";
export type { JobCancelled, JobDeleted, JobsDeleted, JobsSummary } from "./contract/summary.ts";
export type {
  CouplingMap,
  FullyConnected,
  KnownTopology,
  OtherTopology,
  SquareLattice,
  Topology,
} from "./contract/topology.ts";
export type {
  Displayable,
  MimeBundle,
  ProvenanceRecord,
  RenderedView,
  SimulatorDay,
  SpendingRow,
  SpendingSums,
} from "./display/index.ts";
export type { Balance, Pricing } from "./notebook/account/account.ts";
export type { SpendingList, SpendingOptions } from "./notebook/account/spending.ts";
export type {
  DailyUsage,
  DailyUsageList,
  DeviceUsage,
  Usage,
  UsageDays,
  UsageList,
  UsageSeries,
} from "./notebook/account/usage.ts";
export type { ConnectionRecord, KetbookOptions } from "./notebook/connection/connection.ts";
export type { BestCoupling, BestQubits } from "./notebook/devices/best-qubits.ts";
export {
  type CalibratedDevice,
  Calibration,
  type CalibrationRecord,
} from "./notebook/devices/calibration.ts";
export type { CalibrationHistory } from "./notebook/devices/calibration-history.ts";
export type {
  CalibrationHistoryOptions,
  CalibrationOptions,
} from "./notebook/devices/calibration-options.ts";
export type { Device, DeviceList, PendingDevice } from "./notebook/devices/device.ts";
export type { DeviceName } from "./notebook/devices/device-name.ts";
export type { Devices, DevicesFilter } from "./notebook/devices/devices.ts";
export { type BlochAngles, bloch } from "./notebook/drawing/bloch.ts";
export {
  chart,
  facet,
  grid,
  hconcat,
  layer,
  repeat,
  theme,
  vconcat,
} from "./notebook/drawing/compose.ts";
export {
  coupling,
  type DayRow,
  type GivenTopology,
  type SeriesChartOptions,
  series,
} from "./notebook/drawing/devices.ts";
export {
  histogram,
  type Numbers,
  type OutcomeValueRow,
  type OutcomeValues,
} from "./notebook/drawing/outcomes.ts";
export { bars, heatmap, line, scatter } from "./notebook/drawing/rows.ts";
export { type StepOptions, type SteppedDevice, step } from "./notebook/drawing/step.ts";
export { timeline } from "./notebook/drawing/timeline.ts";
export type { CheckRecord, CheckResult } from "./notebook/exercises/check-result.ts";
export {
  checks,
  type NumberCheckOptions,
  type StateCheckOptions,
  type UnitaryCheckOptions,
} from "./notebook/exercises/checks.ts";
export type { DistributionCheckOptions } from "./notebook/exercises/distribution-check.ts";
export { check, type Exercise, type ExerciseOptions, exercise, hint } from "./notebook/exercises/exercise.ts";
export type { CheckFinding, ExerciseCheck } from "./notebook/exercises/exercise-check.ts";
export type { OutputCheckOptions } from "./notebook/exercises/output-check.ts";
export type { GateRules, ResourceLimits } from "./notebook/exercises/resource-checks.ts";
export type { QubitSelection } from "./notebook/exercises/select-qubits.ts";
export type { Group, GroupOptions, PendingGroup } from "./notebook/groups/group.ts";
export type { GroupList, Groups, GroupsFilter } from "./notebook/groups/groups.ts";
export {
  connect,
  createGroup,
  credits,
  device,
  devices,
  group,
  groups,
  job,
  jobs,
  pricing,
  run,
  spending,
  sweep,
  usage,
} from "./notebook/helpers.ts";
export { CompileError, JobError } from "./notebook/jobs/failure.ts";
export type { Job, RerunOptions } from "./notebook/jobs/job.ts";
export type { JobList, Jobs, JobsFilter, Summary } from "./notebook/jobs/jobs.ts";
export type { PendingJob } from "./notebook/jobs/pending-job.ts";
export { CostLimitError } from "./notebook/jobs/quote.ts";
export type { Run } from "./notebook/jobs/run.ts";
export type { RunOptions } from "./notebook/jobs/run-settings.ts";
export type { DeviceNoise, RuntimeOptions } from "./notebook/jobs/runtime-options.ts";
export type { SweepGrid } from "./notebook/jobs/sweep.ts";
export type { WaitOptions } from "./notebook/jobs/wait-limits.ts";
export { Ketbook } from "./notebook/ketbook.ts";
export { noise } from "./notebook/noise/noise.ts";
export type { NoiseModel } from "./notebook/noise/noise-model.ts";
export type {
  GateNoiseOptions,
  NoiseChannel,
  NoiseChannels,
  NoiseModelOptions,
  ReadoutNoise,
} from "./notebook/noise/noise-options.ts";
export type { CircuitOptions } from "./notebook/programs/circuit.ts";
export type { TraceOptions } from "./notebook/programs/execute-steps.ts";
export type { Inputs, InputValue } from "./notebook/programs/inputs.ts";
export { type Qasm, type QasmProgram, qasm } from "./notebook/programs/program.ts";
export type { ProgramList } from "./notebook/programs/program-list.ts";
export type { NoisyState, Trace, TraceStep } from "./notebook/programs/trace.ts";
export {
  type TranspiledProgram,
  type TranspiledRecord,
  type TranspileTarget,
  transpile,
} from "./notebook/programs/transpile.ts";
export type { TranspileOptions } from "./notebook/programs/transpile-options.ts";
export type { BitOrder } from "./notebook/results/bit-order.ts";
export { DensityMatrix } from "./notebook/results/density-matrix.ts";
export type { ExpectationList, ExpectationRow } from "./notebook/results/expectation-list.ts";
export type { ExpectationValue } from "./notebook/results/expectation-value.ts";
export type { ComplexNumber, ComplexParts, GivenAmplitudes } from "./notebook/results/given-amplitudes.ts";
export { hermitian, pauliStrings } from "./notebook/results/hermitian.ts";
export type { OutcomeStatistics } from "./notebook/results/outcome-statistics.ts";
export type { Outcomes } from "./notebook/results/outcomes.ts";
export type { Provenance } from "./notebook/results/provenance.ts";
export { Result } from "./notebook/results/result.ts";
export type { ResultContext, ResultMembers, ResultRecord } from "./notebook/results/result-record.ts";
export type { ResultRow, ResultsRow } from "./notebook/results/result-row.ts";
export type { LikelyOutcome, TopList } from "./notebook/results/result-top.ts";
export { Results } from "./notebook/results/results.ts";
export type { SolutionList } from "./notebook/results/solution-list.ts";
export { State } from "./notebook/results/state.ts";
export { assert } from "./notebook/values/assert.ts";
export type { DisplayableList, RecordOf } from "./notebook/values/displayable-list.ts";
export type { DisplayableValue } from "./notebook/values/displayable-value.ts";
export type { PropertyPromises } from "./notebook/values/forward.ts";
export type { LazyPromise } from "./notebook/values/lazy-promise.ts";
export type { LazyValue } from "./notebook/values/lazy-value.ts";
export type { Query } from "./notebook/values/query.ts";
export {
  type Distribution,
  type Expectation,
  type ExpectationOptions,
  type Interval,
  linspace,
  type Observable,
  type OutcomeRow,
  type Row,
  type Solution,
} from "./results/index.ts";

export type {
  AmplitudeDampingChannel,
  ComplexEntry,
  DepolarizingChannel,
  FlipChannel,
  KrausChannel,
  NoiseRule,
  NoiseRules,
  PauliChannel,
  PhaseDampingChannel,
  ReadoutRule,
  RuleChannel,
  ThermalRelaxationChannel,
  UniformChannel,
} from "./simulation/index.ts";

installRichDisplay();

export type { OutputValue } from "./simulation/circuit/output-values.ts";
