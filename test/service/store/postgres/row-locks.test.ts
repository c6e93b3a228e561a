import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../../../src/service/accounts/caller.ts";
import { createKey } from "../../../../src/service/accounts/members.ts";
import type { Context } from "../../../../src/service/context.ts";
import { claimJobs, leaseOf, renewLeases } from "../../../../src/service/dispatch/claim.ts";
import { deleteJobs, transition } from "../../../../src/service/jobs/lifecycle.ts";
import { purgeDeletedJobs } from "../../../../src/service/retention.ts";
import { type Store, transact } from "../../../../src/service/store/store.ts";
import { openPostgresStore } from "../../../../src/service-cluster/postgres/dialect.ts";
import { writeJobs } from "./rows.ts";
import { isPostgresMissing, type PostgresServer, sharedPostgres } from "./server.ts";

interface Waiting {
  seq: number;
  userId: number;
}

describe.skipIf(isPostgresMissing())("jobs whose rows others have locked", { timeout: 60_000 }, () => {
  let server: PostgresServer;
  let store: Store;
  /** Jobs of a user of whom two may run at once, the first first. */
  let jobs: Waiting[];
  const now = Date.now();
  const worker = { id: "worker", isAlone: false };
  beforeAll(async () => {
    server = await sharedPostgres();
    store = await openPostgresStore(await server.createDatabase(), { isPatient: true });
    const key = { organization: "lab", grant: 1e12, tier: "free", allow: undefined };
    for (const user of ["ada", "bob"]) await createKey(store, { ...key, user }, now);
    await writeJobs(store, { count: 20, waiting: 20, now });
    const rows = await store.selectFrom("jobs").select(["seq", "user_id as userId"]).orderBy("seq").execute();
    jobs = rows.filter(({ userId }) => userId === rows[0]!.userId);
  }, 180_000);
  afterAll(async () => {
    await store?.destroy();
    await server?.stop();
  });

  const touch = (store: Store, { seq }: Waiting) =>
    store.updateTable("jobs").set({ updated_at: now }).where("seq", "=", seq).execute();

  const rowOf = ({ seq }: Waiting) =>
    store.selectFrom("jobs").selectAll().where("seq", "=", seq).executeTakeFirstOrThrow();

  const isAnyWaiting = async () =>
    (await sql`select pid from pg_locks where not granted`.execute(store)).rows.length > 0;

  const claim = (...wanted: Waiting[]) => {
    const allotments = wanted.map(
      ({ seq, userId }) => [seq, { userId, tier: "free", isExpress: false }] as const,
    );
    return claimJobs(store, { wanted: new Map(allotments), lease: leaseOf(worker, now) }, now);
  };

  test("wait, and their users are not taken to run as many as they may", async () => {
    const [first, second, third] = jobs as [Waiting, Waiting, Waiting];
    await store.transaction().execute(async transaction => {
      await touch(transaction, second);
      const { claimed, waiting, busy } = await claim(first, second);
      expect([claimed.map(({ seq }) => seq), waiting, busy]).toEqual([[first.seq], [second.seq], []]);
    });
    const { claimed, waiting, busy } = await claim(second, third);
    expect([claimed.map(({ seq }) => seq), waiting]).toEqual([[second.seq], [third.seq]]);
    expect(busy).toEqual([{ user_id: first.userId }]);
  });

  test("have their leases renewed in the order in which others lock them, wherever the rows lie", async () => {
    const [first, second] = jobs as [Waiting, Waiting];
    await claim(first, second);
    await touch(store, first);
    const { renewal } = await store.transaction().execute(async transaction => {
      await transition(transaction, first, "RUNNING", now);
      const renewal = renewLeases(store, worker, now).then(() => "renewed", String);
      await expect.poll(isAnyWaiting, { timeout: 15_000 }).toBe(true);
      await transition(transaction, second, "RUNNING", now);
      return { renewal };
    });
    expect(await renewal).toBe("renewed");
  });

  test("have their contents removed by a submission that needs the room while others remove or delete them", async () => {
    const [deleted, kept] = [await rowOf(jobs.at(-1)!), await rowOf(jobs.at(-2)!)];
    await store
      .updateTable("jobs")
      .set({ status: "FAILED", ended_at: now, deleted_at: now })
      .where("seq", "=", deleted.seq)
      .execute();
    const { organization_id: organizationId, user_id: userId } = deleted;
    const inBackground = await store.transaction().execute(async transaction => {
      expect(await purgeDeletedJobs(transaction, { organizationId, now })).toMatchObject({ jobs: 1 });
      const purge = transact(store, other => purgeDeletedJobs(other, { now }));
      await expect.poll(isAnyWaiting, { timeout: 15_000 }).toBe(true);
      const context = { store, clock: () => now } as Context;
      const caller = { userId, organizationId, keyId: "key" } as Caller;
      const { successfulIds } = await deleteJobs(context, caller, [deleted.qrn, kept.qrn]);
      expect(successfulIds).toEqual([kept.qrn]);
      return { purge };
    });
    expect(await inBackground.purge).toEqual({ jobs: 0, bytes: 0 });
  });
});
