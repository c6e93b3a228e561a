import { type ErrorCode, type ErrorDetail, KetbookError } from "../../contract/index.ts";

export { KetbookError, rethrowAsKetbookError } from "../../contract/index.ts";

/** Context of a failed request. */
export interface RequestErrorOptions extends ErrorOptions {
  jobQrn?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
}

/** Base class of request errors. */
export class RequestError extends KetbookError {
  /** @internal */ override name = "RequestError";
  /** The job that the request was about; null when it was about none, or about one that may not exist yet. */
  readonly jobQrn: string | null;
  /**
   * Key of the submission of a job or group; null for other requests. `jobs({ run: key })` looks for the job. A service
   * that keeps keys makes one job of all submissions with this key.
   */
  readonly idempotencyKey: string | null;

  /** @internal */
  constructor(message: string, { jobQrn, idempotencyKey, ...options }: RequestErrorOptions = {}) {
    super(message, options);
    this.jobQrn = jobQrn ?? null;
    this.idempotencyKey = idempotencyKey ?? null;
  }
}

/** The service could not be reached, or the connection broke before it answered. */
export class ConnectionError extends RequestError {
  /** @internal */ override name = "ConnectionError";
}

/** The time that the caller allowed ran out. What was submitted continues. */
export class TimeoutError extends RequestError {
  /** @internal */ override name = "TimeoutError";
}

/** Submission whose answer was lost, so the job or group may exist. */
export interface LostSubmission {
  /** Request such as `POST /jobs`. */
  request: string;
  name: string | null;
  /** Time of the first attempt. */
  submittedAt: Date;
  /** Whether the service was asked for it and did not list it. */
  looked: boolean;
  /** Reason why the service could not be asked. */
  lookFailure?: unknown;
  /** Whether the service makes a submission once per key. */
  keepsKeys: boolean;
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message.split("\n", 1)[0]! : "");

/**
 * The answer to a submission was lost, or does not tell what the service did. The job or group may exist, so nothing is
 * submitted again: `jobs({ run: error.idempotencyKey })` looks for it.
 */
export class LostSubmissionError extends RequestError {
  /** @internal */ override name = "LostSubmissionError";
  /** Name in the request; null without one. */
  readonly submittedName: string | null;
  /** Time of the first attempt. */
  readonly submittedAt: Date;
  /** Whether the service was asked for it and did not list it. */
  readonly looked: boolean;
  /** @internal Reason why the service could not be asked. */
  readonly lookFailure: unknown;

  /** @internal */
  constructor(submission: LostSubmission, options: RequestErrorOptions) {
    const { request, name, submittedAt, looked, lookFailure, keepsKeys } = submission;
    const why = firstLine(options.cause) && ` (${firstLine(options.cause)})`;
    const [what, list] = request.endsWith("/group") ? ["group", "groups"] : ["job", "jobs"];
    const named = name === null ? "" : ` ${JSON.stringify(name)}`;
    const unlisted = looked ? ", and the service does not list it" : "";
    const unasked = lookFailure ? ` The service could not be asked for it: ${firstLine(lookFailure)}` : "";
    const key = JSON.stringify(options.idempotencyKey);
    const advice = keepsKeys
      ? `, or submit it again with { idempotencyKey: ${key} }, for which this service makes one ${what}.`
      : " before you submit a new one, since this service may not recognize a repetition.";
    super(
      `The answer to ${request} was lost${why}. The ${what}${named} may exist: it was submitted at ${submittedAt.toISOString()}` +
        ` with the tag ketbook-run: ${options.idempotencyKey}${unlisted}.${unasked}` +
        ` Look for it with ${list}({ run: ${key} })${advice}`,
      options,
    );
    this.submittedName = name;
    this.submittedAt = submittedAt;
    this.looked = looked;
    this.lookFailure = lookFailure;
  }
}

/** Code of an error: one of the service, or one that the client gives to what has none. */
export type ApiErrorCode =
  | ErrorCode
  | "UNREADABLE_ANSWER"
  | "UNEXPECTED_SHAPE"
  | "ANSWER_TOO_LARGE"
  | "ANSWER_TOO_SLOW"
  | "TOO_MANY_PAGES"
  | "REDIRECT"
  | `HTTP_${number}`
  | (string & {});

