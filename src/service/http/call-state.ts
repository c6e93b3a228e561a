import type { Context as Call, MiddlewareHandler } from "hono";
import type { Caller } from "../accounts/caller.ts";
import { badField } from "../http-error.ts";

export interface CallState {
  /** The connection by which a request came, where there is one. */
  Bindings: { incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } } } | undefined;
  Variables: {
    requestId: string;
    caller: Caller;
    query: unknown;
    /** The body, checked. */
    body: unknown;
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
  const [head, tail] = address
    .replace(/%.*/, "")
    .split("::")
    .map(side => side.split(":").filter(Boolean));
  const isLong = tail?.at(-1)?.includes(".");
  const zeros = tail ? Math.max(0, 8 - head!.length - tail.length - (isLong ? 1 : 0)) : 0;
  const groups = [...head!, ...Array<string>(zeros).fill("0"), ...(tail ?? [])];
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
