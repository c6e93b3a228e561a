import fc from "fast-check";
import { expect, test } from "vitest";
import * as browserAscii from "../../src/host/browser.ts";
import * as browserBytes from "../../src/host/browser.ts";
import * as browser from "../../src/host/browser.ts";
import { sleep } from "../../src/host/browser.ts";
import * as nodeAscii from "../../src/host/node.ts";
import * as nodeBytes from "../../src/host/node.ts";
import * as node from "../../src/host/node.ts";

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 400 }), fc.string({ maxLength: 200 }));

test("a browser digests every text as Node does", () => {
  fc.assert(
    fc.property(text, text, (key, message) => {
      expect(browser.sha256Hex(message)).toBe(node.sha256Hex(message));
      expect(browser.hmacSha256Hex(key, message)).toBe(node.hmacSha256Hex(key, message));
    }),
  );
});

test("texts are equal in constant time where they are equal", () => {
  for (const { equalsInConstantTime } of [browser, node]) {
    expect(equalsInConstantTime("abcd", "abcd")).toBe(true);
    expect(equalsInConstantTime("abcd", "abce")).toBe(false);
  }
});

test("a browser counts, joins and encodes bytes as Node does", () => {
  fc.assert(
    fc.property(text, fc.uint8Array({ maxLength: 300 }), (string, bytes) => {
      expect(browserBytes.utf8Length(string)).toBe(nodeBytes.utf8Length(string));
      expect(browserBytes.toBase64(string)).toBe(nodeBytes.toBase64(string));
      const inside = new Uint8Array([1, ...bytes, 2]).subarray(1, bytes.length + 1);
      expect(browserBytes.toBase64(inside)).toBe(nodeBytes.toBase64(inside));
      expect([...browserBytes.concatBytes([inside, bytes])]).toEqual([
        ...nodeBytes.concatBytes([inside, bytes]),
      ]);
    }),
  );
});

test("a browser writes characters below 128 as Node does", () => {
  fc.assert(
    fc.property(fc.uint8Array({ max: 127, maxLength: 200 }), fc.nat(200), (codes, start) => {
      expect(browserAscii.asciiString(codes)).toBe(nodeAscii.asciiString(codes));
      expect(browserAscii.asciiString(codes, Math.min(start, codes.length), codes.length)).toBe(
        nodeAscii.asciiString(codes, Math.min(start, codes.length), codes.length),
      );
    }),
  );
});

test("a pause in a browser ends when its signal aborts, or has aborted already", async () => {
  const abort = new AbortController();
  const pause = sleep(60_000, { signal: abort.signal });
  abort.abort();
  await expect(pause).rejects.toThrow(/aborted/);
  await expect(sleep(60_000, { signal: abort.signal })).rejects.toThrow(/aborted/);
  await sleep(1, { signal: new AbortController().signal });
});
