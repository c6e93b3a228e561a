import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditLedger } from "../../../../src/service/billing/ledger.ts";
import { STORE_VERSION } from "../../../../src/service/store/tables.ts";
import { openPostgresStore } from "../../../../src/service-cluster/postgres/dialect.ts";
import { bellJob, caller } from "../../serving.ts";
import { createSharedKey, sharedProcess } from "../../shared.ts";
import { isPostgresMissing, type PostgresServer, sharedPostgres } from "./server.ts";

describe.skipIf(isPostgresMissing())("a later version of the tables", { timeout: 180_000 }, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(() => server?.stop());

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
    /** What a later version may do. */
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
