import { sql } from "kysely";
import { StoreError, storageProblem } from "../storage-errors.ts";
import type { Database } from "./schema.ts";
import { type Store, type StoreTransaction, transact } from "./store.ts";

interface CopiedTable {
  name: keyof Database;
  /** The columns of the primary key, in order. */
  key: readonly string[];
  /** Rows that are read and written at a time. */
  pageSize: number;
  /** The column that counts up by itself, if any. */
  identity?: string;
}

/** Tables that are copied; undefined for those with only momentary state, and for counts that triggers keep. */
const TABLES: Readonly<Record<keyof Database, Omit<CopiedTable, "name"> | undefined>> = {
  organizations: { key: ["id"], pageSize: 500 },
  users: { key: ["id"], pageSize: 500, identity: "id" },
  api_keys: { key: ["id"], pageSize: 500 },
  job_groups: { key: ["seq"], pageSize: 100, identity: "seq" },
  jobs: { key: ["seq"], pageSize: 100, identity: "seq" },
  job_documents: { key: ["job_seq", "kind", "part"], pageSize: 16 },
  job_tags: { key: ["user_id", "key", "type", "value", "job_seq"], pageSize: 500 },
  job_words: { key: ["user_id", "job_seq"], pageSize: 100 },
  ledger_accounts: { key: ["id"], pageSize: 500 },
  ledger_postings: { key: ["seq"], pageSize: 500, identity: "seq" },
  ledger_holds: { key: ["job_seq"], pageSize: 500 },
  uncharged_compute: { key: ["user_id", "day"], pageSize: 500 },
  audit_events: { key: ["seq"], pageSize: 500, identity: "seq" },
  run_totals: { key: ["device_qrn", "status"], pageSize: 500 },
  quota_usage: { key: ["user_id", "device_qrn", "day"], pageSize: 500 },
  rate_limits: undefined,
  workers: undefined,
  storage_usage: undefined,
  user_storage: undefined,
  job_counts: undefined,
};

/** The tables that are copied, those first that others refer to. */
export const COPIED_TABLES: readonly CopiedTable[] = Object.entries(TABLES).flatMap(([name, table]) =>
  table ? [{ name: name as keyof Database, ...table }] : [],
);

type Row = Record<string, unknown>;

/**
 * Copies all rows of a store into an empty one, a few at a time, so any worker there may take over a job that ran. Throws
 * a `StoreError` if a table has rows, or for rows that can't be: roll the transaction back then.
 */
export async function copyStoreRows(from: Store, to: StoreTransaction): Promise<void> {
  for (const { name } of COPIED_TABLES) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(to);
    if (rows.length > 0)
      throw new StoreError(
        "There are records in it already. Import into an empty data folder or an empty database.",
      );
  }
  for (const table of COPIED_TABLES)
    for await (const rows of readPages(from, table)) {
      const insert = to.insertInto(table.name).values(rows as never);
      await insert.execute().catch(error => {
        throw storageProblem(error) ? error : damaged((error as Error).message);
      });
    }
  const isLeased = to.updateTable("jobs").where("worker_id", "is not", null);
  await isLeased.set({ worker_id: null, leased_until: null }).execute();
}

async function* readPages(store: Store, { name, key, pageSize }: CopiedTable): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map(column => sql.ref(column)));
  for (let last: Row | undefined; ; ) {
    const after = last ? sql`where (${columns}) > (${sql.join(key.map(column => last![column]))})` : sql``;
    const page = sql<Row>`select * from ${sql.table(name)} ${after} order by ${columns} limit ${pageSize}`;
    const { rows } = await page.execute(store);
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1);
  }
}

const isCopied = (name: string) => (TABLES[name as keyof Database] ? "true" : "false");

/** Replaces everything in a store by the rows of another: where that fails, all is as it was. Returns the number of jobs. */
export function replaceStoreRows(from: Store, store: Store): Promise<number> {
  return transact(store, async transaction => {
    const { true: copied = [], false: counts = [] } = Object.groupBy(Object.keys(TABLES), isCopied);
    for (const name of [...copied.toReversed(), ...counts])
      await sql`delete from ${sql.table(name)}`.execute(transaction);
    await copyStoreRows(from, transaction);
    const count = transaction.selectFrom("jobs").select(eb => eb.fn.countAll<number>().as("jobs"));
    return (await count.executeTakeFirstOrThrow()).jobs;
  });
}

export const damaged = (reason: string) =>
  new StoreError(`The file is damaged: ${reason}. Nothing was imported; use another copy of it.`);
