import "./require-node.ts";

export type { AccountClient, UsageSeriesQuery } from "./client/account.ts";
export type { Client } from "./client/client.ts";
export type { CalibrationCallOptions, DevicesClient } from "./client/devices.ts";
export type { ApiErrorCode } from "./client/errors.ts";
export type { Fetch, FetchBody, FetchRequest, FetchResponse } from "./client/fetch-sender.ts";
export type { GroupsClient } from "./client/groups.ts";
export type { JobsClient, RawResults } from "./client/jobs.ts";
export type { CallOptions, ClientOptions } from "./client/options.ts";
export type { Page, Pages } from "./client/pages.ts";
export { type CancelOptions, cancelJob, type FetchResultOptions, fetchResult } from "./client/patience.ts";
export type { RecordedPrograms, Rows, UnreadRecord } from "./client/records.ts";
export type { Trouble } from "./client/retry.ts";
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
} from "./simulation/noise-rules.ts";
