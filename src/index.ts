import "./notebook/node-version.ts";
import { installRichDisplay } from "./kernels/last-expression.ts";

export type { Chart, ComparisonOptions, HistogramOptions } from "./charts/index.ts";
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
export type { RuntimeResult } from "./contract/result.ts";
export {
  type Balance,
  credits,
  type DeviceUsage,
  type Pricing,
  pricing,
  type UsageList,
  type UsageSeries,
  usage,
} from "./notebook/account.ts";
export type { Calibration } from "./notebook/calibration.ts";
export { type ConnectOptions, connect } from "./notebook/connection.ts";
export type { Device, DeviceList } from "./notebook/device.ts";
export { type Devices, devices } from "./notebook/devices.ts";
export { JobError } from "./notebook/failure.ts";
export { type Group, type GroupOptions, group } from "./notebook/group.ts";
export { type GroupList, type Groups, groups } from "./notebook/groups.ts";
export { type Job, job, type PendingJob } from "./notebook/job.ts";
export { type JobList, type Jobs, jobs, type Summary } from "./notebook/jobs.ts";
export { type QasmProgram, qasm } from "./notebook/program.ts";
export { Result } from "./notebook/result.ts";
export type { LikelyOutcome, TopList } from "./notebook/result-top.ts";
export { Results } from "./notebook/results.ts";
export { type Run, type RuntimeOptions, run } from "./notebook/run.ts";
export type { State } from "./notebook/state.ts";
export { type Inputs, sweep } from "./notebook/sweep.ts";
export type { WaitOptions } from "./notebook/wait.ts";
export type { Expectation, Interval } from "./results/index.ts";

installRichDisplay();
