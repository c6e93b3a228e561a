import { sql } from "kysely";
import type { Database } from "./schema.ts";
import type { Store } from "./store.ts";

/** Tables whose rows count something. */
type Counts = Pick<
  Database,
  "ledger_accounts" | "quota_usage" | "run_totals" | "storage_usage" | "uncharged_compute"
>;

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
