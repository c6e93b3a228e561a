import { type Compilable, type CompiledQuery, type DialectAdapter, type QueryResult, sql } from "kysely";
import type { Database } from "./schema.ts";
import type { Store } from "./store.ts";

export type PreparedQuery<Values, Row> = (store: Store, values: Values) => Promise<QueryResult<Row>>;

/** Stands for a value while a query is built, and finds it when the query runs. */
class Placeholder {
  readonly find: (values: unknown) => unknown;
  constructor(find: (values: unknown) => unknown) {
    this.find = find;
  }
}

/**
 * Prepares a query that runs often: it is built and compiled once for each database, and then run with other values of
 * the same names. `build` may pass the values on to the query, and not look at them. Where they are a list of rows, there
 * is one query for each number of them.
 */
export function prepareQuery<Values, Row>(
  build: (store: Store, values: Values) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const compiled = new WeakMap<DialectAdapter, Map<number, CompiledQuery<Row>>>();
  return (store, values) => {
    const { adapter } = store.getExecutor();
    const queries = compiled.get(adapter) ?? new Map<number, CompiledQuery<Row>>();
    compiled.set(adapter, queries);
    const rows = Array.isArray(values) ? values.length : 1;
    let query = queries.get(rows);
    if (!query) {
      query = build(store, placeholdersFor(values)).compile();
      queries.set(rows, query);
    }
    const parameters = query.parameters.map(value =>
      value instanceof Placeholder ? value.find(values) : value,
    );
    return store.executeQuery({ ...query, parameters });
  };
}

const MAX_ROWS = 32;

/**
 * Prepares a query of a list of rows of any length. The rows go by the power of two, so there are few different
 * queries. Returns what they return, in order.
 */
export function prepareRows<Values, Row>(
  build: (store: Store, rows: Values[]) => Compilable<Row>,
): (store: Store, rows: readonly Values[]) => Promise<Row[]> {
  const run = prepareQuery(build);
  return async (store, rows) => {
    const returned: Row[] = [];
    for (let start = 0; start < rows.length; ) {
      const length = Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(rows.length - start)));
      returned.push(...(await run(store, rows.slice(start, start + length))).rows);
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
 * Prepares what adds to the counts of a table, whose rows are made where there are none; rows of the same key are added
 * up before. They are locked in one order, so transactions never wait for each other in a circle. Returns what is
 * counted now.
 */
export function prepareCounts<Table extends keyof Counts>(
  table: Table,
  keys: readonly (keyof Counts[Table] & string)[],
  sums: readonly (keyof Counts[Table] & string)[],
): (store: Store, rows: readonly Counts[Table][]) => Promise<Counts[Table][]> {
  const total = (sum: string) => sql`${sql.ref(`${table}.${sum}`)} + ${sql.ref(`excluded.${sum}`)}`;
  const totals = Object.fromEntries(sums.map(sum => [sum, total(sum)]));
  const add = prepareRows((store, rows: Counts[Table][]) =>
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

/** Returns something of the same form with a placeholder for each value. */
function placeholdersFor<Values>(values: Values): Values {
  const replace = (value: unknown, find: Placeholder["find"]): unknown => {
    if (Array.isArray(value))
      return value.map((each, at) => replace(each, all => (find(all) as unknown[])[at]));
    if (typeof value !== "object" || value === null) return new Placeholder(find);
    const members = Object.entries(value).map(([name, each]) => [
      name,
      replace(each, all => (find(all) as Record<string, unknown>)[name]),
    ]);
    return Object.fromEntries(members);
  };
  return replace(values, all => all) as Values;
}
