export type { CreditBalance, CreditPricing, SimulatorUsage, UsageDay, UserBudget } from "./account.ts";
export { type Calendar, calendar, daysBetween, isTimeZone, QUARTER_MS, shiftDay } from "./calendar.ts";
export type { DeviceCalibration, EdgeFigure, QubitCalibration } from "./calibration.ts";
export {
  DEVICE_TYPES,
  type DeviceFilter,
  type DevicePricing,
  type DeviceQuery,
  type DeviceType,
  type PricingModel,
  type RuntimeDevice,
} from "./device.ts";
export { type PageQuery, type Pagination, paginate } from "./envelope.ts";
export { ERROR_STATUS, type ErrorBody, type ErrorCode, type ErrorDetail } from "./errors.ts";
export { SCHEMAS } from "./generated-schemas.ts";
export type { GroupFilter, JobGroup, JobGroupQuery, JobGroupRequest } from "./group.ts";
export {
  EXPERIMENT_TYPES,
  type ExperimentType,
  type JobFilter,
  type JobQuery,
  type JobRequest,
  type JobTimes,
  type RecordedTags,
  type RuntimeJob,
  type Tags,
  type TagValue,
} from "./job.ts";
export { dereference, type JsonSchema } from "./json-schema.ts";
export { KEEPS_KEYS, LIMITS, RUN_TAG } from "./limits.ts";
export {
  compareVersions,
  isLocalService,
  isNonce,
  LOCAL_PATHS,
  type LocalService,
  proveService,
  SERVICE_FILE,
} from "./local.ts";
export {
  abortSignal,
  aFunction,
  anyValue,
  checkOptions,
  describeValue,
  finiteNumber,
  flag,
  list,
  must,
  nearestName,
  type OptionCheck,
  oneOf,
  stringList,
  stringValue,
  wholeNumber,
} from "./options.ts";
export { type PackedCounts, PREFERS_PACKED, packCounts, unpackCounts } from "./packed-counts.ts";
export {
  bitSplitter,
  type MemoryReader,
  type PackedMeasurements,
  packMeasurements,
  readMeasurements,
  shotLength,
  toBits,
  unpackMeasurements,
} from "./packed-measurements.ts";
export { PROGRAM_FORMATS, type Program, type ProgramAscii, type RecordedProgram } from "./program.ts";
export {
  formatGroupQrn,
  formatJobQrn,
  OTHER_VENDORS,
  OWN_VENDOR,
  parseDeviceQrn,
  parseGroupQrn,
} from "./qrn.ts";
export type { NoQuote, Quote, QuoteRequest } from "./quote.ts";
export { isRecord, type OnMismatch, type Reader, readerOf, recordReader, ShapeError } from "./reader.ts";
export type { ObservableExpectation, RawResult, ResultData, RuntimeResult } from "./result.ts";
export {
  DEVICE_STATUSES,
  type DeviceStatus,
  GROUP_STATUSES,
  type GroupStatus,
  isTerminalGroup,
  isTerminalJob,
  JOB_STATUSES,
  type JobStatus,
  type OpenEnum,
} from "./status.ts";
export type { JobCancelled, JobDeleted, JobsDeleted, JobsSummary } from "./summary.ts";
export { TIMINGS, type Timing } from "./timing.ts";
export {
  type CouplingMap,
  type FullyConnected,
  isKnownTopology,
  type KnownTopology,
  type OtherTopology,
  type SquareLattice,
  type Topology,
} from "./topology.ts";
