import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresStore } from "../../src/service-cluster/postgres/dialect.ts";
import { type Caller, caller } from "./serving.ts";
import { createSharedKey, type SharedProcess, sharedProcess } from "./shared.ts";
import { isPostgresMissing, type PostgresServer, startPostgres } from "./store/postgres/server.ts";

/** Its state takes 2 MiB. */
const wide = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[18] q;\nbit[18] c;\nh q;\nt q;\nh q;\nc = measure q;',
};

/** Takes some tenths of a second, which is more than a worker's first job takes for its start. */
const slow = {
  format: "qasm3",
  data: wide.data.replace("h q;\n", "for int i in [0:150] { h q; }\n"),
};

describe.skipIf(isPostgresMissing())("several workers", { timeout: 180_000 }, () => {
  let server: PostgresServer;
  let database: string;
  let service: SharedProcess;
  let user: Caller;
  let small: SharedProcess;
  beforeAll(async () => {
    server = await startPostgres();
    database = await server.createDatabase();
    service = await sharedProcess("serve", database, "--workers", "0", "--timing", "instant");
    user = caller(service.url, await createSharedKey(database, "first", "--tier", "local"));
  }, 180_000);
  afterAll(async () => {
    await service?.end();
    await server?.stop();
  });

  const worker = (...args: string[]) => sharedProcess("worker", database, "--timing", "instant", ...args);
  const jobOf = async (qrn: string) => (await user.call("GET", `/jobs/${qrn}`)).body.data;
  const ended = (qrn: string) =>
    expect
      .poll(() => jobOf(qrn), { timeout: 60_000 })
      .toMatchObject({ status: "COMPLETED", statusMsg: null });
  const says = (qrn: string) => expect.poll(async () => (await jobOf(qrn)).statusMsg, { timeout: 60_000 });

  test("a worker gets jobs of its devices and methods alone, and others say what they wait for", async () => {
    await using _qpus = await worker("--devices", "ibm:*", "aws:*");
    await using _tableaus = await worker("--methods", "stabilizer");
    const { jobQrn } = await user.submit();
    const { jobQrn: clifford } = await user.submit({ deviceQrn: "svc:svc:sim:stabilizer" });
    const { jobQrn: qpu } = await user.submit({ deviceQrn: "ibm:emulated:qpu:perth" });
    for (const qrn of [clifford, qpu]) await ended(qrn);
    await says(jobQrn).toBe("Waits for a worker that runs jobs of svc:svc:sim:statevector: none does now.");
    small = await worker("--memory", "1000000");
    await ended(jobQrn);
  });

  test("a job that no worker's memory holds waits for one that does, and says so", async () => {
    await using _small = small;
    const { jobQrn } = await user.submit({ program: wide });
    const { jobQrn: next } = await user.submit();
    await says(jobQrn).toBe(
      "Waits for a worker with 2.1 MB for its state: the largest that runs now has 1.0 MB.",
    );
    await ended(next);
    expect((await jobOf(jobQrn)).status).toBe("QUEUED");
    await using _large = await worker("--memory", "4000000");
    await ended(jobQrn);
  });

  test("users take turns over both workers: few jobs do not wait for the many of another user", async () => {
    const [greedy, modest] = [
      user,
      caller(service.url, await createSharedKey(database, "modest", "--tier", "local")),
    ];
    const many = await Promise.all(Array.from({ length: 20 }, () => greedy.submit({ program: slow })));
    const few = await Promise.all(Array.from({ length: 4 }, () => modest.submit()));
    await using _one = await worker("--workers", "1");
    await using _other = await worker("--workers", "1");
    const of = async ({ call }: Caller, qrn: string) => (await call("GET", `/jobs/${qrn}`)).body.data;
    for (const { jobQrn } of few)
      await expect.poll(() => of(modest, jobQrn), { timeout: 60_000 }).toMatchObject({ status: "COMPLETED" });
    await using store = await openPostgresStore(database);
    const rows = await store.selectFrom("jobs").select(["qrn", "started_at"]).execute();
    const isOfModest = ({ qrn }: { qrn: string }) => few.some(({ jobQrn }) => jobQrn === qrn);
    const last = Math.max(...rows.filter(isOfModest).map(row => row.started_at!));
    const before = rows.filter(row => !isOfModest(row) && row.started_at !== null && row.started_at < last);
    expect(before.length).toBeLessThan(14);
    await Promise.all(many.map(({ jobQrn }) => greedy.call("POST", `/jobs/${jobQrn}/cancel`)));
  });
});
