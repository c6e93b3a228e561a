import { BlockList, isIP } from "node:net";
import { peerOf, type TrustedProxies, unmapAddress } from "./http/client-address.ts";

/**
 * Reads proxies: addresses, or networks such as `10.0.0.0/8`. Through them a request comes from the last address of
 * `X-Forwarded-For` that is no proxy's. Throws a RangeError for what is neither.
 */
export function trustProxies(proxies: readonly string[]): TrustedProxies {
  const known = new BlockList();
  for (const proxy of proxies) {
    const [address = "", prefix] = proxy.split("/");
    const family = familyOf(address);
    const bits = family === "ipv4" ? 32 : 128;
    if (!isIP(address) || (prefix !== undefined && !(/^\d+$/.test(prefix) && Number(prefix) <= bits)))
      throw new RangeError(
        `${proxy} is not a proxy address such as 10.0.0.2, or a network such as 10.0.0.0/8.`,
      );
    known.addSubnet(address, prefix === undefined ? bits : Number(prefix), family);
  }
  const isProxy = (address: string) => isIP(address) !== 0 && known.check(address, familyOf(address));
  return {
    isTrusted: call => isProxy(peerOf(call)),
    addressOf(call) {
      const peer = peerOf(call);
      if (!isProxy(peer)) return peer;
      const forwarded = (call.req.header("x-forwarded-for") ?? "")
        .split(",")
        .map(each => unmapAddress(each.trim()));
      const client = forwarded.findLast(address => !isProxy(address));
      return client !== undefined && isIP(client) ? client : peer;
    },
  };
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
