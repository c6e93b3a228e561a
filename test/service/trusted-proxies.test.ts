import fc from "fast-check";
import type { Context as Call } from "hono";
import { describe, expect, test } from "vitest";
import { type CallState, networkOf } from "../../src/service/http/admission.ts";
import { trustProxies } from "../../src/service/node/server.ts";

const callFrom = (remoteAddress: string, forwarded?: string) =>
  ({
    env: { incoming: { socket: { remoteAddress } } },
    req: { header: (name: string) => (name === "x-forwarded-for" ? forwarded : undefined) },
  }) as unknown as Call<CallState>;

describe("the address of a client", () => {
  const { addressOf, isTrusted } = trustProxies(["10.0.0.0/8", "127.0.0.1", "fd00::/8"]);

  test.each([
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["127.0.0.1", undefined, "127.0.0.1"],
    ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:10.1.2.3", "198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["10.1.2.3", "6.6.6.6, 198.51.100.1", "198.51.100.1"],
    ["fd00::1", "2001:db8::7", "2001:db8::7"],
    ["10.1.2.3", "198.51.100.1, nonsense", "10.1.2.3"],
    ["10.1.2.3", "10.4.5.6", "10.1.2.3"],
  ])("of a connection from %s, forwarded for %s, is %s", (peer, forwarded, address) => {
    expect(addressOf(callFrom(peer, forwarded))).toBe(address);
  });

  test("is never what a client claims that comes through no proxy, or before what a proxy has added", () => {
    fc.assert(
      fc.property(fc.string(), claimed => {
        expect(addressOf(callFrom("203.0.113.9", claimed))).toBe("203.0.113.9");
        expect(addressOf(callFrom("10.0.0.1", `${claimed}, 203.0.113.9`))).toBe("203.0.113.9");
      }),
    );
  });

  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:0DB8:0:0:5:6:7:8", "2001:db8:0:0"],
    ["2001:db8:1:2::0.0.0.9", "2001:db8:1:2"],
    ["1::3:4:5:6:7:8", "1:0:3:4"],
    ["1::4:5:6:7:0.0.0.8", "1:0:4:5"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::1", "0:0:0:0"],
  ])("%s counts for %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test("says who is a proxy", () => {
    expect([isTrusted(callFrom("10.1.2.3")), isTrusted(callFrom("11.1.2.3"))]).toEqual([true, false]);
  });

  test.each(["nonsense", "10.0.0.0/33", "10.0.0.0/x", "10.0.0", "::1/129", ""])(
    "is not found by proxies such as %j",
    proxy => {
      expect(() => trustProxies([proxy])).toThrow(RangeError);
    },
  );
});
