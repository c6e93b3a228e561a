import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPrinter, type PrintThread } from "../../../src/service/pool.ts";
import type { PrintOutcome } from "../../../src/service/workers/messages.ts";

const task = { target: null, programs: [], compileOptions: {}, compiled: null };
const printed: PrintOutcome = { kind: "printed", texts: ["drawn"] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A thread that takes so many milliseconds to begin, and so many to print. */
const threadTaking = (start: number, print: number): PrintThread => ({
  print: (_, { signal, onStart }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      setTimeout(() => {
        onStart();
        setTimeout(() => resolve(printed), print);
      }, start);
    }),
  close: async () => {},
});

test("the time that a thread needs to begin, as on a busy machine, is none of a task's", async () => {
  const outcome = createPrinter(threadTaking(60_000, 100)).print(task, 1);
  await vi.runAllTimersAsync();
  expect(await outcome).toEqual(printed);
});

test("a task that takes longer than 5 s is given up", async () => {
  const outcome = createPrinter(threadTaking(0, 6000)).print(task, 1);
  await vi.runAllTimersAsync();
  expect(await outcome).toEqual({ kind: "failed", message: "it took longer than 5 s" });
});

test("the failure of a thread is not taken for a task that takes long", async () => {
  const broken = { ...threadTaking(0, 0), print: () => Promise.reject(new DOMException("", "AbortError")) };
  await expect(createPrinter(broken).print(task, 1)).rejects.toThrow();
});
