import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { openStoreOf } from "../../../src/service/node/sqlite/open.ts";
import { type Store, transact } from "../../../src/service/store/store.ts";
import { openPostgresStore } from "../../../src/service-cluster/postgres/dialect.ts";
import { newFolder } from "../../folder.ts";
import { isPostgresMissing, type PostgresServer, sharedPostgres } from "./postgres/server.ts";

let server: Promise<PostgresServer> | undefined;
afterAll(async () => (await server)?.stop());

async function openPostgres(): Promise<Store> {
  server ??= sharedPostgres();
  return openPostgresStore(await (await server).createDatabase());
}

/** The databases that can hold a store; each has to pass every test here. */
const DIALECTS: Readonly<Record<string, () => Promise<Store>>> = {
  SQLite: () => openStoreOf(newFolder()),
  ...(isPostgresMissing() ? {} : { PostgreSQL: openPostgres }),
};

test.each(Object.entries(DIALECTS))(
  "in %s, every integer is a number: columns, counts and sums",
  async (_name, open) => {
    await using store = await open();
    const largest = 2 ** 52;
    await store
      .insertInto("ledger_accounts")
      .values([
        { id: "a", balance: largest },
        { id: "b", balance: 7 },
      ])
      .execute();
    const { balance } = await store
      .selectFrom("ledger_accounts")
      .select("balance")
      .where("id", "=", "a")
      .executeTakeFirstOrThrow();
    expect(balance).toBe(largest);
    const figures = await store
      .selectFrom("ledger_accounts")
      .select(eb => [
        eb.fn.countAll<number>().as("count"),
        eb.fn.sum<number>("balance").as("sum"),
        eb.fn.max("balance").as("max"),
        sql<number>`coalesce(sum(balance), 0)`.as("coalesced"),
        sql<number>`max(balance) / 2`.as("half"),
      ])
      .where("id", "=", "a")
      .executeTakeFirstOrThrow();
    expect(figures).toEqual({ count: 1, sum: largest, max: largest, coalesced: largest, half: largest / 2 });
    const made = await store
      .insertInto("audit_events")
      .values({ created_at: 1, event: "key.created", actor: "service", subject: "", details_json: "{}" })
      .returning(["seq", "created_at"])
      .executeTakeFirstOrThrow();
    expect(made).toEqual({ seq: 1, created_at: 1 });
  },
);

test.each(Object.entries(DIALECTS))(
  "in %s, work that fails leaves nothing, and its neighbours whole",
  async (_name, open) => {
    await using store = await open();
    const put = (id: string, fails: boolean) =>
      transact(store, async transaction => {
        await transaction.insertInto("ledger_accounts").values({ id, balance: 1 }).execute();
        if (fails) throw new Error(id);
        return id;
      });
    const outcomes = await Promise.allSettled([put("a", false), put("b", true), put("c", false)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const rows = await store.selectFrom("ledger_accounts").select("id").orderBy("id").execute();
    expect(rows).toEqual([{ id: "a" }, { id: "c" }]);
  },
);
