import type { MiddlewareHandler } from "hono";
import { randomHex } from "#host/random";
import { HttpError } from "../http-error.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { type CallState, setHeaders } from "./call-state.ts";
import { routeOf } from "./metrics.ts";
import { pathOf } from "./request-url.ts";

/**
 * Assigns each request an identifier, which its answer and the log carry, and logs and measures it. What was thrown and is
 * no `HttpError` is our fault, and stays in the log.
 */
export const logRequests =
  (log: Log, metrics: Metrics): MiddlewareHandler<CallState> =>
  async (call, next) => {
    const started = performance.now();
    const requestId = randomHex(8);
    call.set("requestId", requestId);
    setHeaders(call, { "X-Request-Id": requestId });
    await next();
    const ms = performance.now() - started;
    const { outgoing } = call.env ?? {};
    const status = outgoing?.headersSent ? outgoing.statusCode : call.res.status;
    metrics.observeRequest(routeOf(call), status, ms / 1000);
    const failure = call.error instanceof HttpError ? undefined : call.error;
    log(failure ? "error" : "info", "request", {
      requestId,
      method: call.req.method,
      path: pathOf(call),
      status,
      ms: Math.round(ms * 1000) / 1000,
      user: call.get("caller")?.userId || undefined,
      ...(failure ? { error: String(failure.stack ?? failure) } : {}),
    });
  };
