import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { type Client, openClient } from "../../src/client/client.ts";
import { isTerminalJob } from "../../src/contract/status.ts";
import { openStoreOf } from "../../src/service/node/sqlite/open.ts";
import type { Store } from "../../src/service/store/store.ts";
import { ketbook, servingProcess } from "../service/process.ts";
import { compare, percentile, report } from "./measure.ts";

const bell = {
  deviceQrn: "svc:svc:sim:statevector",
  shots: 1000,
  program: {
    format: "qasm3",
    data: 'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;',
  },
};
const rows = 100_000;

/** Submits a job, looks until it has ended, and fetches its result. Answers how many requests that took. */
async function submitToResult({ jobs }: Client): Promise<number> {
  let job = await jobs.create(bell);
  let requests = 2;
  for (; !isTerminalJob(job.status); requests += 1) job = await jobs.get(job.jobQrn);
  await jobs.result(job.jobQrn);
  return requests;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** What the service takes from submission to result, how many jobs it takes on at once, and how it lists many. */
export async function benchService(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-bench-"));
  try {
    await using service = await servingProcess(folder);
    const client = openClient(async () => service);
    await latency(client);
    await throughput(client, folder);
    await liveness(client, service);
    await fairness(client, folder, service);
    await lists(client, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function latency(client: Client): Promise<void> {
  for (let warmUp = 0; warmUp < 50; warmUp += 1) await submitToResult(client);
  const times: number[] = [];
  let requests = 0;
  for (let round = 0; round < 300; round += 1) {
    times.push(await time(async () => (requests += await submitToResult(client))));
  }
  const each = requests / times.length;
  const floor = await emptyHandler(each);
  report("A Bell job over HTTP, from submission to result", [
    ["", "p50", "p99"],
    ["ketbook serve", `${percentile(times, 0.5).toFixed(2)} ms`, `${percentile(times, 0.99).toFixed(2)} ms`],
    [`${each.toFixed(1)} requests to an empty handler`, `${floor.toFixed(2)} ms`, ""],
  ]);
}

/** Median time of so many requests to a handler of the same HTTP server that does nothing. */
async function emptyHandler(requests: number): Promise<number> {
  const app = new Hono().all("*", context => context.json({ success: true, data: [] }));
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
  await new Promise(listening => server.once("listening", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { jobs } = openClient(async () => ({ url, apiKey: "key" }));
  const times: number[] = [];
  for (let round = 0; round < 500; round += 1) times.push(await time(async () => jobs.list()));
  server.close();
  return percentile(times, 0.5) * requests;
}

async function throughput(client: Client, folder: string): Promise<void> {
  const [clients, jobs] = [32, 2000];
  const submitAll = () =>
    Promise.all(
      Array.from({ length: clients }, async () => {
        for (let job = 0; job < jobs / clients; job += 1) {
          await client.watch(await client.jobs.create(bell));
        }
      }),
    );
  const coldTook = await time(submitAll);
  const took = await time(submitAll);
  const bare = new DatabaseSync(join(folder, "bare.sqlite"));
  bare.exec(
    "pragma journal_mode = wal; pragma synchronous = full; create table t (id integer primary key, body text)",
  );
  const insert = bare.prepare("insert into t (body) values (?)");
  const body = JSON.stringify(bell);
  const inserted = await time(async () => {
    for (let row = 0; row < jobs; row += 1) insert.run(body);
  });
  bare.close();
  const perSecond = (milliseconds: number) => `${Math.round((jobs / milliseconds) * 1000)} /s`;
  report(`${clients} clients at once`, [
    [`the first ${jobs} jobs accepted and completed`, perSecond(coldTook)],
    [`the next ${jobs}`, perSecond(took)],
    ["durable inserts into a bare store", perSecond(inserted)],
  ]);
}

/** Runs for as long as a job may. */
const endless = {
  ...bell,
  program: {
    format: "qasm3",
    data: 'OPENQASM 3.0; include "stdgates.inc"; qubit[22] q; bit c; for int i in [0:100000] { h q; t q; for int j in [0:20] { cx q[j], q[j + 1]; } } c = measure q[0];',
  },
};

/** Asks for `/healthz` from a thread of its own, so that only the service's delays count. */
const PROBE = `
const { workerData, parentPort } = require("node:worker_threads");
let isOver = false;
parentPort.on("message", () => { isOver = true; });
(async () => {
  const times = [];
  while (!isOver) {
    const started = performance.now();
    await (await fetch(workerData)).arrayBuffer();
    times.push(performance.now() - started);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
  parentPort.postMessage(times);
  parentPort.close();
})();`;

/** How long the service takes to say that it lives while two simulators are flat out and 64 clients submit. */
async function liveness(client: Client, { url }: { url: string }): Promise<void> {
  const holding = await Promise.all([client.jobs.create(endless), client.jobs.create(endless)]);
  const probe = new Worker(PROBE, { eval: true, workerData: String(new URL("/healthz", url)) });
  const [clients, jobs] = [64, 3200];
  const took = await time(() =>
    Promise.all(
      Array.from({ length: clients }, async () => {
        for (let job = 0; job < jobs / clients; job += 1) await client.jobs.create(bell);
      }),
    ),
  );
  probe.postMessage("over");
  const [times] = (await once(probe, "message")) as [number[]];
  for (const { jobQrn } of holding) await client.jobs.cancel(jobQrn);
  await until(async () => (await client.jobs.list({ statusGroup: "pending", limit: 1 })).rows.length === 0);
  report("64 clients submit while two simulators are flat out", [
    ["jobs accepted", `${Math.round((jobs / took) * 1000)} /s`],
    ["/healthz, p50", `${percentile(times, 0.5).toFixed(1)} ms`],
    ["/healthz, p99", `${percentile(times, 0.99).toFixed(1)} ms`],
  ]);
}

/** How long another user's Bell job takes while one user has thousands waiting. */
async function fairness(client: Client, folder: string, { url }: { url: string }): Promise<void> {
  const waiting = 2000;
  const batch = { ...bell, program: Array.from({ length: 20 }, () => bell.program) };
  for (let round = 0; round < waiting / 50; round += 1)
    await Promise.all(Array.from({ length: 50 }, () => client.jobs.create(batch)));
  const made = await ketbook(
    "keys",
    "create",
    "--org",
    "b",
    "--user",
    "b",
    "--credits",
    "100",
    "--data",
    folder,
    "--json",
  );
  const { apiKey } = JSON.parse(made.stdout) as { apiKey: string };
  const other = openClient(async () => ({ url, apiKey }));
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) times.push(await time(() => submitToResult(other)));
  const left = (await client.jobs.list({ statusGroup: "pending", limit: 1 })).pagination.total;
  report(`Another user's Bell job, while one user has ${waiting} batches waiting (${left} at the end)`, [
    ["p50", `${percentile(times, 0.5).toFixed(1)} ms`],
    ["longest", `${Math.max(...times).toFixed(1)} ms`],
  ]);
  await until(async () => (await client.jobs.list({ statusGroup: "pending", limit: 1 })).rows.length === 0);
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await sleep(200);
}

async function lists(client: Client, folder: string): Promise<void> {
  const { jobQrn } = await client.jobs.create({ ...bell, name: "needle", tags: { kind: "bench" } });
  const store = await openStoreOf(folder);
  await multiply(store, jobQrn);
  const page = (query: object) => async () => client.jobs.list({ limit: 100, ...query });
  await compare(`A page of 100 from ${rows.toLocaleString("en")} jobs`, [
    { name: "unfiltered", run: page({}) },
    { name: "by status", run: page({ status: "COMPLETED" }) },
    { name: "by tag", run: page({ tags: { half: "odd" } }) },
    { name: "by a rare tag", run: page({ tags: { number: 77_777 } }) },
    { name: "by a word", run: page({ search: "job 99" }) },
    { name: "the 500th page", run: page({ page: 500 }) },
    {
      name: "bare store",
      run: () => store.selectFrom("jobs").selectAll().orderBy("seq", "desc").limit(100).execute(),
    },
  ]);
  await store.destroy();
}

/** Writes copies of a job into the store until there are 100,000, with names and tags of their own. */
async function multiply(store: Store, qrn: string): Promise<void> {
  const { seq, ...job } = await store
    .selectFrom("jobs")
    .selectAll()
    .where("qrn", "=", qrn)
    .executeTakeFirstOrThrow();
  const size = 500;
  for (let start = 0; start < rows; start += size) {
    const copies = Array.from({ length: size }, (_, i) => ({
      ...job,
      qrn: `${qrn}-${start + i}`,
      idempotency_key: null,
      ended_at: job.created_at,
    }));
    const values = copies.map(copy => ({ ...copy, status: "COMPLETED" as const, name: `job ${copy.qrn}` }));
    await store.transaction().execute(async transaction => {
      for (let from = 0; from < size; from += 50) {
        const written = await transaction
          .insertInto("jobs")
          .values(values.slice(from, from + 50))
          .returning("seq")
          .execute();
        const at = (index: number) => start + from + index;
        const words = written.map((row, i) => ({
          user_id: job.user_id,
          job_seq: row.seq,
          text: `job ${at(i)}`,
        }));
        await transaction.insertInto("job_words").values(words).execute();
        const tags = written.flatMap((row, i) => [
          {
            user_id: job.user_id,
            key: "half",
            type: "string",
            value: at(i) % 2 ? "odd" : "even",
            job_seq: row.seq,
          },
          { user_id: job.user_id, key: "number", type: "number", value: String(at(i)), job_seq: row.seq },
        ]);
        await transaction.insertInto("job_tags").values(tags).execute();
      }
    });
  }
}
