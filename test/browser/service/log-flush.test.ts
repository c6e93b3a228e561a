import { expect, test } from "vitest";
import { createLogFlush } from "../../../src/browser/service/log-frames.ts";
import { UncertainError } from "../../../src/service/storage-errors.ts";

test("after a flush that failed, commits are durable once the log was moved into the database, and not before", async () => {
  const calls: string[] = [];
  let failing = new Set(["flush"]);
  const record = (name: string) => {
    calls.push(name);
    if (failing.has(name)) throw new Error(`${name} failed`);
  };
  const flush = createLogFlush(
    () => record("flush"),
    async () => record("checkpoint"),
  );
  await expect(flush()).rejects.toThrow(UncertainError);
  failing = new Set(["checkpoint"]);
  await expect(flush()).rejects.toThrow(UncertainError);
  failing = new Set();
  await flush();
  await flush();
  expect(calls).toEqual(["flush", "checkpoint", "flush", "checkpoint", "checkpoint", "flush", "flush"]);
});
