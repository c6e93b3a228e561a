import { type Context as Call, Hono, type MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { randomHex } from "#host";
import { KEEPS_KEYS } from "../../contract/index.ts";
import { requireScope } from "../accounts/caller.ts";
import type { Context, Log } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { METRICS_TYPE } from "../metrics/exposition.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { StorageProblem } from "../storage-errors.ts";
import { type Admission, createAdmission, isLoopback } from "./admission.ts";
import { type CallState, NO_PROXIES, pathOf, peerOf, setHeaders, type TrustedProxies } from "./call-state.ts";
import { answerError, storageError } from "./errors.ts";

export interface HealthParts {
  /** Resolves to what keeps the store from taking writes. */
  readiness(): Promise<StorageProblem | undefined>;
  metrics: Metrics;
}

/**
 * Adds `/healthz`, whether the process answers, and `/readyz`, whether its store has room and connections for a
 * submission (503 or 507 where not).
 */
export function addHealthRoutes(app: Hono<CallState>, { readiness }: Pick<HealthParts, "readiness">): void {
  app.get("/healthz", call => call.json({ status: "ok" }));
  app.get("/readyz", async call => {
    const problem = await readiness();
    if (problem) throw storageError(problem);
    return call.json({ status: "ready" });
  });
}

/** Makes the HTTP app of a process that only runs jobs: its health, and its metrics. */
export function createHealthApp(
  context: Pick<Context, "store" | "clock">,
  parts: HealthParts,
): Hono<CallState> {
  const app = new Hono<CallState>();
  app.onError((error, call) => answerError(error, call.get("requestId")));
  app.use((call, next) => {
    identifyRequest(call, NO_PROXIES);
    return next();
  });
  addHealthRoutes(app, parts);
  addMetricsRoute(app, createAdmission(context), parts.metrics);
  return app;
}

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

/** Adds the metrics, for anyone who asks from this machine, and for keys with the scope `admin`. */
export function addMetricsRoute(app: Hono<CallState>, admission: Admission, metrics: Metrics): void {
  app.get("/metrics", async call => {
    if (isFromThisMachine(call)) await admission.admitAnonymous(call);
    else requireScope(await admission.identify(call), "admin");
    return call.body(await metrics.read(), 200, { "Content-Type": METRICS_TYPE });
  });
}

/** The method and the route, with names in place of its variable parts: what a metric may be labelled with. */
function routeOf(call: Call): { method: string; route: string } {
  const method = METHODS.has(call.req.method) ? call.req.method : "other";
  const path = routePath(call);
  return { method, route: path.endsWith("*") ? "other" : path };
}

/** Whether a request was sent on this machine, to this machine's name, and not forwarded by a proxy. */
function isFromThisMachine(call: Call<CallState>): boolean {
  const name = call.req.header("host")?.replace(/:\d*$/, "") ?? "";
  const isForwarded = ["forwarded", "x-forwarded-for", "x-real-ip", "via"].some(header =>
    call.req.header(header),
  );
  return isLoopback(peerOf(call)) && isLoopback(name) && !isForwarded;
}

const REQUEST_ID_PATTERN = /^[\w.:-]{8,64}$/;

/** Assigns a request an identifier, which its answer, the log and its job carry: a trusted proxy's, or a new one. */
function identifyRequest(call: Call<CallState>, { isTrusted }: TrustedProxies): string {
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
    const { status } = call.res;
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
