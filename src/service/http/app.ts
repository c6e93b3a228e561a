import { type Context as Call, Hono, type MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { equalsInConstantTime, randomHex } from "#host";
import { compareVersions, isNonce, KEEPS_KEYS, LOCAL_PATHS, proveService } from "../../contract/index.ts";
import { digestKey, requireScope } from "../accounts/caller.ts";
import type { Context, Log } from "../context.ts";
import { badField, HttpError } from "../http-error.ts";
import { METRICS_TYPE, type Metrics } from "../metrics/metrics.ts";
import type { Printer } from "../pool.ts";
import type { StorageProblem } from "../storage-errors.ts";
import { accountOperations, deviceOperations } from "./account-operations.ts";
import {
  type Admission,
  allowAnonymous,
  allowOrigins,
  type CallState,
  createAdmission,
  isLoopback,
  NO_PROXIES,
  pathOf,
  peerOf,
  type RequestRates,
  refuseForeignHosts,
  setHeaders,
  type TrustedProxies,
} from "./admission.ts";
import { createBodyReader } from "./body-reader.ts";
import { answerError, storageError } from "./errors.ts";
import { groupOperations, jobOperations } from "./job-operations.ts";
import { legacyApp } from "./legacy.ts";
import { type Operation, routeOperations } from "./operation.ts";

export const BASE_PATH = "/api/v1";

export const LEGACY_BASE_PATH = "/api";

export interface RequestLimits extends RequestRates {
  /** Bytes of one body. Default: 8 MiB. */
  bodyBytes?: number | undefined;
  /** Origins whose pages may call the interface, such as `https://lab.example`. Default: none. */
  origins?: readonly string[] | undefined;
  /** Proxies whose `X-Forwarded-For` and `X-Request-Id` are believed. Default: none. */
  proxies?: TrustedProxies;
}

export interface AppParts extends HealthParts {
  context: Context;
  printer: Printer;
  log: Log;
  version: string;
  limits?: RequestLimits | undefined;
  /** Names by which the service may be called, besides those of this machine; undefined: any name. */
  allowedHosts?: readonly string[] | undefined;
  /** Returns the service's identity for notebooks of its data folder; undefined without such a folder. */
  identity?: (() => LocalIdentity) | undefined;
}

export function createApp({
  context,
  printer,
  log,
  version,
  limits = {},
  ...parts
}: AppParts): Hono<CallState> {
  const { allowedHosts, readiness, identity, metrics } = parts;
  const { proxies = NO_PROXIES, origins = [] } = limits;
  const admission = createAdmission(context, limits, proxies);
  const readBody = createBodyReader(limits.bodyBytes);
  const operations = [
    ...jobOperations(context, printer),
    ...groupOperations(context),
    ...deviceOperations(context),
    ...accountOperations(context),
  ];
  const app = new Hono<CallState>({ strict: false });
  app.onError((error, call) => answerError(error, call.get("requestId")));
  app.use(logRequests(log, metrics, proxies), ...(allowedHosts ? [refuseForeignHosts(allowedHosts)] : []));
  if (origins.length > 0) app.use(`${LEGACY_BASE_PATH}/*`, allowOrigins(origins));
  addHealthRoutes(app, { readiness });
  if (identity) {
    app.use("/local/*", allowAnonymous(admission));
    addLocalRoutes(app, identity);
  }
  addMetricsRoute(app, admission, metrics);
  routeOperations(app, operations, { base: BASE_PATH, admission, readBody });
  addDocs(app, operations, { base: BASE_PATH, version, admission });
  app.route(LEGACY_BASE_PATH, legacyApp(context, admission, readBody));
  app.all("*", allowAnonymous(admission), call => {
    const path = pathOf(call);
    const advice = path.startsWith("/api/") ? "" : ` The interface's addresses begin with ${BASE_PATH}.`;
    throw new HttpError("NOT_FOUND", `There is no ${call.req.method} ${path.slice(0, 200)}.${advice}`);
  });
  return app;
}

/** Identity that a service presents to the notebooks of its data folder. */
export interface LocalIdentity {
  url: string;
  apiKey: string;
  version: string;
  /** Ends the service if nothing is under way; resolves to whether it ends. */
  stepAside(): Promise<boolean>;
}

/** Adds what notebooks ask the service of their data folder before they send it a key. */
function addLocalRoutes(app: Hono<CallState>, identity: () => LocalIdentity): void {
  app.get(LOCAL_PATHS.identity, call => {
    const nonce = call.req.query("nonce");
    if (!isNonce(nonce)) throw badField("nonce", "must be 32 to 128 hexadecimal digits");
    const { url, apiKey, version } = identity();
    return call.json({ version, proof: proveService({ url, apiKey, version }, nonce) });
  });
  app.post(LOCAL_PATHS.stepAside, async call => {
    const { apiKey, version, stepAside } = identity();
    if (!isSame(call.req.header("x-api-key") ?? "", apiKey)) {
      throw new HttpError("INVALID_API_KEY", "Only the data folder's own user may ask for that.");
    }
    const isNewer = compareVersions(call.req.query("version") ?? "", version) > 0;
    return call.json({ accepted: isNewer && (await stepAside()) });
  });
}

const isSame = (given: string, key: string) => equalsInConstantTime(digestKey(given), digestKey(key));

/** Adds the OpenAPI document of the operations, and the page that shows it. What makes them is loaded when they are first read. */
function addDocs(
  app: Hono<CallState>,
  operations: readonly Operation[],
  { base, version, admission }: { base: string; version: string; admission: Admission },
): void {
  const write = async () => {
    const { describeOperations, docsPage } = await import("./openapi.ts");
    const document = describeOperations(operations, base, version);
    return { json: JSON.stringify(document), page: docsPage(document) };
  };
  let written: ReturnType<typeof write> | undefined;
  const docs = () => {
    written ??= write();
    return written;
  };
  app.get(`${base}/openapi.json`, allowAnonymous(admission), async call =>
    call.body((await docs()).json, 200, { "Content-Type": "application/json" }),
  );
  app.get(`${base}/docs`, allowAnonymous(admission), async call => call.html((await docs()).page));
}

export interface HealthParts {
  /** Resolves to what keeps the store from taking writes. */
  readiness(): Promise<StorageProblem | undefined>;
  metrics: Metrics;
}

/**
 * Adds `/healthz`, whether the process answers, and `/readyz`, whether its store has room and connections for a
 * submission (503 or 507 where not).
 */
function addHealthRoutes(app: Hono<CallState>, { readiness }: Pick<HealthParts, "readiness">): void {
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
function addMetricsRoute(app: Hono<CallState>, admission: Admission, metrics: Metrics): void {
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
const logRequests =
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
