import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../../src/service/accounts/caller.ts";
import { auditLedger, type holdCredits, type settle } from "../../../src/service/billing/ledger.ts";
import { toMicro } from "../../../src/service/billing/price.ts";
import { loadCatalogue } from "../../../src/service/catalogue/catalogue.ts";
import type { Context } from "../../../src/service/context.ts";
import { createGroup } from "../../../src/service/groups/groups.ts";
import { openStoreFile, storePath } from "../../../src/service/node/sqlite/open.ts";
import { createFairQueue } from "../../../src/service/queue/fair-queue.ts";
import { createEmbeddedQueue } from "../../../src/service/queue/job-queue.ts";
import type { Store, StoreTransaction } from "../../../src/service/store/store.ts";
import { createJob } from "../../../src/service/submission/create.ts";
import { dayOf, type takeQuota } from "../../../src/service/usage/quota.ts";
import { bellJob, type Serving, serving, statevector } from "../serving.ts";
import { openStaleStore } from "../store/stale-store.ts";

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service[Symbol.asyncDispose]());

async function callerOf(userId: number): Promise<Caller> {
  const { organization_id: organizationId } = await service.store
    .selectFrom("users")
    .select("organization_id")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return { userId, organizationId, tier: "local", allow: undefined, keyId: "", scope: "submit" };
}

const contextOn = (store: Store): Context => ({
  store,
  catalogue: loadCatalogue(),
  queue: createEmbeddedQueue(createFairQueue(), () => {}),
  clock: Date.now,
});

const request = { ...bellJob(), tags: {} } as Parameters<typeof createJob>[2];

const readsKeys = (sql: string) => sql.startsWith("select") && sql.includes('"idempotency_key" = ?');

describe("an Idempotency-Key that another process takes at the same time", () => {
  test("makes one job, which is charged once", async () => {
    const user = await service.user();
    const caller = await callerOf(user.userId);
    const first = await createJob(contextOn(service.store), caller, request, { idempotencyKey: "once" });
    await using store = openStaleStore(storePath(service.folder), readsKeys);
    const again = await createJob(contextOn(store), caller, request, { idempotencyKey: "once" });
    expect(again.jobQrn).toBe(first.jobQrn);
    expect((await user.call("GET", "/jobs")).body.pagination.total).toBe(1);
    expect(await auditLedger(service.store)).toEqual([]);
    await expect(
      createJob(contextOn(store), caller, { ...request, shots: 7 }, { idempotencyKey: "once" }),
    ).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("makes one group", async () => {
    const user = await service.user();
    const caller = await callerOf(user.userId);
    const first = await createGroup(contextOn(service.store), caller, { name: "sweep" }, "once");
    await using store = openStaleStore(storePath(service.folder), readsKeys);
    const again = await createGroup(contextOn(store), caller, { name: "sweep" }, "once");
    expect(again.groupJobQrn).toBe(first.groupJobQrn);
    expect((await user.call("GET", "/jobs/group")).body.pagination.total).toBe(1);
  });
});

describe("submissions through several processes at once", () => {
  const submitAll = async (caller: Caller, count: number) => {
    const stores = Array.from({ length: 4 }, () => openStoreFile(storePath(service.folder)));
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, (_, at) =>
        createJob(contextOn(stores[at % stores.length]!), caller, request),
      ),
    );
    for (const store of stores) await store.destroy();
    return outcomes;
  };
  const codesOf = (outcomes: PromiseSettledResult<unknown>[]) =>
    outcomes.flatMap(outcome => (outcome.status === "rejected" ? [outcome.reason.code] : []));

  test("hold no more than the organization has", async () => {
    const quoted = await service.call("GET", `/jobs/cost-estimate?deviceQrn=${statevector}&shots=100`);
    const user = await service.user({ grant: 3 * toMicro(quoted.body.data.estimatedCost), tier: "local" });
    const outcomes = await submitAll(await callerOf(user.userId), 12);
    expect(codesOf(outcomes)).toEqual(Array(9).fill("INSUFFICIENT_CREDITS"));
    expect(await auditLedger(service.store)).toEqual([]);
  });

  test("take no more than the daily quota", async () => {
    const user = await service.user();
    const caller = { ...(await callerOf(user.userId)), tier: "free" };
    await service.store
      .insertInto("quota_usage")
      .values({ user_id: user.userId, device_qrn: statevector, day: dayOf(Date.now()), used: 497 })
      .execute();
    expect(codesOf(await submitAll(caller, 8))).toEqual(Array(5).fill("QUOTA_EXCEEDED"));
  });
});

test("what holds, charges and counts takes a transaction, and nothing else", () => {
  // @ts-expect-error a store is no transaction: what fails halfway would be kept
  const holdOutside: Parameters<typeof holdCredits>[0] = {} as Store;
  // @ts-expect-error
  const settleOutside: Parameters<typeof settle>[0] = {} as Store;
  // @ts-expect-error
  const quotaOutside: Parameters<typeof takeQuota>[0] = {} as Store;
  const holdInside: Parameters<typeof holdCredits>[0] = {} as StoreTransaction;
  expect([holdOutside, settleOutside, quotaOutside, holdInside]).toHaveLength(4);
});
