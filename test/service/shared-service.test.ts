import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditLedger } from "../../src/service/billing/ledger.ts";
import type { Store } from "../../src/service/store/store.ts";
import { openPostgresStore } from "../../src/service-cluster/postgres/dialect.ts";
import { bell, endlessOn12 as long } from "./serving.ts";
import { createSharedKey, type SharedProcess, sharedProcess } from "./shared.ts";
import { isPostgresMissing, type PostgresServer, startPostgres } from "./store/postgres/server.ts";

describe.skipIf(isPostgresMissing())(
  "two interfaces and two workers on one database",
  { timeout: 120_000 },
  () => {
    let server: PostgresServer;
    let store: Store | undefined;
    let key: string;
    let interfaces: SharedProcess[] = [];
    let workers: SharedProcess[] = [];
    beforeAll(async () => {
      server = await startPostgres();
      const database = await server.createDatabase();
      key = await createSharedKey(database, "first", "--tier", "local");
      store = await openPostgresStore(database);
      const timing = ["--timing", "instant"];
      const serve = () => sharedProcess("serve", database, "--workers", "0", ...timing);
      const worker = () => sharedProcess("worker", database, "--workers", "1", ...timing);
      interfaces = await Promise.all([serve(), serve()]);
      workers = await Promise.all([worker(), worker()]);
    }, 180_000);
    afterAll(async () => {
      await Promise.all([...interfaces, ...workers].map(each => each.end()));
      await store?.destroy();
      await server.stop();
    });

    let calls = 0;
    /** Calls the interfaces in turns. */
    async function call(method: string, path: string, body?: object) {
      calls += 1;
      const answer = await fetch(`${interfaces[calls % 2]!.url}${path}`, {
        method,
        headers: { "x-api-key": key, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
      return { status: answer.status, data: ((await answer.json()) as any).data };
    }

    const submit = async (changes: object = {}) =>
      (
        await call("POST", "/jobs", {
          deviceQrn: "svc:svc:sim:statevector",
          shots: 100,
          program: bell,
          ...changes,
        })
      ).data.jobQrn as string;

    async function until(qrn: string, isReached: (status: string) => boolean) {
      for (;;) {
        const { data } = await call("GET", `/jobs/${qrn}`);
        if (isReached(data.status)) return data;
        await sleep(60);
      }
    }

    const hasEnded = (status: string) => ["COMPLETED", "FAILED", "CANCELLED"].includes(status);

    test("jobs submitted at once run once each, and the ledger adds up", async () => {
      const qrns = await Promise.all(Array.from({ length: 40 }, () => submit()));
      const jobs = await Promise.all(qrns.map(qrn => until(qrn, hasEnded)));
      expect(new Set(jobs.map(job => job.status))).toEqual(new Set(["COMPLETED"]));
      const rows = await store!.selectFrom("jobs").select(["attempt", "crashes"]).execute();
      expect(new Set(rows.map(({ attempt, crashes }) => `${attempt} ${crashes}`))).toEqual(new Set(["1 0"]));
      expect(await auditLedger(store!)).toEqual([]);
    });

    test("one idempotency key makes one job, whichever interfaces it reaches", async () => {
      const post = (base: string) =>
        fetch(`${base}/jobs`, {
          method: "POST",
          headers: { "x-api-key": key, "content-type": "application/json", "idempotency-key": "once" },
          body: JSON.stringify({ deviceQrn: "svc:svc:sim:statevector", shots: 10, program: bell }),
        }).then(async answer => ((await answer.json()) as { data: { jobQrn: string } }).data.jobQrn);
      const qrns = await Promise.all(
        Array.from({ length: 10 }, (_, index) => post(interfaces[index % 2]!.url)),
      );
      expect(new Set(qrns).size).toBe(1);
    });

    test("a job that runs is cancelled by the worker that runs it", async () => {
      const qrns = await Promise.all([submit({ program: long }), submit({ program: long })]);
      await Promise.all(qrns.map(qrn => until(qrn, status => status === "RUNNING")));
      for (const qrn of qrns) expect((await call("POST", `/jobs/${qrn}/cancel`)).status).toBe(202);
      const jobs = await Promise.all(qrns.map(qrn => until(qrn, hasEnded)));
      expect(jobs.map(job => job.status)).toEqual(["CANCELLED", "CANCELLED"]);
      expect(await auditLedger(store!)).toEqual([]);
    });

    test("a QPU runs one job at a time, whichever workers take them", async () => {
      const qpu = "ibm:emulated:qpu:perth";
      const qrns = await Promise.all(Array.from({ length: 8 }, () => submit({ deviceQrn: qpu })));
      let isOver = false;
      const ended = Promise.all(qrns.map(qrn => until(qrn, hasEnded))).finally(() => {
        isOver = true;
      });
      const seen: number[] = [];
      while (!isOver) {
        const rows = await store!
          .selectFrom("jobs")
          .select("seq")
          .where("device_qrn", "=", qpu)
          .where("status", "in", ["VALIDATING", "RUNNING"])
          .execute();
        seen.push(rows.length);
        await sleep(5);
      }
      expect((await ended).map(job => job.status)).toEqual(qrns.map(() => "COMPLETED"));
      expect(Math.max(...seen)).toBe(1);
    });
  },
);
