import type { Context as Call } from "hono";
import type { ErrorBody } from "../../contract/errors.ts";
import { Refusal } from "../refusal.ts";
import { type StorageProblem, storageProblem } from "../store/failure.ts";

/** What the service keeps about one call while it answers it. */
export interface CallState {
  Variables: { requestId: string; userId: number | undefined; failure: unknown };
}

/** Turns what was thrown into an answer; what is not a refusal is our fault, and stays in the log. */
export function answerError(error: unknown, requestId: string): Response {
  const refusal = error instanceof Refusal ? error : failureOf(error, requestId);
  const { message, code, details } = refusal;
  const body: ErrorBody = {
    success: false,
    message,
    error: { message, code, ...(details.length > 0 ? { details } : {}) },
    requestId,
    timestamp: new Date().toISOString(),
  };
  return Response.json(body, { status: refusal.status, headers: refusal.headers });
}

/** Seconds after which a request that met full or locked storage may succeed. */
const RETRY_AFTER_S = "5";

/** Makes the refusal of a request that the storage kept from being done; nothing of it was done. */
export function storageRefusal(problem: StorageProblem): Refusal {
  const headers = { "Retry-After": RETRY_AFTER_S };
  return problem === "full"
    ? new Refusal("STORAGE_FULL", "The service's storage is full. Nothing was changed.", { headers })
    : new Refusal("STORE_UNAVAILABLE", "The service can't use its storage now. Nothing was changed.", {
        headers,
      });
}

function failureOf(error: unknown, requestId: string): Refusal {
  const problem = storageProblem(error);
  return problem
    ? storageRefusal(problem)
    : new Refusal("INTERNAL", `The service failed. It logged why, under request ${requestId}.`);
}

/** Answers with an error, and keeps it for the log where it is our fault. */
export function refuse(call: Call<CallState>, error: unknown): Response {
  if (!(error instanceof Refusal)) call.set("failure", error);
  return answerError(error, call.get("requestId"));
}
