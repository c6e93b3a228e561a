import { Hono } from "hono";
import { equalsInConstantTime } from "#host";
import { compareVersions, isNonce, LOCAL_PATHS, proveService } from "../../contract/index.ts";
import { digestKey } from "../accounts/keys.ts";
import type { Context, Log } from "../context.ts";
import { badField, HttpError } from "../http-error.ts";
import type { Printer } from "../pool.ts";
import { accountOperations, deviceOperations } from "./account-operations.ts";
import {
  type Admission,
  allowAnonymous,
  allowOrigins,
  createAdmission,
  type RequestRates,
  refuseForeignHosts,
} from "./admission.ts";
import { createBodyReader } from "./body-reader.ts";
import { type CallState, NO_PROXIES, pathOf, type TrustedProxies } from "./call-state.ts";
import { answerError } from "./errors.ts";
import { addHealthRoutes, addMetricsRoute, type HealthParts, logRequests } from "./health.ts";
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
