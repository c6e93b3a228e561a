import { sql } from "kysely";
import type { Database } from "./schema.ts";
import type { Store } from "./store.ts";

/** Tables whose rows count something. */
type Counts = Pick<
  Database,
  | "ledger_accounts"
  | "quota_usage"
  | "rate_limits"
  | "run_totals"
  | "storage_usage"
  | "uncharged_compute"
  | "user_storage"
>;

/** Reads a number of the row with some keys; 0 where there is none. */
export async function readCount<Table extends keyof Counts>(
  store: Store,
  table: Table,
  column: keyof Counts[Table] & string,
  keys: Partial<Counts[Table]>,
): Promise<number> {
  const query = store.selectFrom(table as "ledger_accounts").select(column as "balance");
  const row = await query.where(eb => eb.and(keys as never)).executeTakeFirst();
  return (row as Record<string, number> | undefined)?.[column] ?? 0;
}

/**
 * Adds to the counts of a table, whose rows are made where there are none. The rows have different keys, and are locked in
 * their order. Returns what is counted now.
 */
export async function addCounts<Table extends keyof Counts>(
  store: Store,
  table: Table,
  keys: readonly (keyof Counts[Table] & string)[],
  rows: readonly Counts[Table][],
): Promise<Counts[Table][]> {
  if (rows.length === 0) return [];
  const sums = Object.keys(rows[0]!).filter(column => !keys.includes(column as never));
  const total = (sum: string) => sql`${sql.ref(`${table}.${sum}`)} + ${sql.ref(`excluded.${sum}`)}`;
  const query = store
    .insertInto(table as "ledger_accounts")
    .values(rows as never)
    .onConflict(conflict =>
      conflict.columns(keys as never).doUpdateSet(Object.fromEntries(sums.map(sum => [sum, total(sum)]))),
    );
  return (await query.returningAll().execute()) as unknown as Counts[Table][];
}
