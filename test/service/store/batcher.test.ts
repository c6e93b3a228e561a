import { expect, test } from "vitest";
import { createBatcher } from "../../../src/service/store/batcher.ts";

/** A batcher whose batches are handled when the test says so. */
function held(options: Parameters<typeof createBatcher<number, number>>[1]) {
  const batches: { items: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const handle = createBatcher<number, number>(async items => {
    const end = Promise.withResolvers<void>();
    batches.push({ items, end });
    await end.promise;
    return items.map(item => item * 10);
  }, options);
  const started = (count: number) => expect.poll(() => batches.length).toBe(count);
  return { batches, handle, started };
}

test("items that come while as many batches as may are under way wait, and go together", async () => {
  const { batches, handle, started } = held({ maxItems: 3, maxRunning: 1 });
  const first = handle(1);
  await started(1);
  const others = [2, 3, 4, 5].map(handle);
  batches[0]!.end.resolve();
  expect(await first).toBe(10);
  await started(2);
  batches[1]!.end.resolve();
  await started(3);
  batches[2]!.end.resolve();
  expect(await Promise.all(others)).toEqual([20, 30, 40, 50]);
  expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5]]);
});

test("a batch takes in no more once it is large, and never none", async () => {
  const { batches, handle, started } = held({ maxItems: 9, maxRunning: 1, sizeOf: item => item * 1e6 });
  const all = [2, 0, 0, 1, 0].map(handle);
  for (let at = 0; at < 3; at += 1) {
    await started(at + 1);
    batches[at]!.end.resolve();
  }
  await Promise.all(all);
  expect(batches.map(({ items }) => items)).toEqual([[2], [0, 0, 1], [0]]);
});

test("where a batch fails all of its items fail, and later ones do not", async () => {
  let isBroken = true;
  const handle = createBatcher<number, number>(
    async items => {
      if (isBroken) throw new Error("broken");
      return items;
    },
    { maxItems: 9, maxRunning: 1 },
  );
  const outcomes = await Promise.allSettled([handle(1), handle(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isBroken = false;
  expect(await handle(3)).toBe(3);
});

test("where a batch fails in a way that has changed nothing, its items are handled alone", async () => {
  const batches: (readonly number[])[] = [];
  const handle = createBatcher<number, number>(
    async items => {
      batches.push(items);
      if (items.includes(2)) throw new Error("broken");
      return items;
    },
    { maxItems: 9, maxRunning: 1, isDivisible: () => true },
  );
  const outcomes = await Promise.allSettled([handle(1), handle(2), handle(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
});
