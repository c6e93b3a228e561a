import { sql } from "kysely";
import type { DatabaseServer } from "../dialect.ts";

/** Name that a worker keeps locked for as long as its connection lasts. */
export const workerLock = (id: string) => `worker ${id}`;

/** Statements about a PostgreSQL server, beyond its tables. */
export const postgresServer: DatabaseServer = {
  /** Rows that don't fit into `work_mem` go to a temporary file on the disk of the database. */
  async takeRoom(transaction) {
    await sql`set local work_mem = '64kB'`.execute(transaction);
    await sql`select count(*) from unnest(array_fill(repeat('x', 8000), array[256]))`.execute(transaction);
  },
  async countConnections(store) {
    const { rows } = await sql<{ used: number; allowed: number }>`
      select (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int as allowed`.execute(store);
    return rows[0]!;
  },
  isWorkerGone: id =>
    sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${workerLock("")} || ${id}, 0))`,
};
