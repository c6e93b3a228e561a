import type { Context as Call } from "hono";
import type { CallState } from "./call-state.ts";

/** Proxies before the service, whose word is taken on who calls. */
export interface TrustedProxies {
  /** Whether a request came from one of them. */
  isTrusted(call: Call<CallState>): boolean;
  /** The address that a request came from. */
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

/** The network that an address counts for: of IPv6 its first 64 bits, since whoever has one of its addresses has them all. */
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
