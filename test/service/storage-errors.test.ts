import { expect, test } from "vitest";
import { isDivisible, StoreConnectionError, UncertainError } from "../../src/service/storage-errors.ts";

const BUSY = Object.assign(new Error("database is locked"), { errcode: 5 });
const FULL = Object.assign(new Error("database or disk is full"), { errcode: 13 });
const LOCK_TIMEOUT = Object.assign(new Error("canceling statement"), { code: "55P03", severity: "ERROR" });

test.each([
  [true, "one is wrong", new RangeError("too much")],
  [true, "the disk has no room for all", FULL],
  [false, "the store is locked, for which each would wait anew", BUSY],
  [false, "a row is locked, for which each would wait anew", LOCK_TIMEOUT],
  [false, "they may be committed on a disk that is full", new UncertainError(FULL)],
  [
    false,
    "they may be committed by a server that is gone",
    new StoreConnectionError(new Error("ECONNRESET")),
  ],
])("whether writes are tried one by one is %s where %s", (expected, _, error) => {
  expect(isDivisible(error)).toBe(expected);
});
