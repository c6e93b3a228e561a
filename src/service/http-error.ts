import { ERROR_STATUS, type ErrorCode, type ErrorDetail } from "../contract/index.ts";

/** The error that a rule throws for a request that it does not carry out; it becomes the answer. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetail[];
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    more: { status?: number; details?: ErrorDetail[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code;
    this.status = more.status ?? ERROR_STATUS[code];
    this.details = more.details ?? [];
    this.headers = more.headers ?? {};
  }
}

/** Makes the refusal of a request that may succeed after some seconds. */
export const retryAfter = (code: ErrorCode, message: string, seconds: number): HttpError =>
  new HttpError(code, message, { headers: { "Retry-After": String(seconds) } });

/** Makes the refusal of one bad field. */
export function badField(path: string, message: string): HttpError {
  return new HttpError("VALIDATION_ERROR", `The request is not valid: ${path} ${message}.`, {
    details: [{ path, message }],
  });
}
