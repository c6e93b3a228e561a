import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSendQueue } from "../../src/kernels/tslab.ts";

test("sends in order, a part of them each turn, and tries again what met a busy socket", async () => {
  const sent: number[] = [];
  let free = 10;
  const socket = (message: number) => {
    if (free === 0) {
      setTimeout(() => {
        free = 10;
      });
      throw Object.assign(new Error("Socket is busy writing"), { code: "EBUSY" });
    }
    free -= 1;
    sent.push(message);
  };
  const send = createSendQueue(4);
  for (let i = 0; i < 50; i += 1) send(() => socket(i));
  expect(sent).toEqual([0, 1, 2, 3]);
  await setImmediate();
  expect(sent.length).toBeLessThanOrEqual(8);
  await expect.poll(() => sent.length).toBe(50);
  expect(sent).toEqual(Array.from({ length: 50 }, (_, index) => index));
});

test("a send that fails for good does not hold up the others", () => {
  const sent: string[] = [];
  const send = createSendQueue(10);
  send(() => {
    throw new Error("closed");
  });
  send(() => sent.push("after"));
  expect(sent).toEqual(["after"]);
});
