import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { revokeKey } from "../../../src/service/accounts/members.ts";
import { auditLedger } from "../../../src/service/billing/ledger.ts";
import { purgeDeletedJobs } from "../../../src/service/retention.ts";
import { transact } from "../../../src/service/store/store.ts";
import { openPostgresStore } from "../../../src/service-cluster/postgres/dialect.ts";
import { newFolder } from "../../folder.ts";
import { ketbookHere } from "../command-line.ts";
import { type Ended, ketbook } from "../process.ts";
import {
  type Body,
  bell,
  bellJob,
  caller,
  endlessOn12 as endless,
  type Serving,
  serving,
} from "../serving.ts";
import { type SharedProcess, sharedProcess } from "../shared.ts";
import { POSTGRES, type PostgresServer, sharedPostgres } from "../store/postgres/server.ts";
import { type Readable, readEverything } from "./read-everything.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const perth = "ibm:emulated:qpu:perth";
const TABLES_OF_THE_MOMENT = new Set(["rate_limits", "kysely_migration", "kysely_migration_lock"]);

/** Fills a service with records of every kind, and returns who may read them. */
async function fill(service: Serving): Promise<Omit<Readable, "url" | "legacyUrl">> {
  const { call, store } = service;
  const student = await service.user({
    organization: "course",
    user: "student",
    tier: "free",
    allow: ["svc:*"],
  });
  const reader = await service.user({ organization: "course", user: "reader", scope: "read" });
  const gone = await service.user({ organization: "other", user: "gone" });
  const group = async (body: object, key?: string) =>
    (await call("POST", "/jobs/group", body, key ? { "idempotency-key": key } : {})).body.data
      .groupJobQrn as string;
  const open = await group(
    { name: "open", tags: { a: 1 }, metadata: { deep: [1, { b: null }] }, maxTTL: 86_400 },
    "g",
  );
  const closed = await group({});
  const cancelled = await group({ name: "cancelled" });
  const jobs: string[] = [];
  const run = async (by: Pick<Serving, "call">, changes: object, key?: string) => {
    const { body } = await by.call("POST", "/jobs", bellJob(changes), key ? { "idempotency-key": key } : {});
    jobs.push(body.data.jobQrn);
    return body.data.jobQrn as string;
  };
  await run(
    service,
    { name: "GHZ \u{1F431}", tags: { kind: "ÄÖ", n: 3, ok: true }, groupJobQrn: open },
    "once",
  );
  await run(service, {
    program: [bell, { ...bell, data: `${bell.data}\n// ${"é\u{1F431}".repeat(100_000)}` }],
  });
  await run(service, { shots: 20_000, runtimeOptions: { memory: true, seed: 1 }, groupJobQrn: closed });
  await run(service, { shots: 0, runtimeOptions: { statevector: true } });
  await run(service, { program: { format: "qasm3", data: "OPENQASM 3.0;\nqubit q; nonsense;" } });
  await run(service, {
    program: {
      format: "qasm2",
      data: 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[1]; creg c[1];\nh q[0];\nmeasure q -> c;',
    },
  });
  for (let count = 0; count < 3; count += 1)
    await run(service, { deviceQrn: perth, shots: 100 * (count + 1) });
  await run(student, { deviceQrn: "svc:svc:sim:stabilizer" });
  await run(student, { name: "to delete" });
  await run(student, { name: "to purge" });
  for (const qrn of jobs) await (jobs.indexOf(qrn) < 9 ? service : student).ended(qrn);
  const long = await service.submit({ program: endless, groupJobQrn: cancelled });
  jobs.unshift(long.jobQrn);
  await student.call("DELETE", `/jobs/${jobs.at(-1)}`);
  await transact(store, transaction => purgeDeletedJobs(transaction, { now: Date.now() + 1000 }));
  await student.call("DELETE", `/jobs/${jobs.at(-2)}`);
  await call("POST", `/jobs/group/${closed}/close`);
  await call("POST", `/jobs/group/${cancelled}/cancel`);
  await service.ended(long.jobQrn, "CANCELLED");
  expect(await revokeKey(store, gone.key, Date.now(), "cli")).toBe(true);
  const keys = [service.service.apiKey, student.key, reader.key, gone.key, "kb_unknown"];
  return { keys, jobs, groups: [open, closed, cancelled] };
}

