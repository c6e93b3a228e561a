import type { Context as Call } from "hono";
import type { ErrorBody } from "../../contract/errors.ts";
import { Refusal } from "../refusal.ts";

/** What the service keeps about one call while it answers it. */
export interface CallState {
  Variables: { requestId: string; userId: number | undefined; failure: unknown };
}

/** Turns what was thrown into an answer; what is not a refusal is our fault, and stays in the log. */
export function answerError(error: unknown, requestId: string): Response {
  const refusal =
    error instanceof Refusal
      ? error
      : new Refusal("INTERNAL", `The service failed. It logged why, under request ${requestId}.`);
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

/** Answers with an error, and keeps it for the log where it is our fault. */
export function refuse(call: Call<CallState>, error: unknown): Response {
  if (!(error instanceof Refusal)) call.set("failure", error);
  return answerError(error, call.get("requestId"));
}
