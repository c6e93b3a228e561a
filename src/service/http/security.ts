import type { MiddlewareHandler } from "hono";
import { badField } from "../http-error.ts";
import { type CallState, setHeaders } from "./call-state.ts";

/** Sent with every answer. The pages of the service have styles of their own, and no scripts. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

const EXPOSED_HEADERS =
  "Idempotency-Keys, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";

/** Lets pages of some origins call the service from a browser (CORS), with whatever headers they send. */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<CallState> {
  return async (call, next) => {
    setHeaders(call, { Vary: "Origin" });
    const origin = call.req.header("origin") ?? "";
    if (!origins.includes(origin)) return next();
    setHeaders(call, {
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    });
    if (call.req.method !== "OPTIONS") return next();
    setHeaders(call, {
      "Access-Control-Allow-Methods": "GET, POST, DELETE",
      "Access-Control-Allow-Headers": call.req.header("access-control-request-headers") ?? "",
      "Access-Control-Max-Age": "600",
    });
    return call.body(null, 204);
  };
}

const LOOPBACK_ADDRESS = /^127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

/** Whether an address or a name to listen on can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name === "::1" || LOOPBACK_ADDRESS.test(name);
}

/**
 * Refuses requests that name another host than this machine, as those of a web page do whose name was made to resolve
 * to the loopback address (DNS rebinding).
 */
export function refuseForeignHosts(allowed: readonly string[]): MiddlewareHandler {
  return async (call, next) => {
    const host = call.req.header("host");
    const name = host?.toLowerCase().replace(/:\d*$/, "");
    if (name && !isLoopback(name) && !allowed.includes(name)) {
      throw badField("Host", "must be localhost, or a name that --allow-host gives");
    }
    await next();
  };
}
