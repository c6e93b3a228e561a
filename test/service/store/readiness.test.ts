import { expect, test } from "vitest";
import { openStoreOf } from "../../../src/service/node/sqlite/open.ts";
import { createReadiness, type DiskSpace } from "../../../src/service/store/readiness.ts";
import { newFolder } from "../../folder.ts";

test.each<[problem: string, disk: string, space: DiskSpace | undefined]>([
  ["full", "with room for small writes alone", { free: 2 ** 20, total: 2 ** 40 }],
  ["full", "that is small and has no room", { free: 2 ** 16, total: 2 ** 23 }],
  ["none", "with room", { free: 2 ** 30, total: 2 ** 40 }],
  ["none", "that is small and empty", { free: 2 ** 22, total: 2 ** 23 }],
  ["none", "of which nothing is known", undefined],
])("the problem is %s of a store on a disk %s", async (problem, _, space) => {
  const store = await openStoreOf(newFolder());
  expect((await createReadiness(store, async () => space)()) ?? "none").toBe(problem);
  await store.destroy();
});
