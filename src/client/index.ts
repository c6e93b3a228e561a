export type { AccountClient, UsageSeriesQuery } from "./account.ts";
export { type Client, openClient } from "./client.ts";
export type { CalibrationCallOptions, DevicesClient } from "./devices.ts";
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
  rethrowAsKetbookError,
  ServiceError,
  TimeoutError,
  ValidationError,
} from "./errors/index.ts";
export {
  type Fetch,
  type FetchBody,
  type FetchRequest,
  type FetchResponse,
  fetchSender,
} from "./fetch-sender.ts";
export type { GroupsClient } from "./groups.ts";
export type { Sender } from "./http.ts";
export type { JobsClient, RawResults } from "./jobs.ts";
export type { CallOptions, ClientOptions, Endpoint, EndpointSource } from "./options.ts";
export type { Page, Pages } from "./pages.ts";
export { type CancelOptions, cancelJob, type FetchResultOptions, fetchResult } from "./patience.ts";
export { type RecordedPrograms, type Rows, runOf, type UnreadRecord } from "./records.ts";
export { lastSeen, outlastOutage, type Trouble } from "./retry.ts";
export { deadlineAfter } from "./timing.ts";
export { hasEnded, type Watch, type WatchOptions } from "./watch.ts";
