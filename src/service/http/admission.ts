import type { Context as Call, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { expandIPv6 } from "hono/utils/ipaddr";
import { authenticate, type Caller, requireScope, scopeOf } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { badField, HttpError } from "../http-error.ts";
import { createRateLimit, toHeaders } from "./rate-limit.ts";

/** The caller of operations that need no key. */
const ANONYMOUS: Caller = {
  userId: 0,
  organizationId: "",
  tier: "",
  allow: undefined,
  keyId: "",
  scope: "read",
};

export interface RequestRates {
  /** Requests a second of each key; ten seconds' worth may come at once. Default: 1000. */
  perKey?: number | undefined;
  /** Requests a second without a valid key of each address. Default: 100. */
  perAddress?: number | undefined;
  /** Whether the rates hold over all processes on the store, and not in each. Default: false. */
  isShared?: boolean;
}

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission(
  { store, clock }: Pick<Context, "store" | "clock">,
  { perKey = 1000, perAddress = 100, isShared = false }: RequestRates = {},
  { addressOf }: TrustedProxies = NO_PROXIES,
) {
  const createLimit = (name: string, perSecond: number) =>
    createRateLimit(isShared ? { perSecond, clock, shared: { store, name } } : { perSecond });
  const keys = createLimit("key", perKey);
  const addresses = createLimit("address", perAddress);

  /** Lets a request without a key in, within the rate of its address; refuses with 429. */
  async function admitAnonymous(call: Call<CallState>): Promise<void> {
    call.set("caller", ANONYMOUS);
    setHeaders(call, toHeaders(await addresses.take(networkOf(addressOf(call)))));
  }

  return {
    admitAnonymous,
    /** Finds who calls, within the rate of the key; refuses with 401, or with 429. */
    async identify(call: Call<CallState>, header = "X-API-KEY"): Promise<Caller> {
      const key = call.req.header(header);
      const caller = await authenticate(store, key, header, clock()).catch(async error => {
        if (error instanceof HttpError) await admitAnonymous(call);
        throw error;
      });
      call.set("caller", caller);
      setHeaders(call, toHeaders(await keys.take(caller.keyId)));
      return caller;
    },
  };
}

/** Lets requests in that carry a key of the scope that their method needs. */
export const requireAuth =
  (admission: Admission, header?: string): MiddlewareHandler<CallState> =>
  async (call, next) => {
    requireScope(await admission.identify(call, header), scopeOf(call.req.method));
    await next();
  };

export const allowAnonymous =
  (admission: Admission): MiddlewareHandler<CallState> =>
  async (call, next) => {
    await admission.admitAnonymous(call);
    await next();
  };

/** Sent with every answer. The pages of the service have inline styles, and no scripts. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** Lets pages of some origins call the service from a browser (CORS), with whatever headers they send. */
export const allowOrigins = (origins: readonly string[]): MiddlewareHandler =>
  cors({
    origin: [...origins],
    allowMethods: ["GET", "POST", "DELETE"],
    exposeHeaders: [
      ...["Idempotency-Keys", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"],
      ...["Retry-After", "X-Request-Id"],
    ],
    maxAge: 600,
  });

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

export interface CallState {
  /** The connection by which a request came, where there is one. */
  Bindings: { incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } } } | undefined;
  Variables: {
    requestId: string;
    caller: Caller;
  };
}

/** Sets headers of the answer, whatever it will be. */
export function setHeaders(call: Call<CallState>, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) call.res.headers.set(name, value);
}

/** Proxies before the service, whose word is taken on who calls. */
export interface TrustedProxies {
  isTrusted(call: Call<CallState>): boolean;
  addressOf(call: Call<CallState>): string;
}

/** No proxies: a request comes from the peer of its connection. */
export const NO_PROXIES: TrustedProxies = { isTrusted: () => false, addressOf: peerOf };

/** The address of a connection, that of IPv4 as such also where it came over IPv6; empty where there is none. */
export function peerOf(call: Call<CallState>): string {
  return unmapAddress(call.env?.incoming?.socket.remoteAddress ?? "");
}

/** An address of IPv4 as such, also where it is written as one of IPv6. */
export const unmapAddress = (address: string): string => address.replace(/^::ffff:/i, "");

/** The network that an address counts for: of IPv6 its first 64 bits, since anyone who has one of its addresses has them all. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const groups = expandIPv6(address.replace(/%.*/, "")).split(":");
  return groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(":");
}

/** Returns the path that a call was sent to, as it was sent. */
export function pathOf(call: Pick<Call, "req">): string {
  return call.req.url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/[?#].*$/s, "");
}

/** Refuses a path that is malformed. */
export const checkPath: MiddlewareHandler = (call, next) => {
  checkEncoding(pathOf(call));
  return next();
};

/** Reads the query; refuses what is malformed, or given twice. */
export function readQuery(url: string): Record<string, string> {
  const at = url.indexOf("?");
  if (at < 0) return {};
  const raw = url.slice(at + 1);
  checkEncoding(raw.replaceAll("+", " "));
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(raw)) {
    if (name in query) throw badField(name, "is given twice");
    query[name] = value;
  }
  return query;
}

/** Refuses what is not percent-encoded UTF-8, or holds a NUL character. */
function checkEncoding(text: string): void {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw badField(
      "url",
      "is not well-formed: a percent sign must be followed by two hexadecimal digits of UTF-8",
    );
  }
  if (decoded.includes("\0")) throw badField("url", "must not hold a NUL character");
}
