import { afterEach, beforeEach, expect, test } from "vitest";
import { authenticate } from "../../../src/service/accounts/caller.ts";
import { auditLedger } from "../../../src/service/billing/ledger.ts";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import { claimJobs, leaseOf } from "../../../src/service/dispatch/claim.ts";
import { prepareEmbedded } from "../../../src/service/embedded.ts";
import { ownerKeyFile } from "../../../src/service/node/folder.ts";
import { openStoreOf } from "../../../src/service/node/sqlite/open.ts";
import type { WorkerPool } from "../../../src/service/pool.ts";
import type { JobRow } from "../../../src/service/store/schema.ts";
import { createJob } from "../../../src/service/submission/create.ts";
import type { RunOutcome } from "../../../src/service/workers/messages.ts";
import { newFolder } from "../../folder.ts";
import { bell, statevector } from "../serving.ts";

/** What comes of a job of so many shots. Tests change it. */
let runOf: (shots: number) => Promise<RunOutcome>;
let runs: number[];
let service: Awaited<ReturnType<typeof prepareEmbedded>>;
let closing: (() => unknown)[];

const completed: RunOutcome = {
  kind: "completed",
  results: "{}",
  durations: [1000],
  figures: { method: "statevector", circuitNumQubits: 2, circuitDepth: 3 },
  methods: [],
};

/** Two threads that simulate nothing. */
const pool = {
  slots: 2,
  run({ shots }) {
    runs.push(shots);
    const cancelled = Promise.withResolvers<RunOutcome>();
    return {
      outcome: Promise.race([runOf(shots), cancelled.promise]),
      startedAt: performance.now(),
      cancel: () => cancelled.resolve({ kind: "cancelled" }),
    };
  },
  close: async () => {},
} satisfies WorkerPool;

beforeEach(async () => {
  runs = [];
  pool.slots = 2;
  runOf = async () => completed;
  const folder = newFolder();
  const store = await openStoreOf(folder);
  closing = [() => store.destroy()];
  const parts = { store, catalogue: loadCatalogue(), keyFile: ownerKeyFile(folder), version: "0.0.0" };
  service = await prepareEmbedded({ ...parts, pool, clock: Date.now, log: () => {} });
});

afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

/** Submits jobs of 1, 2, 3 … shots. Nobody runs them yet. */
async function submit(count: number): Promise<void> {
  const { context, apiKey } = service;
  const caller = await authenticate(context.store, apiKey);
  for (let shots = 1; shots <= count; shots += 1)
    await createJob(context, caller, { deviceQrn: statevector, shots, program: bell as never });
}

async function start(): Promise<void> {
  const dispatcher = await service.start();
  closing.push(() => dispatcher.stop(0));
}

const rows = (): Promise<JobRow[]> =>
  service.context.store.selectFrom("jobs").selectAll().orderBy("seq").execute();

const untilStatuses = (statuses: readonly string[]) =>
  expect.poll(async () => (await rows()).map(({ status }) => status), { timeout: 20_000 }).toEqual(statuses);

test("of jobs that end at the same time, one that cannot be written fails, and costs no other its result", async () => {
  await submit(12);
  const unwritable = { ...completed, methods: [1n] } as unknown as RunOutcome;
  const gate = Promise.withResolvers<void>();
  runOf = async shots => {
    if (shots <= 2) await gate.promise;
    return shots === 2 ? unwritable : completed;
  };
  await start();
  await expect.poll(() => runs.length).toBeGreaterThanOrEqual(2);
  gate.resolve();
  await untilStatuses(Array.from({ length: 12 }, (_, at) => (at === 1 ? "FAILED" : "COMPLETED")));
  const [, failed] = await rows();
  expect(failed).toMatchObject({ cost: 0, status_msg: "The service failed while it ran this job." });
  expect(await auditLedger(service.context.store)).toEqual([]);
});

test("jobs that were claimed together run once more after a crash, and are charged once", async () => {
  await submit(12);
  const wanted = new Map(
    (await rows()).map(({ seq, user_id }) => [seq, { userId: user_id, tier: "local", isExpress: false }]),
  );
  const lease = leaseOf({ id: "gone", isAlone: true }, Date.now());
  const { store } = service.context;
  const { claimed } = await claimJobs(store, { wanted, lease }, Date.now());
  expect(claimed.map(({ seq }) => seq)).toEqual([...wanted.keys()]);
  await start();
  await untilStatuses(Array(12).fill("COMPLETED"));
  expect((await rows()).map(({ attempt, crashes }) => [attempt, crashes])).toEqual(Array(12).fill([2, 1]));
  expect(runs).toHaveLength(12);
  expect(await auditLedger(store)).toEqual([]);
});

test("as many jobs run as there are slots, also where these are very many", async () => {
  const slots = 130;
  pool.slots = slots;
  const gate = Promise.withResolvers<void>();
  runOf = async () => {
    await gate.promise;
    return completed;
  };
  await submit(slots - 10);
  await start();
  await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(slots - 10);
  await submit(10);
  await expect.poll(() => runs.length, { timeout: 20_000 }).toBe(slots);
  gate.resolve();
  await untilStatuses(Array(slots).fill("COMPLETED"));
});
