import { type Compilable, sql } from "kysely";
import type { Database } from "./schema.ts";
import type { Store } from "./store.ts";

/** Rows of a statement, whose parameters are limited. */
const MAX_ROWS = 32;

/**
 * Makes a function that runs a query for rows of any number, and returns what it returns, in order. The rows go by the power of
 * two, so there are few different statements for the database to keep.
 */
export function forRows<Values, Row>(
  build: (store: Store, rows: Values[]) => Compilable<Row>,
): (store: Store, rows: readonly Values[]) => Promise<Row[]> {
  return async (store, rows) => {
    const returned: Row[] = [];
    for (let start = 0; start < rows.length; ) {
      const length = Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(rows.length - start)));
      const query = build(store, rows.slice(start, start + length));
      returned.push(...(await store.executeQuery(query)).rows);
      start += length;
    }
    return returned;
  };
}

/** Tables whose rows count something. */
type Counts = Pick<
  Database,
  "ledger_accounts" | "quota_usage" | "run_totals" | "storage_usage" | "uncharged_compute"
>;

/**
 * Makes a function that adds to the counts of a table, whose rows are made where there are none; rows of the same key are added
 * up before. They are locked in one order, so transactions never wait for each other in a circle. Returns what is
 * counted now.
 */
export function addCounts<Table extends keyof Counts>(
  table: Table,
  keys: readonly (keyof Counts[Table] & string)[],
  sums: readonly (keyof Counts[Table] & string)[],
): (store: Store, rows: readonly Counts[Table][]) => Promise<Counts[Table][]> {
  const total = (sum: string) => sql`${sql.ref(`${table}.${sum}`)} + ${sql.ref(`excluded.${sum}`)}`;
  const totals = Object.fromEntries(sums.map(sum => [sum, total(sum)]));
  const add = forRows((store, rows: Counts[Table][]) =>
    store
      .insertInto(table as "ledger_accounts")
      .values(rows as never)
      .onConflict(conflict => conflict.columns(keys as never).doUpdateSet(totals))
      .returningAll(),
  );
  return async (store, rows) => {
    const added = new Map<string, Record<string, unknown>>();
    for (const row of rows) {
      const name = JSON.stringify(keys.map(key => row[key]));
      const known = added.get(name);
      if (known) for (const sum of sums) known[sum] = Number(known[sum]) + Number(row[sum]);
      else added.set(name, { ...row });
    }
    const ordered = [...added].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    return (await add(store, ordered as never)) as unknown as Counts[Table][];
  };
}
