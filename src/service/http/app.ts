import { randomBytes } from "node:crypto";
import { type Context as Call, Hono } from "hono";
import type { Caller } from "../accounts/caller.ts";
import { requireScope, scopeOf } from "../accounts/scopes.ts";
import type { Context } from "../context.ts";
import { HttpError } from "../http-error.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { StorageProblem } from "../storage-errors.ts";
import type { Printer } from "../workers/printer.ts";
import { accountOperations } from "./account-operations.ts";
import { type Admission, createAdmission, type RequestRates } from "./admission.ts";
import { deviceOperations } from "./device-operations.ts";
import { groupOperations } from "./group-operations.ts";
import { jobOperations } from "./job-operations.ts";
import { legacyApp } from "./legacy.ts";
import { addLocalRoutes, type LocalIdentity } from "./local.ts";
import { addMetricsRoute, routeOf } from "./metrics.ts";
import { describeOperations } from "./openapi.ts";
import type { Operation } from "./operation.ts";
import { documentPage } from "./page.ts";
import { toHeaders } from "./rate-limit.ts";
import { createBodyReader, decode, readQuery } from "./read.ts";
import { type CallState, refuse, storageRefusal } from "./respond.ts";
import { refuseForeignHosts } from "./security.ts";
import { toBody } from "./stream.ts";
import { validate } from "./validate.ts";

/** Base path of version 2. */
export const BASE_PATH = "/api/v1";

/** Base path of version 1. */
export const LEGACY_BASE_PATH = "/api";

const nobody: Caller = {
  userId: 0,
  organizationId: "",
  tier: "",
  allow: undefined,
  keyId: "",
  scope: "read",
};

/** What requests may take up. */
export interface RequestLimits extends RequestRates {
  /** Bytes of one body. Default: 8 MiB. */
  bodyBytes?: number | undefined;
}

/** What the operations of the interface are put behind HTTP with. */
export interface AppParts {
  context: Context;
  printer: Printer;
  log: Log;
  version: string;
  limits?: RequestLimits | undefined;
  /** Names by which the service may be called, besides those of this machine; undefined: any name. */
  allowedHosts: readonly string[] | undefined;
  /** Resolves to what keeps the store from taking writes. */
  readiness(): Promise<StorageProblem | undefined>;
  /** Returns what the service says of itself to the notebooks of its data folder. */
  identity(): LocalIdentity;
  metrics: Metrics;
}

