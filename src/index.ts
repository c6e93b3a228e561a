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
} from "./client/errors.ts";
export type {
  Displayable,
  MimeBundle,
  ProvenanceRecord,
  RenderedView,
  SimulatorDay,
  SpendingRow,
} from "./display/index.ts";
export { type Display, type DisplayHandle, display } from "./kernels/values/display.ts";
export type { SpendingList, SpendingOptions } from "./notebook/account/spending.ts";
export type { DailyUsageList, Usage, UsageDays, UsageList, UsageSeries } from "./notebook/account/usage.ts";
export type { ConnectionRecord, KetbookOptions } from "./notebook/connection/connection.ts";
export type { BestQubits } from "./notebook/devices/best-qubits.ts";
export type { CalibrationHistory } from "./notebook/devices/calibration.ts";
export { Calibration, type CalibrationRecord } from "./notebook/devices/calibration.ts";
export type { Device, DeviceList, PendingDevice } from "./notebook/devices/device.ts";
export type { Devices, DevicesFilter } from "./notebook/devices/devices.ts";
export type { DeviceName } from "./notebook/devices/resolve-device.ts";
export { chart, facet, grid, layer, theme } from "./notebook/drawing/compose.ts";
export { coupling, timeline } from "./notebook/drawing/devices.ts";
export { bloch, histogram, type Numbers, type OutcomeValues } from "./notebook/drawing/outcomes.ts";
export { area, bars, box, heatmap, line, rule, scatter, text } from "./notebook/drawing/rows.ts";
export { step } from "./notebook/drawing/step.ts";
export type { Estimate } from "./notebook/estimate/estimate.ts";
export type {
  EstimatedRound,
  EstimatedTerm,
  EstimatedValue,
  EstimateVerdict,
  Estimation,
} from "./notebook/estimate/estimation.ts";
export type { EstimatePlan, EstimatePlanList } from "./notebook/estimate/plans.ts";
export type { Mitigation } from "./notebook/estimate/settings.ts";
export type { Group, GroupList, Groups, PendingGroup } from "./notebook/groups/group.ts";
export {
  connect,
  createGroup,
  credits,
  device,
  devices,
  estimate,
  estimation,
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
export type { Job, PendingJob, RerunOptions } from "./notebook/jobs/job.ts";
export type { JobList, Jobs, JobsFilter } from "./notebook/jobs/jobs.ts";
export { CostLimitError } from "./notebook/jobs/quote.ts";
export type { Run } from "./notebook/jobs/run.ts";
export type { DeviceNoise, RuntimeOptions } from "./notebook/jobs/runtime-options.ts";
export type { WaitOptions } from "./notebook/jobs/wait.ts";
export { Ketbook } from "./notebook/ketbook.ts";
export { noise } from "./notebook/noise/noise.ts";
export type {
  GateNoiseOptions,
  NoiseChannel,
  NoiseModel,
  NoiseModelOptions,
  ReadoutNoise,
} from "./notebook/noise/noise-model.ts";
export {
  type Condition,
  type ProgramBuilder,
  type ProgramSize,
  program,
} from "./notebook/programs/builder.ts";
export type { CircuitOptions } from "./notebook/programs/circuit.ts";
export type { Circuits } from "./notebook/programs/circuits.ts";
export { circuits } from "./notebook/programs/circuits.ts";
export type { TranspileOptions } from "./notebook/programs/device-program.ts";
export type { TraceOptions } from "./notebook/programs/execute-steps.ts";
export type { Angle, GateCalls, GateMethods, Qubits } from "./notebook/programs/gates.ts";
export type { Inputs, InputValue } from "./notebook/programs/inputs.ts";
export type { QasmProgram } from "./notebook/programs/program.ts";
export type { ProgramList } from "./notebook/programs/program-list.ts";
export { type Qasm, qasm } from "./notebook/programs/qasm.ts";
export type { Trace, TraceStep } from "./notebook/programs/trace.ts";
export { type TranspiledProgram, type TranspileTarget, transpile } from "./notebook/programs/transpile.ts";
export type { BitOrder } from "./notebook/results/bit-order.ts";
export { DensityMatrix, hermitian, pauliStrings } from "./notebook/results/density-matrix.ts";
export type {
  ExpectationList,
  ExpectationRow,
  ExpectationValue,
} from "./notebook/results/expectation-list.ts";
export type { OutcomeStatistics } from "./notebook/results/outcome-statistics.ts";
export type { Outcomes } from "./notebook/results/outcomes.ts";
export { Result, Results } from "./notebook/results/result.ts";
export type { ResultContext, ResultMembers, ResultRecord } from "./notebook/results/result-record.ts";
export type { ResultRow, ResultsRow } from "./notebook/results/result-row.ts";
export type { LikelyOutcome, TopList } from "./notebook/results/result-top.ts";
export type { SolutionList } from "./notebook/results/solution-list.ts";
export type { ComplexNumber, GivenAmplitudes } from "./notebook/results/state.ts";
export { State } from "./notebook/results/state.ts";
export { assert } from "./notebook/values/assert.ts";
export type { DisplayableList } from "./notebook/values/displayable-list.ts";
export type { DisplayableValue } from "./notebook/values/displayable-value.ts";
export type { LazyPromise, LazyValue } from "./notebook/values/lazy-value.ts";
export type { Query } from "./notebook/values/query.ts";
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
