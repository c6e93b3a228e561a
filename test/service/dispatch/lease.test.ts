import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { JobStatus } from "../../../src/contract/status.ts";
import { auditLedger } from "../../../src/service/billing/ledger.ts";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import { claimJobs, LEASE_MS, leaseOf, renewLeases } from "../../../src/service/dispatch/claim.ts";
import { createSweep, startDispatcher } from "../../../src/service/dispatch/dispatcher.ts";
import { createOutcomeWriter, recordOutcome } from "../../../src/service/dispatch/settle.ts";
import { transition } from "../../../src/service/jobs/lifecycle.ts";
import { openStoreFile, storePath } from "../../../src/service/node/sqlite/open.ts";
import { openPool } from "../../../src/service/node/threads.ts";
import { createFairQueue } from "../../../src/service/queue/fair-queue.ts";
import type { JobRow } from "../../../src/service/store/schema.ts";
import { type Store, transact } from "../../../src/service/store/store.ts";
import { newFolder } from "../../folder.ts";
import { bell, endlessOn12 as endless, serving } from "../serving.ts";

const catalogue = loadCatalogue();
const other = { id: randomUUID(), isAlone: false };
const closing: (() => unknown)[] = [];
let folder: string;
let now: number;
let store: Store;

/** Makes a store in which one Bell job waits, and that no service has open. */
beforeEach(async () => {
  folder = newFolder();
  const { service, submit } = await serving({ folder });
  await submit({ program: endless });
  await service.stop();
  store = openStore();
  await store
    .updateTable("job_documents")
    .set({ body: JSON.stringify([bell]) })
    .execute();
  await store.updateTable("jobs").set({ attempt: 0 }).execute();
  now = Date.now();
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function openStore(): Store {
  const opened = openStoreFile(storePath(folder));
  closing.push(() => opened.destroy());
  return opened;
}

/** Starts one of several dispatchers on the store, and ends it with the test. */
async function startOne(): Promise<void> {
  const pool = openPool(1);
  closing.push(() => pool.close());
  const parts = { store, catalogue, queue: createFairQueue(), pool, version: "0.0.0", isAlone: false };
  const dispatcher = await startDispatcher({ ...parts, clock: () => now, log: () => {} });
  closing.push(() => dispatcher.stop(0));
}

const onlyJob = () => store.selectFrom("jobs").selectAll().executeTakeFirstOrThrow();

const wanted = new Map([[1, { userId: 1, tier: "free", isExpress: false }]]);
const claimAs = (worker: typeof other, at: Store = store) =>
  claimJobs(at, { wanted, lease: leaseOf(worker, now) }, now).then(({ claimed }) => claimed);

async function until(status: JobStatus): Promise<JobRow> {
  for (;;) {
    const job = await onlyJob();
    if (job.status === status) return job;
    await sleep(10);
  }
}

test("of workers that claim a job at once, one gets it", async () => {
  const workers = Array.from({ length: 8 }, () => ({ id: randomUUID(), isAlone: false }));
  const claimed = (await Promise.all(workers.map(worker => claimAs(worker, openStore())))).flat();
  expect(claimed).toHaveLength(1);
  expect(await onlyJob()).toMatchObject({ attempt: 1, worker_id: claimed[0]!.worker_id });
});

test("a worker leaves the job of another alone while that one renews its lease", async () => {
  await claimAs(other);
  await startOne();
  expect(await onlyJob()).toMatchObject({ status: "VALIDATING", attempt: 1, worker_id: other.id });
  now += LEASE_MS - 1;
  await renewLeases(store, other, now);
  now += LEASE_MS - 1;
  await startOne();
  expect(await onlyJob()).toMatchObject({ status: "VALIDATING", attempt: 1, worker_id: other.id });
});

test("a worker runs the job of one whose lease is over, which changes nothing when it comes back", async () => {
  const [late] = await claimAs(other);
  now += LEASE_MS + 1;
  await startOne();
  const job = await until("COMPLETED");
  expect(job).toMatchObject({ attempt: 2, crashes: 1 });
  const outcome = { kind: "failed", message: "late", microseconds: 1 } as const;
  const run = { job: late!, device: catalogue.get(late!.device_qrn), outcome, endedAt: now };
  expect(await transact(store, transaction => recordOutcome(transaction, run))).toBe(false);
  expect(await transition(store, late!, "RUNNING", now)).toBe(false);
  expect(await onlyJob()).toEqual(job);
  expect(await auditLedger(store)).toEqual([]);
});

test("of workers that find at once a job whose lease is over, one puts it back, and the others leave it", async () => {
  await claimAs(other);
  now += LEASE_MS + 1;
  const clock = () => now;
  const sweeps = Array.from({ length: 3 }, () =>
    createSweep({
      store,
      catalogue,
      queue: createFairQueue(),
      clock,
      worker: { id: randomUUID(), isAlone: false },
      outcomes: createOutcomeWriter({ store, catalogue, clock, onChange() {} }),
      announce() {},
      isHere: () => false,
    }),
  );
  await Promise.all(sweeps.map(sweep => sweep()));
  expect(await onlyJob()).toMatchObject({ status: "QUEUED", attempt: 1, crashes: 1 });
});

test("a job that is to be cancelled is left to the worker that runs it, until its lease is over", async () => {
  await claimAs(other);
  await transition(store, { seq: 1 }, "CANCELLING", now);
  await startOne();
  expect((await onlyJob()).status).toBe("CANCELLING");
  now += LEASE_MS + 1;
  await startOne();
  await until("CANCELLED");
  expect(await auditLedger(store)).toEqual([]);
});

test("a job is cancelled by what another process writes to the store", async () => {
  const endlessFolder = newFolder();
  await using service = await serving({ folder: endlessFolder });
  const { jobQrn } = await service.submit({ program: endless });
  await service.ended(jobQrn, "RUNNING");
  const elsewhere = openStoreFile(storePath(endlessFolder));
  await transition(elsewhere, { seq: 1 }, "CANCELLING", Date.now());
  await elsewhere.destroy();
  await service.ended(jobQrn, "CANCELLED");
});
