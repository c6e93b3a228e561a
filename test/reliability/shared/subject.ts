import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { auditLedger } from "../../../src/service/billing/ledger.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { openPostgresStore } from "../../../src/service-cluster/postgres/dialect.ts";
import { checkRows } from "../invariants.ts";

/** For how long no job may end while some have not. */
const PATIENCE_MS = 60_000;

/** Waits until every job has ended, and says what of the store in a PostgreSQL database breaks a promise. */
export async function checkDatabase(database: string, accepted: Iterable<string>): Promise<string[]> {
  const store = await openPostgresStore(database);
  try {
    const unended = await untilAllEnded(store);
    const read = async (query: string) => (await sql.raw<Record<string, unknown>>(query).execute(store)).rows;
    return [...unended, ...(await auditLedger(store)), ...(await checkRows(read, accepted))];
  } finally {
    await store.destroy();
  }
}

async function untilAllEnded(store: Store): Promise<string[]> {
  const count = async () =>
    (
      await store
        .selectFrom("jobs")
        .where("ended_at", "is", null)
        .select(eb => eb.fn.countAll<number>().as("left"))
        .executeTakeFirstOrThrow()
    ).left;
  let left = await count();
  for (let since = performance.now(); left > 0 && performance.now() - since < PATIENCE_MS; await sleep(100)) {
    const now = await count();
    if (now < left) since = performance.now();
    left = now;
  }
  return left > 0 ? [`${left} jobs do not end`] : [];
}
