import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "../../src/service/accounts/members.ts";
import { auditLedger } from "../../src/service/billing/ledger.ts";
import { toMicro } from "../../src/service/billing/price.ts";
import type { Store } from "../../src/service/store/store.ts";
import { dayOf } from "../../src/service/usage/quota.ts";
import { openPostgresStore } from "../../src/service-cluster/postgres/dialect.ts";
import { startProxy } from "../reliability/shared/proxy.ts";
import { type Answer, bellJob, type Caller, caller, endlessOn12 as endless, statevector } from "./serving.ts";
import { type SharedProcess, sharedProcess } from "./shared.ts";
import { isPostgresMissing, type PostgresServer, sharedPostgres } from "./store/postgres/server.ts";

/** A program that runs for some hundredths of a second in a single thread. */
const slow = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[12] q;\nbit c;\nfor int i in [0:200] { h q; t q; cz q[0:10], q[1:11]; }\nc = measure q[0];',
};
const slower = { format: "qasm3", data: slow.data.replace("200", "1000") };

/** Its state takes 2 MiB. */
const wide = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[18] q;\nbit[18] c;\nh q;\nt q;\nh q;\nc = measure q;',
};

describe.skipIf(isPostgresMissing())("two interfaces on one database", { timeout: 180_000 }, () => {
  let server: PostgresServer;
  let database: string;
  let store: Store;
  let interfaces: SharedProcess[] = [];
  const workers: SharedProcess[] = [];
  beforeAll(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    store = await openPostgresStore(database);
    const serve = () => sharedProcess("serve", database, "--workers", "0", "--timing", "instant");
    interfaces = await Promise.all([serve(), serve()]);
  }, 180_000);
  afterAll(async () => {
    await Promise.all(workers.map(each => each.end("SIGKILL")));
    await Promise.all(interfaces.map(each => each.end()));
    await store?.destroy();
    await server?.stop();
  });

  let users = 0;
  /** Makes a user, whose calls go to the interfaces by turns. */
  async function makeUser(tier: "free" | "local"): Promise<{ userId: number } & Caller> {
    users += 1;
    const name = `user${users}`;
    const owner = { organization: name, user: name, tier, grant: toMicro(1_000_000), allow: undefined };
    const { apiKey, userId } = await createKey(store, owner, Date.now());
    const callers = interfaces.map(({ url }) => caller(url, apiKey));
    let calls = 0;
    const call: Caller["call"] = (...request) => {
      calls += 1;
      return callers[calls % callers.length]!.call(...request);
    };
    return { ...callers[0]!, call, userId };
  }

  const worker = (address = database, ...args: string[]) =>
    sharedProcess("worker", address, "--timing", "instant", "--workers", "1", ...args);
  const request = (changes: object = {}) => ({
    ...bellJob({ shots: 10 }),
    ...changes,
  });
  const submitted: { call: Caller["call"]; qrn: string }[] = [];
  async function submitAtOnce({ call }: Caller, count: number, changes?: object): Promise<Answer[]> {
    const submissions = Array.from({ length: count }, () => call("POST", "/jobs", request(changes)));
    const answers = await Promise.all(submissions);
    for (const { status, body } of answers)
      if (status === 201) submitted.push({ call, qrn: body.data.jobQrn });
    return answers;
  }
  const countOf = (answers: readonly Answer[], status: number) =>
    answers.filter(answer => answer.status === status).length;
  const jobOf = (qrn: string) =>
    store.selectFrom("jobs").selectAll().where("qrn", "=", qrn).executeTakeFirstOrThrow();

  describe("and workers that do not take every job", () => {
    let user: Caller;
    let small: SharedProcess;
    beforeAll(async () => {
      user = await makeUser("local");
    });
    const jobOf = async (qrn: string) => (await user.call("GET", `/jobs/${qrn}`)).body.data;
    const ended = (qrn: string) =>
      expect
        .poll(() => jobOf(qrn), { timeout: 60_000 })
        .toMatchObject({ status: "COMPLETED", statusMsg: null });
    const says = (qrn: string) => expect.poll(async () => (await jobOf(qrn)).statusMsg, { timeout: 60_000 });

    test("a worker gets jobs of its devices and methods alone, and others say what they wait for", async () => {
      await using _qpus = await worker(database, "--devices", "ibm:*", "aws:*");
      await using _tableaus = await worker(database, "--methods", "stabilizer");
      const { jobQrn } = await user.submit();
      const { jobQrn: clifford } = await user.submit({ deviceQrn: "svc:svc:sim:stabilizer" });
      const { jobQrn: qpu } = await user.submit({ deviceQrn: "ibm:emulated:qpu:perth" });
      for (const qrn of [clifford, qpu]) await ended(qrn);
      await says(jobQrn).toBe("Waits for a worker that runs jobs of svc:svc:sim:statevector: none does now.");
      small = await worker(database, "--memory", "1000000");
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
      await using _large = await worker(database, "--memory", "4000000");
      await ended(jobQrn);
    });

    test("users take turns over both workers: few jobs do not wait for the many of another user", async () => {
      const [greedy, modest] = [user, await makeUser("local")];
      const many = await Promise.all(Array.from({ length: 20 }, () => greedy.submit({ program: slow })));
      const few = await Promise.all(Array.from({ length: 4 }, () => modest.submit()));
      await using _one = await worker();
      await using _other = await worker();
      const of = async ({ call }: Caller, qrn: string) => (await call("GET", `/jobs/${qrn}`)).body.data;
      for (const { jobQrn } of few)
        await expect
          .poll(() => of(modest, jobQrn), { timeout: 60_000 })
          .toMatchObject({ status: "COMPLETED" });
      const rows = await store.selectFrom("jobs").select(["qrn", "started_at"]).execute();
      const isOfModest = ({ qrn }: { qrn: string }) => few.some(({ jobQrn }) => jobQrn === qrn);
      const last = Math.max(...rows.filter(isOfModest).map(row => row.started_at!));
      const before = rows.filter(row => !isOfModest(row) && row.started_at !== null && row.started_at < last);
      expect(before.length).toBeLessThan(14);
      await Promise.all(many.map(({ jobQrn }) => greedy.call("POST", `/jobs/${jobQrn}/cancel`)));
    });
  });

  test("of many submissions at once, as many are accepted as the day's quota has left", async () => {
    const user = await makeUser("free");
    const day = dayOf(Date.now());
    await store
      .insertInto("quota_usage")
      .values({ user_id: user.userId, device_qrn: statevector, day, used: 493 })
      .execute();
    const answers = await submitAtOnce(user, 24);
    expect([countOf(answers, 201), countOf(answers, 429)]).toEqual([7, 17]);
  });

  test("of many submissions at once, as many are accepted as the credits cover", async () => {
    const user = await makeUser("local");
    const { estimatedCost } = (await user.call("GET", `/jobs/cost-estimate?deviceQrn=${statevector}`)).body
      .data;
    const grant = 1_000_000 - 5.5 * estimatedCost;
    const { organization_id } = await store
      .selectFrom("users")
      .select("organization_id")
      .where("id", "=", user.userId)
      .executeTakeFirstOrThrow();
    const spent = Math.round(grant * 1e6);
    for (const [id, sign] of [
      [`organization:${organization_id}`, -1],
      ["issued", 1],
    ] as const) {
      await store
        .updateTable("ledger_accounts")
        .set(eb => ({ balance: eb("balance", "+", sign * spent) }))
        .where("id", "=", id)
        .execute();
      await store
        .insertInto("ledger_postings")
        .values({ source: "grant:back", kind: "grant", account_id: id, amount: sign * spent, created_at: 0 })
        .execute();
    }
    const answers = await submitAtOnce(user, 20);
    expect([countOf(answers, 201), countOf(answers, 402)]).toEqual([5, 15]);
    const { svcCredits } = (await user.call("GET", "/billing/credits/balance")).body.data;
    expect(svcCredits).toBeCloseTo(estimatedCost / 2, 5);
    expect(await auditLedger(store)).toEqual([]);
  });

  test("submissions of one moment are accepted or refused each for itself", async () => {
    const make = () => makeUser("local");
    const users = [await make(), await make(), await make()] as const;
    const [rich, poor, other] = users;
    const forte = { deviceQrn: "ionq:emulated:qpu:forte", shots: 5000 };
    const { estimatedCost } = (
      await poor.call("GET", `/jobs/cost-estimate?deviceQrn=${forte.deviceQrn}&shots=${forte.shots}`)
    ).body.data;
    const affordable = Math.floor(1_000_000 / estimatedCost);
    const { groupJobQrn } = (await other.call("POST", "/jobs/group", {})).body.data;
    const { groupJobQrn: closed } = (await other.call("POST", "/jobs/group", {})).body.data;
    await other.call("POST", `/jobs/group/${closed}/close`);
    const [good, paid, known, grouped, late, wrong] = await Promise.all([
      submitAtOnce(rich, 20),
      submitAtOnce(poor, affordable + 5, forte),
      Promise.all(
        Array.from({ length: 12 }, () =>
          other.call("POST", "/jobs", request(), { "idempotency-key": "one" }),
        ),
      ),
      submitAtOnce(other, 5, { groupJobQrn }),
      submitAtOnce(other, 5, { groupJobQrn: closed }),
      submitAtOnce(rich, 5, { deviceQrn: "svc:svc:sim:none" }),
    ]);
    expect(new Set([...good, ...grouped].map(({ status }) => status))).toEqual(new Set([201]));
    expect([countOf(paid, 201), countOf(paid, 402)]).toEqual([affordable, 5]);
    expect(new Set(known.map(({ body }) => body.data.jobQrn)).size).toBe(1);
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([409]));
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([404]));
    const totals = users.map(async ({ call }) => (await call("GET", "/jobs")).body.pagination.total);
    expect(await Promise.all(totals)).toEqual([20, affordable, 6]);
    expect(await auditLedger(store)).toEqual([]);
  });

  test.each(["close", "cancel"])(
    "a group that is ended by %s has the jobs that it let in, and no more",
    async end => {
      const user = await makeUser("local");
      const { groupJobQrn } = (await user.call("POST", "/jobs/group", {})).body.data;
      const submitting = submitAtOnce(user, 12, { groupJobQrn });
      const ending = user.call("POST", `/jobs/group/${groupJobQrn}/${end}`);
      const accepted = countOf(await submitting, 201);
      expect((await ending).status).toBe(200);
      expect((await user.call("POST", "/jobs", request({ groupJobQrn }))).status).toBe(409);
      const jobs: { status: string }[] = (await user.call("GET", `/jobs/group/${groupJobQrn}/jobs`)).body
        .data;
      expect(jobs).toHaveLength(accepted);
      if (end === "cancel")
        for (const { status } of jobs) expect(["CANCELLING", "CANCELLED"]).toContain(status);
    },
  );

  test("a worker that was cut off, and comes back after its job was given to another, changes nothing", async () => {
    // Jobs of the tests before would be run first.
    await Promise.all(submitted.map(({ call, qrn }) => call("POST", `/jobs/${qrn}/cancel`)));
    await using proxy = await startProxy(database);
    await using late = await worker(proxy.through(database), "--lease", "1s");
    const user = await makeUser("local");
    const { jobQrn } = (await user.call("POST", "/jobs", request({ program: slower }))).body.data;
    await expect.poll(async () => (await jobOf(jobQrn)).worker_id, { timeout: 60_000 }).not.toBeNull();
    proxy.cut();
    const { worker_id: first } = await jobOf(jobQrn);
    workers.push(await worker());
    await expect.poll(async () => (await jobOf(jobQrn)).status, { timeout: 60_000 }).toBe("COMPLETED");
    const completed = await jobOf(jobQrn);
    expect(completed).toMatchObject({ attempt: 2, crashes: 1 });
    expect(completed.worker_id).not.toBe(first);
    proxy.restore();
    /** Before it ends, it writes what came of the run that it still has. */
    await late.end();
    expect(await jobOf(jobQrn)).toEqual(completed);
    const charges = await store
      .selectFrom("ledger_postings")
      .select("amount")
      .where("source", "=", `job:${completed.seq}`)
      .where("kind", "=", "charge")
      .execute();
    expect(charges).toHaveLength(2);
    expect(await auditLedger(store)).toEqual([]);
  });

  describe("and three workers", () => {
    beforeAll(async () => {
      const missing = Array.from({ length: 3 - workers.length }, () => worker());
      workers.push(...(await Promise.all(missing)));
    }, 180_000);

    test("jobs submitted at once run once each, and the ledger adds up", async () => {
      const user = await makeUser("local");
      const qrns = (await submitAtOnce(user, 40)).map(({ body }) => body.data.jobQrn as string);
      const jobs = await Promise.all(qrns.map(qrn => user.ended(qrn)));
      expect(new Set(jobs.map(job => job.status))).toEqual(new Set(["COMPLETED"]));
      const rows = await store
        .selectFrom("jobs")
        .select(["attempt", "crashes"])
        .where("user_id", "=", user.userId)
        .execute();
      expect(rows).toEqual(qrns.map(() => ({ attempt: 1, crashes: 0 })));
      expect(await auditLedger(store)).toEqual([]);
    });

    test("jobs that run are cancelled by the workers that run them", async () => {
      const user = await makeUser("local");
      const answers = await submitAtOnce(user, 2, { program: endless });
      const qrns = answers.map(({ body }) => body.data.jobQrn as string);
      for (const qrn of qrns) await user.ended(qrn, "RUNNING");
      for (const qrn of qrns) expect((await user.call("POST", `/jobs/${qrn}/cancel`)).status).toBe(202);
      for (const qrn of qrns) await user.ended(qrn, "CANCELLED");
      expect(await auditLedger(store)).toEqual([]);
    });

    test("a QPU runs one job at a time, whichever workers take them", async () => {
      const user = await makeUser("local");
      const qpu = "ibm:emulated:qpu:perth";
      const answers = await submitAtOnce(user, 8, { deviceQrn: qpu });
      let isOver = false;
      const ended = Promise.all(answers.map(({ body }) => user.ended(body.data.jobQrn))).finally(() => {
        isOver = true;
      });
      const seen: number[] = [];
      while (!isOver) {
        const rows = await store
          .selectFrom("jobs")
          .select("seq")
          .where("device_qrn", "=", qpu)
          .where("status", "in", ["VALIDATING", "RUNNING"])
          .execute();
        seen.push(rows.length);
        await sleep(5);
      }
      expect((await ended).map(job => job.status)).toEqual(answers.map(() => "COMPLETED"));
      expect(Math.max(...seen)).toBe(1);
    });

    test("a user's jobs run on all workers together no more than the tier allows at a time", async () => {
      const user = await makeUser("free");
      const answers = await submitAtOnce(user, 5, { program: slow });
      expect(countOf(answers, 201)).toBe(5);
      const seen: number[] = [];
      for (;;) {
        const rows = await store
          .selectFrom("jobs")
          .select(["status", "worker_id"])
          .where("user_id", "=", user.userId)
          .where("ended_at", "is", null)
          .execute();
        if (rows.length === 0) break;
        seen.push(rows.filter(row => row.worker_id !== null).length);
        await sleep(10);
      }
      expect(Math.max(...seen)).toBe(2);
    });

    /** The process that runs a job. */
    async function workerOf(qrn: string): Promise<SharedProcess> {
      const { name } = await store
        .selectFrom("workers")
        .innerJoin("jobs", "jobs.worker_id", "workers.id")
        .where("jobs.qrn", "=", qrn)
        .select("workers.name")
        .executeTakeFirstOrThrow();
      return workers.find(({ child }) => name?.endsWith(`:${child.pid}`))!;
    }

    test("a job whose worker is ended, or killed, continues on another within a lease", async () => {
      const user = await makeUser("local");
      const { jobQrn } = (await user.call("POST", "/jobs", request({ program: endless }))).body.data;
      await user.ended(jobQrn, "RUNNING");
      for (const [signal, attempt, crashes] of [
        ["SIGTERM", 2, 0],
        ["SIGKILL", 3, 1],
      ] as const) {
        const { worker_id } = await jobOf(jobQrn);
        await (await workerOf(jobQrn)).end(signal);
        await expect
          .poll(async () => (await jobOf(jobQrn)).worker_id ?? worker_id, { timeout: 25_000 })
          .not.toBe(worker_id);
        expect(await jobOf(jobQrn)).toMatchObject({ attempt, crashes });
      }
      await user.call("POST", `/jobs/${jobQrn}/cancel`);
      await user.ended(jobQrn, "CANCELLED");
    });
  });
});