/** Expects the same answers, which are compared in less time than `toEqual` takes where they are. */
function expectSame(answers: Map<string, unknown>, expected: Map<string, unknown>): void {
  if (!isDeepStrictEqual(answers, expected)) expect(answers).toEqual(expected);
}

/** Every row of every table of a database. */
async function rowsOf(database: string): Promise<Record<string, unknown[]>> {
  const store = await openPostgresStore(database);
  const rows: Record<string, unknown[]> = {};
  for (const { name } of await store.introspection.getTables()) {
    if (TABLES_OF_THE_MOMENT.has(name) || name.startsWith("store_")) continue;
    const all = await store
      .selectFrom(name as "jobs")
      .selectAll()
      .execute();
    rows[name] = all.map(row => JSON.stringify(Object.entries(row).sort())).sort();
  }
  await store.destroy();
  return rows;
}

/** Runs a command that succeeds, and returns what it printed. */
async function succeed(...args: string[]): Promise<Body> {
  return read(await ketbookHere(...args, "--json"));
}

function read({ code, stdout, stderr }: Ended): Body {
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe.skipIf(POSTGRES === undefined)("a service that is moved between a folder and databases", () => {
  const files = newFolder();
  const timing = ["--timing", "instant"];
  let server: PostgresServer;
  let folder: string;
  let known: Omit<Readable, "url" | "legacyUrl">;
  let embedded: Map<string, unknown>;
  let replayed: Body;
  let trail: string;
  let first: string;
  let api: SharedProcess;

  beforeAll(async () => {
    server = await sharedPostgres();
    folder = newFolder();
    await using service = await serving({ folder });
    known = await fill(service);
    // A group whose jobs have ended is completed when it is read.
    for (const qrn of known.groups) await service.call("GET", `/jobs/group/${qrn}`);
    const subject = { ...known, url: service.service.url, legacyUrl: service.service.legacyUrl };
    const { data } = (await service.call("GET", "/jobs")).body;
    expect(data.map((job: Body) => job.status).toSorted()).toEqual([
      "CANCELLED",
      ...Array(8).fill("COMPLETED"),
      "FAILED",
    ]);
    embedded = await readEverything(subject);
    replayed = await replay(service);
    const served = await ketbookHere("export", join(files, "served"), "--data", folder);
    expect([served.code, served.stderr]).toEqual([1, expect.stringContaining("Another service runs")]);
  }, 120_000);
  afterAll(async () => {
    await api?.end();
    await server.stop();
  });

  /** The records as the folder's own user sees them: by then all rows are compared as well. */
  const ofOwner = () => ({ ...known, keys: known.keys.slice(0, 1) });

  /** Repeats a submission and the creation of a group under their keys. */
  async function replay({ call }: Pick<Serving, "call">): Promise<Body> {
    const job = bellJob({
      name: "GHZ \u{1F431}",
      tags: { kind: "ÄÖ", n: 3, ok: true },
      groupJobQrn: known.groups[0],
    });
    const group = { name: "open", tags: { a: 1 }, metadata: { deep: [1, { b: null }] }, maxTTL: 86_400 };
    const answers = [
      await call("POST", "/jobs", job, { "idempotency-key": "once" }),
      await call("POST", "/jobs", { ...job, shots: 7 }, { "idempotency-key": "once" }),
      await call("POST", "/jobs/group", group, { "idempotency-key": "g" }),
    ];
    return answers.map(({ status, body: { data, message } }) => ({ status, data, message }));
  }

  test("answers every request on a database as it did on the folder", async () => {
    const archive = join(files, "folder.ketbook");
    trail = (await ketbookHere("audit", "--json", "--data", folder)).stdout;
    await succeed("export", archive, "--data", folder);
    first = await server.createDatabase();
    expect(await succeed("import", archive, "--database", first)).toEqual({
      jobs: known.jobs.length,
      leftOutDevices: [],
    });
    api = await sharedProcess("serve", first, "--workers", "0", ...timing);
    expectSame(await readEverything({ ...known, url: api.url, legacyUrl: api.legacyUrl }), embedded);
    expect(replayed.map(({ status }: Body) => status)).toEqual([201, 400, 201]);
    expect(replayed[0].data.jobQrn).toBe(known.jobs[1]);
    expect(await replay(caller(api.url, known.keys[0]!))).toEqual(replayed);
    expect((await ketbookHere("audit", "--json", "--database", first)).stdout).toBe(trail);
  }, 120_000);

  test("keeps what waits and what is to be cancelled, over a folder to another database, where it runs", async () => {
    const moved = join(files, "database.ketbook");
    const back = join(files, "back.ketbook");
    const { call, submit } = caller(api.url, known.keys[0]!);
    const waiting = [await submit({ name: "waits" }), await submit({ name: "is cancelled" })];
    known = { ...known, jobs: [...known.jobs, ...waiting.map(({ jobQrn }) => jobQrn)] };
    expect((await call("POST", `/jobs/${waiting[1]!.jobQrn}/cancel`)).status).toBe(202);
    const before = await readEverything({ ...ofOwner(), url: api.url, legacyUrl: api.legacyUrl });
    read(await ketbook("export", moved, "--database", first, "--json"));
    await api.end();
    const other = newFolder();
    copyFileSync(join(folder, "owner.key"), join(other, "owner.key"));
    expect(await succeed("import", moved, "--data", other)).toMatchObject({ hasOwnerKey: true });
    expect((await ketbookHere("check", "--data", other)).code).toBe(0);
    await succeed("export", back, "--data", other);
    const second = await server.createDatabase();
    read(await ketbook("import", back, "--database", second, "--json"));
    expect(await rowsOf(second)).toEqual(await rowsOf(first));
    await using moving = await sharedProcess("serve", second, "--workers", "0", ...timing);
    const { url, legacyUrl } = moving;
    expectSame(await readEverything({ ...ofOwner(), url, legacyUrl }), before);
    await using worker = await sharedProcess("worker", second, ...timing);
    expect(worker.child.exitCode).toBeNull();
    const { ended, ...owner } = caller(url, known.keys[0]!);
    const added = await owner.submit({ name: "after the move" });
    const statuses = [];
    for (const qrn of [...known.jobs.slice(-2), added.jobQrn]) statuses.push((await ended(qrn)).status);
    expect(statuses).toEqual(["COMPLETED", "CANCELLED", "COMPLETED"]);
    const store = await openPostgresStore(second);
    expect(await auditLedger(store).finally(() => store.destroy())).toEqual([]);
  }, 120_000);

  test("continues in a folder, with the key of its own user", async () => {
    const other = newFolder();
    copyFileSync(join(folder, "owner.key"), join(other, "owner.key"));
    await succeed("import", join(files, "folder.ketbook"), "--data", other);
    await using service = await serving({ folder: other });
    const { url, legacyUrl, apiKey } = service.service;
    expect(apiKey).toBe(known.keys[0]);
    const jobs = known.jobs.slice(0, -2);
    expectSame(await readEverything({ ...known, jobs, url, legacyUrl }), embedded);
    expect((await service.ended((await service.submit()).jobQrn)).status).toBe("COMPLETED");
  }, 120_000);

  test("is imported into no place that has records", async () => {
    for (const place of [
      ["--database", first],
      ["--data", folder],
    ]) {
      const { code, stderr } = await ketbookHere("import", join(files, "folder.ketbook"), ...place);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/Import into an empty/)]);
    }
  });

  test("is backed up from a database, and restored into one that is empty", async () => {
    const backup = join(files, "backup");
    const { jobs } = await succeed("backup", backup, "--database", first);
    const restored = await server.createDatabase();
    expect(await succeed("restore", backup, "--database", restored)).toEqual({ jobs, leftOutDevices: [] });
    const entries = (await ketbookHere("audit", "--json", "--database", restored)).stdout.trim().split("\n");
    expect(JSON.parse(entries.at(-1)!)).toMatchObject({ event: "store.restored", details: { jobs } });
    expect(await succeed("check", "--database", restored)).toEqual({ ok: true, problems: [] });
    const refused = await ketbookHere("restore", backup, "--replace", "--database", restored);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("never replaced")]);
  });
});
