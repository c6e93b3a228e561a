import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storageProblem } from "../../../../src/service/storage-errors.ts";
import { type Store, type StoreTransaction, transact } from "../../../../src/service/store/store.ts";
import { createAnnouncer, startListener } from "../../../../src/service-cluster/postgres/announcements.ts";
import { openPostgresStore } from "../../../../src/service-cluster/postgres/dialect.ts";
import { startDatabaseClock } from "../../../../src/service-cluster/postgres/pool.ts";
import { isPostgresMissing, type PostgresServer, sharedPostgres } from "./server.ts";

describe.skipIf(isPostgresMissing())("a store in PostgreSQL", () => {
  let server: PostgresServer;
  let database: string;
  let store: Store;
  beforeAll(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    store = await openPostgresStore(database);
  });
  afterAll(async () => {
    await store.destroy();
    await server.stop();
  });

  const increase = (transaction: StoreTransaction, id: string, amount: number) =>
    transaction
      .insertInto("ledger_accounts")
      .values({ id, balance: amount })
      .onConflict(conflict =>
        conflict.column("id").doUpdateSet(eb => ({
          balance: eb("ledger_accounts.balance", "+", eb.ref("excluded.balance")),
        })),
      )
      .execute();
  const add = (id: string, amount: number) =>
    transact(store, transaction => increase(transaction, id, amount));
  const balanceOf = async (id: string) =>
    (
      await store
        .selectFrom("ledger_accounts")
        .select("balance")
        .where("id", "=", id)
        .executeTakeFirstOrThrow()
    ).balance;

  test("processes that open an empty database at once make its tables once", async () => {
    const empty = await server.createDatabase();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgresStore(empty)));
    const { rows } = await sql<{
      count: number;
    }>`select count(*) as count from store_version`.execute(stores[0]!);
    expect(rows).toEqual([{ count: 1 }]);
    await Promise.all(stores.map(each => each.destroy()));
  });

  test("a store of a newer Ketbook is refused", async () => {
    const newer = await server.createDatabase();
    const opened = await openPostgresStore(newer);
    await sql`update store_version set version = 1000`.execute(opened);
    await opened.destroy();
    await expect(openPostgresStore(newer)).rejects.toThrow("newer Ketbook");
  });

  test("an integer that no number holds is an error, not another number", async () => {
    await expect(sql`select 9007199254740993::bigint`.execute(store)).rejects.toThrow(RangeError);
  });

  test("two hundred transactions on one account at once all count", async () => {
    await Promise.all(Array.from({ length: 200 }, () => add("hot", 1)));
    expect(await balanceOf("hot")).toBe(200);
  });

  test("transactions that lock two rows in opposite orders both succeed", async () => {
    await Promise.all([add("left", 0), add("right", 0)]);
    const both = (first: string, second: string) =>
      transact(store, async transaction => {
        for (const id of [first, second]) {
          await sql`update ledger_accounts set balance = balance + 1 where id = ${id}`.execute(transaction);
          await sql`select pg_sleep(0.1)`.execute(transaction);
        }
      });
    await Promise.all([both("left", "right"), both("right", "left")]);
    expect([await balanceOf("left"), await balanceOf("right")]).toEqual([2, 2]);
  });

  test("a transaction that stands still holds nobody up for long, and is run again", async () => {
    let attempts = 0;
    const isHeld = Promise.withResolvers<void>();
    const isServed = Promise.withResolvers<void>();
    const stalled = transact(store, async transaction => {
      attempts += 1;
      await increase(transaction, "stalled", 1);
      isHeld.resolve();
      await isServed.promise;
    });
    await isHeld.promise;
    await add("stalled", 1);
    isServed.resolve();
    await stalled;
    expect([attempts, await balanceOf("stalled")]).toEqual([2, 2]);
  });

  test("a transaction does not stand still while a long value is on its way", async () => {
    const { hostname, port } = new URL(database);
    const proxy = createServer(client => {
      const server = connect(Number(port), hostname);
      server.pipe(client).on("close", () => server.destroy());
      for (const each of [client, server]) each.on("error", () => {});
      client.on("data", async data => {
        server.write(data);
        client.pause();
        await sleep(data.length / 250);
        client.resume();
      });
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const address = new URL(database);
    address.port = String((proxy.address() as AddressInfo).port);
    const far = await openPostgresStore(address.href);
    const note = (transaction: StoreTransaction, details: string) =>
      transaction
        .insertInto("audit_events")
        .values({ created_at: 1, event: "key.created", actor: "", subject: "", details_json: details })
        .execute();
    await transact(far, async transaction => {
      for (let times = 0; times < 5; times += 1) await note(transaction, "{}");
      await note(transaction, "x".repeat(500_000));
    });
    await far.destroy();
    proxy.close();
  });

  test("its clock is the database's, and not ahead of it", async () => {
    const clock = await startDatabaseClock(store);
    const now = clock.now();
    const { rows } = await sql<{
      time: number;
    }>`select extract(epoch from clock_timestamp()) * 1000 as time`.execute(store);
    expect(now).toBeLessThan(rows[0]!.time + 1);
    expect(now).toBeGreaterThan(rows[0]!.time - 2000);
    clock.stop();
  });

  test("what is announced reaches who listens, whole and in order, however much at once", async () => {
    const heard: unknown[] = [];
    const listening = Promise.withResolvers<void>();
    const listener = startListener(database, {
      lock: "worker",
      onAnnouncement: value => heard.push(value),
      onListening: listening.resolve,
      onError: () => {},
    });
    await listening.promise;
    const values = Array.from({ length: 500 }, (_, index) => ({ index, text: "é".repeat(index) }));
    const { announce, flush } = createAnnouncer(store, () => {});
    for (const value of values) announce(value);
    await flush();
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBe(values.length);
    expect(heard).toEqual(values);
    await listener.stop();
  });

  test.skipIf(process.env.KETBOOK_TEST_POSTGRES !== undefined)(
    "after a restart of the server, the store and its listener work again",
    async () => {
      let times = 0;
      const listener = startListener(database, {
        lock: "worker",
        onAnnouncement: () => {},
        onListening: () => {
          times += 1;
        },
        onError: () => {},
      });
      await expect.poll(() => times, { timeout: 10_000 }).toBe(1);
      const interrupted = sql`select pg_sleep(60)`.execute(store).catch((error: unknown) => error);
      await server.restart();
      expect(storageProblem(await interrupted)).toBe("unavailable");
      await expect
        .poll(() => add("after", 1).then(() => true, storageProblem), { timeout: 10_000 })
        .toBe(true);
      await expect.poll(() => times, { timeout: 10_000 }).toBeGreaterThan(1);
      await listener.stop();
    },
  );

  test("a server that can't be reached is a problem of the storage", async () => {
    const error = await openPostgresStore("postgres://nobody@127.0.0.1:1/none").catch(
      (thrown: unknown) => thrown,
    );
    expect(storageProblem(error)).toBe("unavailable");
  });
});
