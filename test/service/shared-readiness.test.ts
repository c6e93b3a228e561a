import { chmodSync, chownSync, statSync } from "node:fs";
import { dirname } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bellJob, caller } from "./serving.ts";
import { createSharedKey, type SharedProcess, sharedProcess } from "./shared.ts";
import { isPostgresMissing, type PostgresServer, sharedPostgres } from "./store/postgres/server.ts";
import { canMount, mountSmallDisk } from "./store/sqlite/small-disk.ts";

const isOurs = process.env.KETBOOK_TEST_POSTGRES === undefined;

describe.skipIf(isPostgresMissing())("whether an interface is ready", { timeout: 120_000 }, () => {
  let server: PostgresServer;
  let database: string;
  beforeAll(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
  }, 120_000);
  afterAll(() => server?.stop());

  async function ask(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }
  const serve = (address: string) => sharedProcess("serve", address, "--workers", "0");
  const readiness = async ({ url }: SharedProcess) => {
    const { status } = await fetch(new URL("/readyz", url));
    const metrics = await (await fetch(new URL("/metrics", url))).text();
    return [status, Number(/^ketbook_ready (\d)$/m.exec(metrics)?.[1])];
  };
  const becomes = (service: SharedProcess, ...expected: number[]) =>
    expect.poll(() => readiness(service), { timeout: 30_000, interval: 100 }).toEqual(expected);

  test("follows the connections that it gets", async () => {
    await ask("create role few login", `grant create on schema public to few`);
    const address = new URL(database);
    address.username = "few";
    await using service = await serve(address.href);
    await becomes(service, 200, 1);
    const metrics = await (await fetch(new URL("/metrics", service.url))).text();
    expect(metrics).toMatch(/^ketbook_database_connections\{state="allowed"\} 100$/m);
    await ask(
      "alter role few connection limit 1",
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'few'",
    );
    await becomes(service, 503, 0);
    await ask("alter role few connection limit -1");
    await becomes(service, 200, 1);
  });

  test.runIf(canMount && isOurs)("follows the room on the database's disk", async () => {
    using disk = mountSmallDisk(64)!;
    const { uid, gid } = statSync(`/proc/${server.pid}`);
    for (const path of [dirname(disk.folder), disk.folder]) {
      chownSync(path, uid, gid);
      chmodSync(path, 0o700);
    }
    await ask(`create tablespace small location '${disk.folder}'`, "create database small tablespace small");
    const address = new URL(database);
    address.pathname = "/small";
    await using service = await serve(address.href);
    const { call } = caller(service.url, await createSharedKey(address.href, "first", "--tier", "local"));
    const submit = async () =>
      (await call("POST", "/jobs", bellJob({ program: { ...bellJob().program, data: long } }))).status;
    const long = `${bellJob().program.data} //${Array.from({ length: 20_000 }, () => Math.random()).join(" ")}`;
    expect(await submit()).toBe(201);
    await becomes(service, 200, 1);
    disk.fill();
    expect(await submit()).toBe(507);
    await becomes(service, 507, 0);
    disk.free();
    await becomes(service, 200, 1);
    expect(await submit()).toBe(201);
    await service.end();
    await ask("drop database small with (force)", "drop tablespace small");
  });
});
