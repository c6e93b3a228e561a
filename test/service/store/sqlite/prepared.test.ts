import fc from "fast-check";
import { expect, test } from "vitest";
import { openStoreOf } from "../../../../src/service/node/sqlite/open.ts";
import { prepareQuery } from "../../../../src/service/store/prepared.ts";
import type { Database } from "../../../../src/service/store/schema.ts";
import { newFolder } from "../../folder.ts";

const insert = prepareQuery((store, rows: Database["ledger_accounts"][]) =>
  store.insertInto("ledger_accounts").values(rows),
);
const find = prepareQuery((store, { id, least }: { id: string; least: number }) =>
  store.selectFrom("ledger_accounts").selectAll().where("id", "=", id).where("balance", ">=", least),
);

test("a prepared query takes other values each time, any number of rows, and every string as it is", async () => {
  await using store = await openStoreOf(newFolder());
  const account = fc.record({ id: fc.string({ unit: "binary" }), balance: fc.maxSafeInteger() });
  const accounts = fc.uniqueArray(account, { minLength: 1, maxLength: 20, selector: ({ id }) => id });
  await fc.assert(
    fc
      .asyncProperty(accounts, async rows => {
        await insert(store, rows);
        for (const { id, balance } of rows) {
          expect((await find(store, { id, least: balance })).rows).toEqual([{ id, balance }]);
          expect((await find(store, { id, least: balance + 1 })).rows).toEqual([]);
        }
      })
      .afterEach(async () => void (await store.deleteFrom("ledger_accounts").execute())),
    { numRuns: 30 },
  );
});

test("a prepared query in a transaction sees and makes the changes of that transaction alone", async () => {
  await using store = await openStoreOf(newFolder());
  const written = { id: "a", balance: 1 };
  const isFound = async (where: typeof store) => (await find(where, { id: "a", least: 0 })).rows.length > 0;
  const rolledBack = store.transaction().execute(async transaction => {
    await insert(transaction, [written]);
    expect([await isFound(transaction), await isFound(store)]).toEqual([true, false]);
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  expect(await isFound(store)).toBe(false);
  await insert(store, [written]);
  expect(await isFound(store)).toBe(true);
});
