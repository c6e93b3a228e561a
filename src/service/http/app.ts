import { Hono } from "hono";
import type { Context } from "../context.ts";
import { HttpError } from "../http-error.ts";
import type { Log } from "../log.ts";
import type { Printer } from "../workers/printer.ts";
import { accountOperations } from "./account-operations.ts";
import { allowAnonymous, createAdmission, type RequestRates } from "./admission.ts";
import { createBodyReader } from "./body-reader.ts";
import type { CallState } from "./call-state.ts";
import { NO_PROXIES, type TrustedProxies } from "./client-address.ts";
import { deviceOperations } from "./device-operations.ts";
import { addDocs } from "./docs.ts";
import { answerError } from "./error-response.ts";
import { groupOperations } from "./group-operations.ts";
import { addHealthRoutes, type HealthParts } from "./health.ts";
import { jobOperations } from "./job-operations.ts";
import { legacyApp } from "./legacy.ts";
import { addLocalRoutes, type LocalIdentity } from "./local.ts";
import { addMetricsRoute } from "./metrics.ts";
import { logRequests } from "./request-log.ts";
import { pathOf } from "./request-url.ts";
import { routeOperations } from "./route-operations.ts";
import { allowOrigins, refuseForeignHosts } from "./security.ts";

/** Base path of version 2. */
export const BASE_PATH = "/api/v1";

/** Base path of version 1. */
export const LEGACY_BASE_PATH = "/api";

/** Limits of requests. */
export interface RequestLimits extends RequestRates {
  /** Bytes of one body. Default: 8 MiB. */
  bodyBytes?: number | undefined;
  /** Origins whose pages may call the interface, such as `https://lab.example`. Default: none. */
  origins?: readonly string[] | undefined;
  /** Proxies whose `X-Forwarded-For` and `X-Request-Id` are believed. Default: none. */
  proxies?: TrustedProxies;
}

/** Parts of the service's HTTP app. */
export interface AppParts extends HealthParts {
  context: Context;
  printer: Printer;
  log: Log;
  version: string;
  limits?: RequestLimits | undefined;
  /** Names by which the service may be called, besides those of this machine; undefined: any name. */
  allowedHosts: readonly string[] | undefined;
  /** Returns what the service says of itself to the notebooks of its data folder; undefined: it has none. */
  identity: (() => LocalIdentity) | undefined;
}

/** Makes the HTTP app of the service. */
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
  const readBody = createBodyReader({ maxBytes: limits.bodyBytes });
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
    throw new HttpError("NOT_FOUND", `There is no ${call.req.method} ${pathOf(call).slice(0, 200)}.`);
  });
  return app;
}
