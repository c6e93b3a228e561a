import type { Context as Call, Hono } from "hono";
import { routePath } from "hono/route";
import { requireScope } from "../accounts/scopes.ts";
import { METRICS_TYPE } from "../metrics/exposition.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Admission } from "./admission.ts";
import type { CallState } from "./call-state.ts";
import { peerOf } from "./client-address.ts";
import { isLoopback } from "./security.ts";

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

/** Adds the metrics, for whoever asks from this machine, and for keys with the scope `admin`. */
export function addMetricsRoute(app: Hono<CallState>, admission: Admission, metrics: Metrics): void {
  app.get("/metrics", async call => {
    if (isFromThisMachine(call)) await admission.admitAnonymous(call);
    else requireScope(await admission.identify(call), "admin");
    return call.body(await metrics.read(), 200, { "Content-Type": METRICS_TYPE });
  });
}

/** The method and the route, with names in place of its variable parts: what a metric may be labelled with. */
export function routeOf(call: Call): { method: string; route: string } {
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
