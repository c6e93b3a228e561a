import type { Context as Call, MiddlewareHandler } from "hono";
import { randomHex } from "#host/random";
import { KEEPS_KEYS } from "../../contract/submission.ts";
import { HttpError } from "../http-error.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { type CallState, setHeaders } from "./call-state.ts";
import type { TrustedProxies } from "./client-address.ts";
import { routeOf } from "./metrics.ts";
import { pathOf } from "./request-url.ts";

const REQUEST_ID_PATTERN = /^[\w.:-]{8,64}$/;

/** Assigns a request an identifier, which its answer, the log and its job carry: a trusted proxy's, or one of its own. */
export function identifyRequest(call: Call<CallState>, { isTrusted }: TrustedProxies): string {
  const given = isTrusted(call) ? call.req.header("x-request-id") : undefined;
  const requestId = given && REQUEST_ID_PATTERN.test(given) ? given : randomHex(8);
  call.set("requestId", requestId);
  setHeaders(call, { "X-Request-Id": requestId, [KEEPS_KEYS.header]: KEEPS_KEYS.value });
  return requestId;
}

/** Identifies, logs and measures each request. What was thrown and is no `HttpError` is our fault, and stays in the log. */
export const logRequests =
  (log: Log, metrics: Metrics, proxies: TrustedProxies): MiddlewareHandler<CallState> =>
  async (call, next) => {
    const started = performance.now();
    const requestId = identifyRequest(call, proxies);
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
