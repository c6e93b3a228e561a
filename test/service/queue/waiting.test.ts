import { expect, test } from "vitest";
import { createKey } from "../../../src/service/accounts/members.ts";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import { openStoreOf } from "../../../src/service/node/sqlite/open.ts";
import { createFairQueue } from "../../../src/service/queue/fair-queue.ts";
import { createFill } from "../../../src/service/queue/job-queue.ts";
import type { NewJobRow } from "../../../src/service/store/schema.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { newFolder } from "../../folder.ts";

const catalogue = loadCatalogue();

async function addUser(store: Store, name: string) {
  const key = { organization: name, user: name, grant: 0, tier: "local", allow: undefined };
  const { userId } = await createKey(store, key, 0);
  const { organization_id } = await store
    .selectFrom("users")
    .select("organization_id")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return { user_id: userId, organization_id };
}

let made = 0;
/** Writes jobs that wait. */
async function addJobs(
  store: Store,
  user: { user_id: number; organization_id: string },
  { count, device = "svc:svc:sim:statevector" }: { count: number; device?: string },
): Promise<number[]> {
  const rows = Array.from({ length: count }, (): NewJobRow => {
    made += 1;
    return {
      ...user,
      qrn: `job-${made}`,
      device_qrn: device,
      vendor: "svc",
      provider: "svc",
      device_type: "SIMULATOR",
      experiment_type: "gate_model",
      shots: 1,
      programs: 1,
      is_batch: 0,
      status: "QUEUED",
      attempt: 0,
      crashes: 0,
      tags_json: "{}",
      options_json: "{}",
      created_at: 0,
      updated_at: 0,
    } as NewJobRow;
  });
  const written = await store.insertInto("jobs").values(rows).returning("seq").execute();
  return written.map(({ seq }) => seq);
}

test("a queue is filled with the first jobs of each user and device, and with later ones once those have run", async () => {
  await using store = await openStoreOf(newFolder());
  const [greedy, modest] = [await addUser(store, "greedy"), await addUser(store, "modest")];
  const many = await addJobs(store, greedy, { count: 30 });
  const elsewhere = await addJobs(store, greedy, { count: 2, device: "svc:svc:sim:sparse" });
  const few = await addJobs(store, modest, { count: 2 });
  const queue = createFairQueue({ maxWaiting: 10 });
  const fill = createFill({ store, queue, catalogue });
  const known = () => [...many, ...elsewhere, ...few].filter(seq => queue.position(seq) !== null);
  await fill(() => false);
  expect(known()).toEqual([...many.slice(0, 10), ...elsewhere, ...few]);
  const run = many.slice(0, 4);
  for (const seq of run) queue.remove(seq);
  await store.updateTable("jobs").set({ status: "COMPLETED", ended_at: 1 }).where("seq", "in", run).execute();
  await fill(() => false);
  expect(known()).toEqual([...many.slice(4, 14), ...elsewhere, ...few]);
});

test("a queue is not filled with what runs", async () => {
  await using store = await openStoreOf(newFolder());
  const [first, second] = await addJobs(store, await addUser(store, "first"), { count: 2 });
  const queue = createFairQueue();
  await createFill({ store, queue, catalogue })(seq => seq === first);
  expect([queue.position(first!), queue.position(second!)]).toEqual([null, 0]);
});
