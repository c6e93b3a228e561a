import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditLedger } from "../../../../src/service/billing/audit.ts";
import { MIGRATIONS, STORE_VERSION } from "../../../../src/service/store/migrate.ts";
import { isUpToDate, openPostgresStore, readVersion } from "../../../../src/service-cluster/postgres/open.ts";
import { bellJob, caller } from "../../serving.ts";
import { createSharedKey, sharedProcess } from "../../shared.ts";
import { isPostgresMissing, type PostgresServer, startPostgres } from "./server.ts";

/** The version from which on services have shared a store. */
const FIRST_SHARED = 5;

describe.skipIf(isPostgresMissing())("a migration of a shared store", { timeout: 180_000 }, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  test.each(Array.from({ length: STORE_VERSION - FIRST_SHARED }, (_, index) => FIRST_SHARED + index))(
    "brings an empty store of version %i to the newest one",
    async version => {
      const database = await server.createDatabase();
      await (await openPostgresStore(database, { upTo: version })).destroy();
      await using store = await openPostgresStore(database);
      expect(await readVersion(store)).toBe(STORE_VERSION);
    },
  );

  test("builds indexes that are missing, or were not built to their end, while requests are answered", async () => {
    const database = await server.createDatabase();
    const key = await createSharedKey(database, "first", "--tier", "local");
    await using service = await sharedProcess("serve", database, "--workers", "0");
    const { call } = caller(service.url, key);
    await using store = await openPostgresStore(database, { isPatient: true });
    await sql`drop index jobs_of_status`.execute(store);
    await sql`update pg_index set indisvalid = false where indexrelid = 'jobs_unended'::regclass`.execute(
      store,
    );
    expect(await isUpToDate(store, STORE_VERSION)).toBe(false);
    const isOver = Promise.withResolvers<void>();
    const isBegun = Promise.withResolvers<void>();
    const other = store.transaction().execute(async transaction => {
      await sql`update jobs set shots = shots`.execute(transaction);
      isBegun.resolve();
      await isOver.promise;
    });
    await isBegun.promise;
    const opening = Promise.all([openPostgresStore(database), openPostgresStore(database)]);
    const isWaiting = async () => {
      const { rows } = await sql<{ state: string }>`select 1 from pg_stat_activity
        where datname = current_database() and query like '%index concurrently%' and wait_event_type = 'Lock'`.execute(
        store,
      );
      return rows.length > 0;
    };
    await expect.poll(isWaiting, { timeout: 30_000 }).toBe(true);
    expect((await call("POST", "/jobs", bellJob())).status).toBe(201);
    isOver.resolve();
    await other;
    for (const opened of await opening) await opened.destroy();
    expect(await isUpToDate(store, STORE_VERSION)).toBe(true);
  });

  test("only adds to what processes of the version before use", () => {
    const later = Object.entries(MIGRATIONS).slice(FIRST_SHARED);
    const syntax = {
      identity: "",
      clustered: "",
      unlogged: "",
      jsonMember: () => "",
      jsonWithout: () => "",
      trigger: ({ statement }: { statement: string }) => [`create trigger ${statement}`],
    };
    for (const [name, statements] of later)
      for (const statement of statements(syntax)) {
        expect([name, statement]).toEqual([
          name,
          expect.stringMatching(/^(create|insert into|alter table \w+ add column)\b/),
        ]);
        if (/^alter/.test(statement) && /not null/.test(statement)) expect(statement).toContain("default");
      }
  });

  test("stops no service that runs on it: requests are answered, and jobs end", async () => {
    const database = await server.createDatabase();
    const key = await createSharedKey(database, "first", "--tier", "local");
    await using service = await sharedProcess("serve", database, "--workers", "1", "--timing", "instant");
    const { call } = caller(service.url, key);
    const qrns: string[] = [];
    let isOver = false;
    const submitting = (async () => {
      while (!isOver) {
        const { status, body } = await call("POST", "/jobs", bellJob());
        expect(status).toBe(201);
        qrns.push(body.data.jobQrn);
        expect((await call("GET", "/jobs")).status).toBe(200);
      }
    })();
    await using store = await openPostgresStore(database, { isPatient: true });
    await expect.poll(() => qrns.length, { timeout: 60_000 }).toBeGreaterThan(5);
    /** What a version to come may do: every statement of a kind that the test above allows. */
    await store.transaction().execute(async transaction => {
      for (const statement of [
        "alter table jobs add column to_come integer",
        "alter table api_keys add column to_come text not null default 'none'",
        "create table of_a_version_to_come (job_seq bigint references jobs (seq))",
        "insert into of_a_version_to_come select seq from jobs",
        "create index jobs_to_come on jobs (to_come)",
        `update store_version set version = ${STORE_VERSION + 1}`,
      ])
        await sql.raw(statement).execute(transaction);
      await sleep(300);
    });
    const before = qrns.length;
    await expect.poll(() => qrns.length, { timeout: 60_000 }).toBeGreaterThan(before + 5);
    isOver = true;
    await submitting;
    for (const qrn of qrns)
      await expect
        .poll(async () => (await call("GET", `/jobs/${qrn}`)).body.data.status, { timeout: 60_000 })
        .toBe("COMPLETED");
    expect(await auditLedger(store)).toEqual([]);
    await expect(openPostgresStore(database)).rejects.toThrow("newer Ketbook");
  });
});
