import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createRateLimit } from "../../src/service/http/rate-limit.ts";
import { openPostgresStore } from "../../src/service-cluster/postgres/dialect.ts";
import { newFolder } from "../folder.ts";
import { caller } from "./serving.ts";
import { createSharedKey, type SharedProcess, sharedProcess } from "./shared.ts";
import { POSTGRES, type PostgresServer, startPostgres } from "./store/postgres/server.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const POLL = { timeout: 25_000, interval: 100 };
const limits = ["--rate", "1", "--anonymous-rate", "1"];

describe.skipIf(POSTGRES === undefined)(
  "the operation of two interfaces and a worker on one database",
  () => {
    const logs = newFolder();
    const logOf = (name: string) =>
      readFileSync(join(logs, name), "utf8")
        .trim()
        .split("\n")
        .map(line => JSON.parse(line));
    let server: PostgresServer;
    let database: string;
    let interfaces: SharedProcess[];
    let worker: SharedProcess & { healthUrl: string };
    beforeAll(async () => {
      server = await startPostgres();
      database = await server.createDatabase();
      const serve = (name: string) =>
        sharedProcess(
          "serve",
          database,
          "--workers",
          "0",
          "--trusted-proxy",
          "127.0.0.1",
          "--log-file",
          join(logs, name),
          ...limits,
        );
      const work = sharedProcess(
        "worker",
        database,
        "--health-port",
        "0",
        "--log-file",
        join(logs, "worker"),
      );
      interfaces = await Promise.all([serve("first"), serve("second")]);
      worker = (await work) as typeof worker;
    });
    afterAll(async () => {
      await Promise.all([...interfaces, worker].map(each => each.end()));
      await server.stop();
    });
    const urls = () => interfaces.map(({ url }) => url);
    const health = (url: string) => fetch(new URL("/readyz", url)).then(({ status }) => status);

    test("a request's id is on its answer, in the log of its interface and in that of the worker", async () => {
      const key = await createSharedKey(database, "traced");
      const { call } = caller(urls()[0]!, key);
      const job = {
        deviceQrn: "svc:svc:sim:statevector",
        shots: 10,
        program: { format: "qasm3", data: "qubit q; bit c = measure q;" },
      };
      const given = await call("POST", "/jobs", job, { "x-request-id": "balancer-0123:4567" });
      const made = await call("POST", "/jobs", job, { "x-request-id": "no id" });
      for (const { body, headers } of [given, made]) {
        const requestId = headers.get("x-request-id");
        expect(logOf("first")).toContainEqual(
          expect.objectContaining({ event: "request", requestId, status: 201 }),
        );
        await expect
          .poll(() => logOf("worker"), POLL)
          .toContainEqual(
            expect.objectContaining({
              event: "run",
              requestId,
              job: body.data.jobQrn,
              attempt: 1,
              outcome: "completed",
            }),
          );
      }
      expect(given.headers.get("x-request-id")).toBe("balancer-0123:4567");
      expect(made.headers.get("x-request-id")).toMatch(/^[0-9a-f]{16}$/);
    });

    test("a key has its rate once, however many interfaces it calls", async () => {
      const key = await createSharedKey(database, "hurried");
      const started = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 80 }, (_, at) =>
          fetch(`${urls()[at % 2]}/jobs/statuses`, { headers: { "x-api-key": key } }),
        ),
      );
      const admitted = answers.filter(({ status }) => status === 200).length;
      const seconds = (performance.now() - started) / 1000;
      expect(admitted).toBeGreaterThanOrEqual(10);
      expect(admitted).toBeLessThanOrEqual(10 + Math.ceil(seconds));
      const refused = answers.find(({ status }) => status === 429)!;
      expect(refused.headers.get("ratelimit-limit")).toBe("10");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    });

    test("addresses behind a proxy have a rate each, and what they claim themselves is not believed", async () => {
      const get = async (address: string, at: number) =>
        (
          await fetch(`${urls()[at % 2]}/billing/credits/pricing`, {
            headers: { "x-forwarded-for": address },
          })
        ).status;
      const claims = Array.from({ length: 80 }, (_, at) => get(`6.6.6.${at}, 203.0.113.9`, at));
      const statuses = await Promise.all(claims);
      expect(statuses).toContain(200);
      expect(statuses).toContain(429);
      expect(await get("203.0.113.10", 0)).toBe(200);
    });

    test("shares of a bucket that processes take never add up to more than its rate", async () => {
      const store = await openPostgresStore(database);
      let now = Date.now();
      const options = { perSecond: 50, clock: () => now, shared: { store, name: "test" } };
      const limits = [createRateLimit(options), createRateLimit(options), createRateLimit(options)];
      const takeAll = async () => {
        const taken = await Promise.allSettled(
          Array.from({ length: 900 }, async (_, at) => limits[at % 3]!.take("greedy")),
        );
        return taken.filter(({ status }) => status === "fulfilled").length;
      };
      const first = await takeAll();
      expect(first).toBeLessThanOrEqual(500);
      expect(first).toBeGreaterThan(480);
      now += 2000;
      const second = await takeAll();
      expect(first + second).toBeLessThanOrEqual(600);
      expect(first + second).toBeGreaterThan(580);
      expect((await limits[0]!.take("other")).remaining).toBe(499);
      await store.destroy();
    });

    test("figures of the whole service are the same everywhere, and told from those of a process", async () => {
      const read = async (url: string) => (await fetch(new URL("/metrics", url))).text();
      const texts = await Promise.all([...urls(), worker.healthUrl].map(read));
      const ofService = (text: string) =>
        text.split("\n").filter(line => line.startsWith("ketbook_runs_total{"));
      expect(ofService(texts[0]!).length).toBeGreaterThan(0);
      for (const text of texts) {
        expect(ofService(text)).toEqual(ofService(texts[0]!));
        expect(text).toMatch(/# HELP ketbook_runs_total .* The whole service: every process says the same\./);
        expect(text).toMatch(/# HELP process_resident_memory_bytes .* This process\./);
        expect(text).toContain("\nketbook_store_up 1\n");
      }
    });

    test.skipIf(process.env.KETBOOK_TEST_POSTGRES !== undefined)(
      "every process is alive and not ready while the database is away, and ready again after",
      async () => {
        const all = [...urls(), worker.healthUrl];
        expect(await Promise.all(all.map(health))).toEqual([200, 200, 200]);
        await server.end();
        await expect.poll(() => Promise.all(all.map(health)), POLL).toEqual([503, 503, 503]);
        for (const url of all) expect((await fetch(new URL("/healthz", url))).status).toBe(200);
        const metrics = await (await fetch(new URL("/metrics", worker.healthUrl))).text();
        expect(metrics).toContain("\nketbook_store_up 0\n");
        await server.restart();
        await expect.poll(() => Promise.all(all.map(health)), POLL).toEqual([200, 200, 200]);
      },
    );

    test("a request under way is answered when its interface stops", async () => {
      const leaving = interfaces[1]!;
      const key = await createSharedKey(database, "late");
      const sent = request(`${leaving.url}/jobs/group`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json", expect: "100-continue" },
      });
      sent.flushHeaders();
      await once(sent, "continue");
      const answered = once(sent, "response");
      sent.write('{"name":');
      const stopped = leaving.end();
      await sleep(300);
      sent.end('"late"}');
      const [answer] = (await answered) as [IncomingMessage];
      expect(answer.statusCode).toBe(201);
      answer.resume();
      await stopped;
      expect(leaving.child.exitCode).toBe(0);
    });
  },
);