/** The service's explanation of a refused request. */
export type ApiErrorBody = Pick<
  ApiError,
  "message" | "status" | "code" | "details" | "requestId" | "retryAfter"
>;

/** The service refused a request. */
export class ApiError extends RequestError {
  /** @internal */ override name = "ApiError";
  /** HTTP status. */
  readonly status: number;
  /** One word for programs, such as `NOT_FOUND`. */
  readonly code: ApiErrorCode;
  /** Every bad field of the request. */
  readonly details: ErrorDetail[];
  /** The number under which the service logged the request, if it gave one. */
  readonly requestId: string | null;
  /** Seconds after which to try again, if the service said so. */
  readonly retryAfter: number | null;

  /** @internal */
  constructor(message: string, body: Omit<ApiErrorBody, "message">, options?: RequestErrorOptions) {
    super(message, options);
    this.status = body.status;
    this.code = body.code;
    this.details = body.details;
    this.requestId = body.requestId;
    this.retryAfter = body.retryAfter;
  }
}

/** The key is missing, malformed or unknown (401). */
export class AuthenticationError extends ApiError {
  /** @internal */ override name = "AuthenticationError";
}

/** The request itself is wrong (400, 413, 422); `details` names every bad field. */
export class ValidationError extends ApiError {
  /** @internal */ override name = "ValidationError";
}

/** The credits do not cover the quote (402). */
export class InsufficientCreditsError extends ApiError {
  /** @internal */ override name = "InsufficientCreditsError";
}

/** The key may not do this, or not use this device (403). */
export class PermissionError extends ApiError {
  /** @internal */ override name = "PermissionError";
}

/** There is no such thing, or it belongs to somebody else (404). */
export class NotFoundError extends ApiError {
  /** @internal */ override name = "NotFoundError";
}

/** The thing is in a state that does not allow this (409, 410), such as a device that takes no jobs. */
export class ConflictError extends ApiError {
  /** @internal */ override name = "ConflictError";
}

/** The daily quota is used up, or requests came too fast (429); `retryAfter` says how long to wait. */
export class LimitError extends ApiError {
  /** @internal */ override name = "LimitError";
}

/** The service failed, or answered something that cannot be read. */
export class ServiceError extends ApiError {
  /** @internal */ override name = "ServiceError";
}

const KEY_ADVICE =
  "Set KETBOOK_URL and KETBOOK_API_KEY, or call connect({ url, apiKey }) with a key of that service.";

type ApiErrorClass = typeof ApiError;

const classes: { readonly [status: number]: ApiErrorClass | undefined } = {
  400: ValidationError,
  401: AuthenticationError,
  402: InsufficientCreditsError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: ConflictError,
  413: ValidationError,
  422: ValidationError,
  429: LimitError,
};

/** Turns a refusal into the error class for its status, with advice where there is some. */
export function toApiError(body: ApiErrorBody, options?: RequestErrorOptions): ApiError {
  const lines = [body.message, ...body.details.map(d => `  ${d.path}: ${d.message}`), adviceFor(body)];
  return new (classes[body.status] ?? ServiceError)(lines.filter(Boolean).join("\n"), body, options);
}

function adviceFor({ status, retryAfter, requestId }: ApiErrorBody): string {
  if (status === 401) return KEY_ADVICE;
  if (status === 402) return "Use fewer shots, or a device that costs less.";
  if (status === 429) return retryAfter === null ? "" : `Try again in ${retryAfter} s.`;
  return status in classes || !requestId ? "" : `The service logged it under request ${requestId}.`;
}

export function redact(text: string, apiKey: string): string {
  return apiKey.length < 8 ? text : text.replaceAll(apiKey, "***");
}

export function withJobQrn(error: ApiError, jobQrn: string): ApiError {
  return new (error.constructor as ApiErrorClass)(error.message, error, { cause: error, jobQrn });
}
