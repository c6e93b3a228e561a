import type { ErrorBody } from "../../contract/errors.ts";
import { LIMITS } from "../../contract/limits.ts";
import { HttpError } from "../http-error.ts";
import { type StorageProblem, storageProblem, UncertainError } from "../storage-errors.ts";

/** Turns what was thrown into an answer; what is not an `HttpError` is our fault, and stays in the log. */
export function answerError(error: unknown, requestId: string): Response {
  const httpError = error instanceof HttpError ? error : failureOf(error, requestId);
  const message = clip(httpError.message, 2000);
  const { code } = httpError;
  const details = httpError.details.slice(0, LIMITS.maxDetails).map(each => ({
    path: clip(each.path, 200),
    message: clip(each.message, 1000),
  }));
  const body: ErrorBody = {
    success: false,
    message,
    error: { message, code, ...(details.length > 0 ? { details } : {}) },
    requestId,
    timestamp: new Date().toISOString(),
  };
  return Response.json(body, { status: httpError.status, headers: httpError.headers });
}

/** Seconds after which a request that met full or locked storage may succeed. */
const RETRY_AFTER_S = "5";

/** Makes the error of a request that the storage kept from being done; by default nothing of it was done. */
export function storageError(problem: StorageProblem, consequence = "Nothing was changed."): HttpError {
  const headers = { "Retry-After": RETRY_AFTER_S };
  return problem === "full"
    ? new HttpError("STORAGE_FULL", `The service's storage is full. ${consequence}`, { headers })
    : new HttpError("STORE_UNAVAILABLE", `The service can't use its storage now. ${consequence}`, {
        headers,
      });
}

/** Says how to find out what came of a request. */
const UNSURE =
  "It is not sure whether the request was carried out. Look before you repeat it: GET /jobs and GET /jobs/group list the newest first. Under the same Idempotency-Key, a submission may be repeated.";

function failureOf(error: unknown, requestId: string): HttpError {
  const problem = storageProblem(error);
  if (!problem)
    return new HttpError("INTERNAL", `The service failed. It logged why, under request ${requestId}.`);
  if (!(error instanceof UncertainError)) return storageError(problem);
  const { code, message } = storageError(problem, UNSURE);
  return new HttpError(code, message);
}

const clip = (text: string, max: number) => (text.length > max ? `${text.slice(0, max)} …` : text);
