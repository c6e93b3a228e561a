export type { SpendingList, SpendingOptions } from "./account/spending.ts";
export type { DailyUsageList, Usage, UsageDays, UsageList, UsageSeries } from "./account/usage.ts";
export type { ConnectionRecord, KetbookOptions } from "./connection/connection.ts";
export type { BestQubits } from "./devices/best-qubits.ts";
export { Calibration, type CalibrationHistory, type CalibrationRecord } from "./devices/calibration.ts";
export type { Device, DeviceList, Devices, DevicesFilter, PendingDevice } from "./devices/device.ts";
export type { DeviceName } from "./devices/resolve-device.ts";
export * from "./drawing/compose.ts";
export * from "./drawing/devices.ts";
export * from "./drawing/outcomes.ts";
export * from "./drawing/rows.ts";
export * from "./drawing/step.ts";
export type { EstimatedTerm, EstimatedValue, EstimateVerdict } from "./estimate/assess.ts";
export type { Estimate } from "./estimate/estimate.ts";
export type { Estimation } from "./estimate/estimation.ts";
export type { EstimatePlan, EstimatePlanList } from "./estimate/plans.ts";
export type { Mitigation } from "./estimate/prepare.ts";
export type { EstimatedRound } from "./estimate/rounds.ts";
export type { Group, GroupList, Groups, PendingGroup } from "./groups/group.ts";
export * from "./helpers.ts";
export { CompileError, JobError } from "./jobs/failure.ts";
export type { Job, PendingJob, RerunOptions } from "./jobs/job.ts";
export type { JobList, Jobs, JobsFilter } from "./jobs/jobs.ts";
export { CostLimitError } from "./jobs/quote.ts";
export type { Run } from "./jobs/run.ts";
export type { RunGroup } from "./jobs/run-arguments.ts";
export type { DeviceNoise, RuntimeOptions } from "./jobs/runtime-options.ts";
export type { WaitOptions } from "./jobs/wait.ts";
export { Ketbook } from "./ketbook.ts";
export { noise } from "./noise/noise.ts";
export type {
  GateNoiseOptions,
  NoiseChannel,
  NoiseModel,
  NoiseModelOptions,
  ReadoutNoise,
} from "./noise/noise-model.ts";
export {
  type ProgramBuilder,
  type ProgramSize,
  program,
} from "./programs/builder.ts";
export type { CircuitOptions } from "./programs/circuit.ts";
export { type Circuits, circuits } from "./programs/circuits.ts";
export type { Condition } from "./programs/condition.ts";
export type { TranspileOptions } from "./programs/device-program.ts";
export type { Angle, GateCalls, GateMethods, Qubits } from "./programs/gates.ts";
export type { Inputs, InputValue } from "./programs/inputs.ts";
export type { QasmProgram } from "./programs/program.ts";
export type { ProgramList } from "./programs/program-list.ts";
export { type Qasm, qasm } from "./programs/qasm.ts";
export type { Trace, TraceOptions, TraceStep } from "./programs/trace.ts";
export { type TranspiledProgram, type TranspileTarget, transpile } from "./programs/transpile.ts";
export type { BitOrder } from "./results/bit-order.ts";
export { DensityMatrix, hermitian, pauliStrings } from "./results/density-matrix.ts";
export type {
  ExpectationList,
  ExpectationRow,
  ExpectationValue,
} from "./results/expectation-list.ts";
export type { LikelyOutcome, SolutionList, TopList } from "./results/outcome-lists.ts";
export type { OutcomeStatistics } from "./results/outcome-statistics.ts";
export type { Outcomes, ResultRow } from "./results/outcomes.ts";
export { Result, Results } from "./results/result.ts";
export type { ResultList, ResultsRow } from "./results/result-list.ts";
export type { ResultContext, ResultMembers, ResultRecord } from "./results/result-record.ts";
export { type ComplexNumber, type GivenAmplitudes, State } from "./results/state.ts";
export { assert } from "./values/assert.ts";
export type { DisplayableList } from "./values/displayable-list.ts";
export type { DisplayableValue } from "./values/displayable-value.ts";
export type { LazyPromise, LazyValue } from "./values/lazy-value.ts";
export type { Query } from "./values/query.ts";