/** Puts the operations of the interface behind HTTP. */
export function createApp({
  context,
  printer,
  log,
  version,
  limits = {},
  ...parts
}: AppParts): Hono<CallState> {
  const { allowedHosts, readiness, identity, metrics } = parts;
  const admission = createAdmission(context, limits);
  const readBody = createBodyReader({ maxBytes: limits.bodyBytes });
  const app = new Hono<CallState>({ strict: false });
  app.use(async (call, next) => {
    const started = performance.now();
    const requestId = randomBytes(8).toString("hex");
    call.set("requestId", requestId);
    await next();
    call.res.headers.set("X-Request-Id", requestId);
    const rate = call.get("rate");
    if (rate) for (const [name, value] of Object.entries(toHeaders(rate))) call.res.headers.set(name, value);
    metrics.observeRequest(routeOf(call), call.res.status, (performance.now() - started) / 1000);
    const failure = call.get("failure") as { stack?: string } | undefined;
    log(failure ? "error" : "info", "request", {
      requestId,
      method: call.req.method,
      path: pathOf(call),
      status: call.res.status,
      ms: Math.round((performance.now() - started) * 1000) / 1000,
      user: call.get("userId"),
      ...(failure ? { error: String(failure.stack ?? failure) } : {}),
    });
  });
  if (allowedHosts) app.use(refuseForeignHosts(allowedHosts));
  app.get("/healthz", call => call.json({ status: "ok" }));
  app.get("/readyz", async call => {
    const problem = await readiness();
    return problem ? refuse(call, storageRefusal(problem)) : call.json({ status: "ready" });
  });
  app.use("/local/*", (call, next) => {
    admission.admitAnonymous(call);
    return next();
  });
  addLocalRoutes(app, identity);
  addMetricsRoute(app, admission, metrics);
  const operations = [
    ...jobOperations(context, printer),
    ...groupOperations(context),
    ...deviceOperations(context),
    ...accountOperations(context),
  ];
  const routed = operations.toSorted(byRoute);
  for (const each of routed) {
    app.on(each.method.toUpperCase(), toPattern(each.path), call => answer(each, call));
  }
  const methods = Map.groupBy(routed, each => toPattern(each.path));
  for (const [pattern, known] of methods) {
    app.all(pattern, call => {
      admission.admitAnonymous(call);
      throw wrongMethod(call, known);
    });
  }
  let documents: { json: string; page: string } | undefined;
  const describe = (call: Call<CallState>) => {
    admission.admitAnonymous(call);
    documents ??= documentsOf(describeOperations(operations, BASE_PATH, version));
    return documents;
  };
  app.get(`${BASE_PATH}/openapi.json`, call => call.body(describe(call).json, 200, JSON_TYPE));
  app.get(`${BASE_PATH}/docs`, call => call.html(describe(call).page));
  app.route(LEGACY_BASE_PATH, legacyApp(context, admission, readBody));
  app.notFound(call => refuse(call, unknownRoute(call, admission)));
  app.onError((error, call) => refuse(call as Call<CallState>, error));
  return app;

  async function answer(operation: Operation, call: Call<CallState>): Promise<Response> {
    if (!operation.guarded) admission.admitAnonymous(call);
    const caller = operation.guarded ? await admission.identify(call) : nobody;
    requireScope(caller, scopeOf(operation.method));
    call.set("userId", caller.userId || undefined);
    const params = readParams(operation.path, pathOf(call));
    const query = operation.query ? validate(operation.query, readQuery(call.req.url)) : undefined;
    const handle = async (body: unknown) => {
      const pieces = await operation.handle({
        caller,
        params,
        query,
        body,
        header: name => call.req.header(name),
      });
      return new Response(await toBody(pieces), { status: operation.status, headers: JSON_TYPE });
    };
    if (!operation.body) return handle(undefined);
    return readBody(call, body => handle(checkBody(operation, body)));
  }
}

const JSON_TYPE = { "Content-Type": "application/json" };

function documentsOf(document: object): { json: string; page: string } {
  return { json: JSON.stringify(document), page: documentPage(document) };
}

function checkBody(operation: Operation, body: unknown): unknown {
  const given = body === undefined && operation.bodyOptional ? {} : body;
  return validate(operation.body!, given, operation.invalidStatus);
}

const toPattern = (path: string) => BASE_PATH + path.replaceAll(/\{(\w+)\}/g, ":$1");

/** Puts fixed parts of paths before variable ones, so that `/jobs/group` is not taken for a job. */
function byRoute(a: Operation, b: Operation): number {
  const [first, second] = [a, b].map(each => each.path.replaceAll("{", "~")) as [string, string];
  return first < second ? -1 : 1;
}

const pathOf = (call: Call) => call.req.url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");

function readParams(path: string, raw: string): Record<string, string> {
  const given = raw.slice(BASE_PATH.length).split("/");
  return Object.fromEntries(
    path.split("/").flatMap((part, at) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      return name ? [[name, decode(given[at] ?? "")]] : [];
    }),
  );
}

function wrongMethod(call: Call, known: readonly Operation[]): HttpError {
  const allowed = known.map(each => each.method.toUpperCase()).join(", ");
  return new HttpError(
    "METHOD_NOT_ALLOWED",
    `${pathOf(call).slice(0, 200)} takes ${allowed}, not ${call.req.method}.`,
    {
      headers: { Allow: allowed },
    },
  );
}

function unknownRoute(call: Call<CallState>, { admitAnonymous }: Admission): unknown {
  try {
    admitAnonymous(call);
  } catch (error) {
    return error;
  }
  return new HttpError("NOT_FOUND", `There is no ${call.req.method} ${pathOf(call).slice(0, 200)}.`);
}
