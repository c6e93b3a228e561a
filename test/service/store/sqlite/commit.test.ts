import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStoreOf } from "../../../../src/service/node/sqlite/open.ts";
import { storageProblem } from "../../../../src/service/storage-errors.ts";
import { createCommit } from "../../../../src/service/store/commit.ts";
import { type Store, type StoreTransaction, transact } from "../../../../src/service/store/store.ts";
import { newFolder } from "../../../folder.ts";
import { canMount, lockStore, mountSmallDisk } from "./small-disk.ts";

const insert = (id: string) => async (transaction: StoreTransaction) => {
  await transaction
    .insertInto("organizations")
    .values({ id, name: id, auto_recharge: 0, created_at: 0 })
    .execute();
  return id;
};

async function idsIn(store: Store): Promise<string[]> {
  const rows = await store.selectFrom("organizations").select("id").orderBy("id").execute();
  return rows.map(row => row.id);
}

const names = Array.from({ length: 50 }, (_, at) => `o${String(at).padStart(2, "0")}`);

test("work that waits at the same time shares writes to the disk, and each is answered after one", async () => {
  const store = await openStoreOf(newFolder());
  const writes = vi.spyOn(fs, "fdatasync");
  syncBuiltinESMExports();
  onTestFinished(() => {
    writes.mockRestore();
    syncBuiltinESMExports();
  });
  expect(await Promise.all(names.map(name => transact(store, insert(name))))).toEqual(names);
  expect(writes.mock.calls.length).toBeLessThan(names.length / 2);
  expect(await idsIn(store)).toEqual(names);
  await store.destroy();
});

test("work that fails takes back what it wrote, and nothing of other work", async () => {
  const store = await openStoreOf(newFolder());
  const commit = createCommit(store, { maxRunning: 1 });
  const outcomes = await Promise.allSettled(
    names.map((name, at) =>
      commit(async transaction => {
        await insert(name)(transaction);
        if (at % 3 === 0) throw new Error(name);
      }),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(
    names.map((_, at) => (at % 3 === 0 ? "rejected" : "fulfilled")),
  );
  expect(await idsIn(store)).toEqual(names.filter((_, at) => at % 3 !== 0));
  await store.destroy();
});

test("urgent work goes first", async () => {
  const store = await openStoreOf(newFolder());
  const commit = createCommit(store, { maxRunning: 1 });
  const order: string[] = [];
  const note = (name: string) => async () => void order.push(name);
  await Promise.all([
    ...names.map(name => commit(note(name))),
    commit(note("urgent"), { isUrgent: true }),
    commit(note("last")),
  ]);
  expect([order[0], order.at(-1)]).toEqual(["urgent", "last"]);
  await store.destroy();
});

test("durable work is answered after the disk has it, and refused when the disk fails", async () => {
  const store = await openStoreOf(newFolder());
  const disk = Promise.withResolvers<void>();
  const commit = createCommit(store, { maxRunning: 1, flush: () => disk.promise });
  let isAnswered = false;
  const durable = commit(insert("a")).finally(() => {
    isAnswered = true;
  });
  expect(await commit(insert("b"), { isDurable: false })).toBe("b");
  expect(isAnswered).toBe(false);
  disk.reject(new Error("the disk is full"));
  await expect(durable).rejects.toThrow("full");
  await store.destroy();
});

test("reading waits for no transaction, and sees none that is not committed", async () => {
  const store = await openStoreOf(newFolder());
  const pause = Promise.withResolvers<void>();
  const writing = store.transaction().execute(async transaction => {
    await insert("a")(transaction);
    await pause.promise;
  });
  expect(await idsIn(store)).toEqual([]);
  pause.resolve();
  await writing;
  expect(await idsIn(store)).toEqual(["a"]);
  await store.destroy();
});

test("a commit that fails takes along only the work that it fails for", async () => {
  const store = await openStoreOf(newFolder());
  const commit = createCommit(store, { maxRunning: 1 });
  const outcomes = await Promise.allSettled(
    names.map((name, at) =>
      commit(async transaction => {
        await sql`pragma defer_foreign_keys = on`.execute(transaction);
        if (at % 10 !== 7) return insert(name)(transaction);
        return transaction
          .insertInto("users")
          .values({ organization_id: "none", name, tier: "free", created_at: 0 })
          .execute();
      }),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(
    names.map((_, at) => (at % 10 === 7 ? "rejected" : "fulfilled")),
  );
  expect(await idsIn(store)).toEqual(names.filter((_, at) => at % 10 !== 7));
  await store.destroy();
});

test("work is announced when it is committed, before the disk has it, and never when it fails", async () => {
  const store = await openStoreOf(newFolder());
  const disk = Promise.withResolvers<void>();
  const commit = createCommit(store, { maxRunning: 1, flush: () => disk.promise });
  const announced = vi.fn();
  const kept = commit(insert("a"), { onCommit: announced });
  const refused = commit(insert("a"), { onCommit: announced });
  await expect(refused).rejects.toThrow("UNIQUE");
  await expect.poll(() => announced.mock.calls).toEqual([["a"]]);
  disk.resolve();
  expect(await kept).toBe("a");
  await store.destroy();
});

test("what fails after a commit is told to whose work it was, and no work is done twice", async () => {
  const store = await openStoreOf(newFolder());
  const commit = createCommit(store, { maxRunning: 1 });
  const onCommit = (id: string) => {
    if (id === names[1]) throw new Error("announced in vain");
  };
  const outcomes = await Promise.allSettled(names.map(name => commit(insert(name), { onCommit })));
  expect(
    outcomes.flatMap((outcome, at) => (outcome.status === "rejected" ? [at, outcome.reason] : [])),
  ).toEqual([1, new Error("announced in vain")]);
  expect(await idsIn(store)).toEqual(names);
  await store.destroy();
});

test.runIf(canMount)(
  "on a disk that fills, what is answered is kept, and what is refused leaves nothing",
  async () => {
    using disk = mountSmallDisk(4)!;
    const store = await openStoreOf(disk.folder);
    disk.fill();
    const write = (name: string) =>
      transact(store, async transaction => {
        await insert(name)(transaction);
        await transaction
          .updateTable("organizations")
          .set({ name: `${name}${"x".repeat(20_000)}` })
          .where("id", "=", name)
          .execute();
      });
    const full = await Promise.allSettled(names.map(write));
    expect(new Set(full.map(each => each.status === "rejected" && storageProblem(each.reason)))).toContain(
      "full",
    );
    const kept = names.filter((_, at) => full[at]!.status === "fulfilled");
    expect(await idsIn(store)).toEqual(kept);
    disk.free();
    await Promise.all(names.filter(name => !kept.includes(name)).map(write));
    expect(await idsIn(store)).toEqual(names);
    await store.destroy();
  },
);

test("work that meets a lock is refused once the wait is over, and what came later continues", async () => {
  const folder = newFolder();
  const store = await openStoreOf(folder);
  await using lock = await lockStore(folder);
  const early = transact(store, insert("early"));
  early.catch(() => {});
  await sleep(1500);
  const late = transact(store, insert("late"));
  await expect(early).rejects.toSatisfy(error => storageProblem(error) === "unavailable");
  await lock.release();
  expect(await late).toBe("late");
  await store.destroy();
});
