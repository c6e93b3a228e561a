import "./notebook/node-version.ts";
import { installRichDisplay } from "./kernels/last-expression.ts";

export type { Chart, ComparisonOptions, EnergyOptions, HistogramOptions } from "./charts/index.ts";
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InsufficientCreditsError,
  KetbookError,
  LimitError,
  NotFoundError,
  PermissionError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from "./client/errors.ts";
export type { DeviceFilter, RuntimeDevice } from "./contract/device.ts";
export type { GroupFilter } from "./contract/group.ts";
export type { JobFilter, RuntimeJob } from "./contract/job.ts";
export type { NoQuote, Quote } from "./contract/quote.ts";
export type { RawResult, RuntimeResult } from "./contract/result.ts";
export type { Balance, DeviceUsage, Pricing, UsageList, UsageSeries } from "./notebook/account.ts";
export type { BitOrder } from "./notebook/bit-order.ts";
export type { Calibration } from "./notebook/calibration.ts";
export type { KetbookOptions } from "./notebook/connection.ts";
export type { Device, DeviceList, PendingDevice } from "./notebook/device.ts";
export type { Devices, DevicesFilter } from "./notebook/devices.ts";
export type { ExpectationValue } from "./notebook/expectation-value.ts";
export { JobError } from "./notebook/failure.ts";
export type { Group, GroupOptions, PendingGroup } from "./notebook/group.ts";
export type { GroupList, Groups } from "./notebook/groups.ts";
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
  sweep,
  usage,
} from "./notebook/helpers.ts";
export type { Inputs, InputValue } from "./notebook/inputs.ts";
export type { Job } from "./notebook/job.ts";
export type { JobList, Jobs, JobsFilter, Summary } from "./notebook/jobs.ts";
export { Ketbook } from "./notebook/ketbook.ts";
export type { PendingJob } from "./notebook/pending-job.ts";
export { type Qasm, type QasmProgram, qasm } from "./notebook/program.ts";
export type { ProgramList } from "./notebook/program-list.ts";
export { CostLimitError } from "./notebook/quote.ts";
export { Result } from "./notebook/result.ts";
export type { ResultContext, ResultMembers, ResultRecord } from "./notebook/result-record.ts";
export type { LikelyOutcome, TopList } from "./notebook/result-top.ts";
export { Results } from "./notebook/results.ts";
export type { Run } from "./notebook/run.ts";
export type { RuntimeOptions } from "./notebook/runtime-options.ts";
export type { SolutionList } from "./notebook/solution-list.ts";
export type { State } from "./notebook/state.ts";
export type { WaitOptions } from "./notebook/wait.ts";
export type { Distribution, Expectation, Interval, OutcomeRow, Row, Solution } from "./results/index.ts";

installRichDisplay();
