import type { MiddlewareHandler } from "hono";
import { randomHex } from "#host/random";
import { HttpError } from "../http-error.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { CallState } from "./call-state.ts";
import { routeOf } from "./metrics.ts";
import { toHeaders } from "./rate-limit.ts";
import { pathOf } from "./request-url.ts";

type Middleware = MiddlewareHandler<CallState>;

/** Assigns each request an identifier, which its answer and the log carry. */
export const identifyRequests: Middleware = async (call, next) => {
  const requestId = randomHex(8);
  call.set("requestId", requestId);
  await next();
  call.res.headers.set("X-Request-Id", requestId);
};

/** Tells each caller what its rate limit leaves. */
export const sendRate: Middleware = async (call, next) => {
  await next();
  const rate = call.get("rate");
  if (rate) for (const [name, value] of Object.entries(toHeaders(rate))) call.res.headers.set(name, value);
};

/** Logs and measures each request. What was thrown and is no `HttpError` is our fault, and stays in the log. */
export const logRequests =
  (log: Log, metrics: Metrics): Middleware =>
  async (call, next) => {
    const started = performance.now();
    await next();
    const ms = performance.now() - started;
    metrics.observeRequest(routeOf(call), call.res.status, ms / 1000);
    const failure = call.error instanceof HttpError ? undefined : call.error;
    log(failure ? "error" : "info", "request", {
      requestId: call.get("requestId"),
      method: call.req.method,
      path: pathOf(call),
      status: call.res.status,
      ms: Math.round(ms * 1000) / 1000,
      user: call.get("caller")?.userId || undefined,
      ...(failure ? { error: String(failure.stack ?? failure) } : {}),
    });
  };
