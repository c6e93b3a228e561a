import type { ErrorDetail } from "../contract/errors.ts";

/** The base of every error that Ketbook throws on purpose. Its message says what is wrong and what to do. */
export class KetbookError extends Error {
  /** @internal */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service could not be reached, or the connection broke before it answered. */
export class ConnectionError extends KetbookError {}

/** The time that the caller allowed ran out. What was submitted goes on. */
export class TimeoutError extends KetbookError {}

/** What the service said when it refused a request. */
export type Refusal = Pick<ApiError, "message" | "status" | "code" | "details" | "requestId" | "retryAfter">;

/** The service refused a request. */
export class ApiError extends KetbookError {
  /** HTTP status. */
  readonly status: number;
  /** One word for programs, such as `NOT_FOUND`. */
  readonly code: string;
  /** Every bad field of the request. */
  readonly details: ErrorDetail[];
  /** The number under which the service logged the request, if it gave one. */
  readonly requestId: string | null;
  /** Seconds after which to try again, if the service said so. */
  readonly retryAfter: number | null;

  /** @internal */
  constructor(refusal: Refusal, advice = "") {
    super(
      [refusal.message, ...refusal.details.map(d => `  ${d.path}: ${d.message}`), advice]
        .filter(Boolean)
        .join("\n"),
    );
    this.status = refusal.status;
    this.code = refusal.code;
    this.details = refusal.details;
    this.requestId = refusal.requestId;
    this.retryAfter = refusal.retryAfter;
  }
}

/** The key is missing, malformed or unknown (401). */
export class AuthenticationError extends ApiError {}

/** The request itself is wrong (400, 422); `details` names every bad field. */
export class ValidationError extends ApiError {}

/** The credits do not cover the quote (402). */
export class InsufficientCreditsError extends ApiError {}

/** The key may not use this device (403). */
export class PermissionError extends ApiError {}

/** There is no such thing, or it belongs to somebody else (404). */
export class NotFoundError extends ApiError {}

/** The thing is in a state that does not allow this (409, 410), such as a device that takes no jobs. */
export class ConflictError extends ApiError {}

/** The daily quota is used up, or requests came too fast (429); `retryAfter` says how long to wait. */
export class LimitError extends ApiError {}

/** The service failed, or answered something that cannot be read. */
export class ServiceError extends ApiError {}

const keyAdvice =
  "Set KETBOOK_URL and KETBOOK_API_KEY, or call connect({ url, apiKey }) with a key of that service.";

/** Turns a refusal into the error class for its status, with advice where there is some. */
export function toApiError(refusal: Refusal): ApiError {
  const { status } = refusal;
  if (status === 401) return new AuthenticationError(refusal, keyAdvice);
  if (status === 400 || status === 413 || status === 422) return new ValidationError(refusal);
  if (status === 402)
    return new InsufficientCreditsError(refusal, "Use fewer shots, or a device that costs less.");
  if (status === 403) return new PermissionError(refusal);
  if (status === 404) return new NotFoundError(refusal);
  if (status === 409 || status === 410) return new ConflictError(refusal);
  if (status === 429) {
    const wait = refusal.retryAfter === null ? "" : `Try again in ${refusal.retryAfter} s.`;
    return new LimitError(refusal, wait);
  }
  return new ServiceError(
    refusal,
    refusal.requestId ? `The service logged it under request ${refusal.requestId}.` : "",
  );
}
