import { type CompiledQuery, type DialectAdapter, Kysely, type QueryResult, type Transaction } from "kysely";
import type { CommitOptions, DatabaseServer, RunQuery, StoreDialect, StoreLocks } from "./dialect.ts";
import type { Database } from "./schema.ts";

/** The open store, outside of a transaction. */
export type Store = Kysely<Database>;

/** A transaction of the store. What must be kept together with other changes, or not at all, takes nothing else. */
export type StoreTransaction = Transaction<Database>;

const commits = new WeakMap<Store, ReturnType<StoreDialect["createCommit"]>>();
const locks = new WeakMap<Store, StoreLocks>();
const servers = new WeakMap<Store, DatabaseServer>();
/** By the adapter, which a store shares with its transactions. */
const runners = new WeakMap<DialectAdapter, RunQuery>();

/** Opens the store of a database as it is. */
export function openStore({ kysely, createCommit, ...dialect }: StoreDialect): Store {
  const store = new Kysely<Database>({ dialect: kysely });
  commits.set(store, createCommit(store));
  if (dialect.locks) locks.set(store, dialect.locks);
  if (dialect.server) servers.set(store, dialect.server);
  if (dialect.run) runners.set(store.getExecutor().adapter, dialect.run);
  return store;
}

/** Returns the row locks of a store; undefined if transactions run one at a time. */
export const locksOf = (store: Store): StoreLocks | undefined => locks.get(store);

/** Server of a store's database; undefined where the store is a file. */
export const serverOf = (store: Store): DatabaseServer | undefined => servers.get(store);

/** Runs a compiled query in the store, or in a transaction of it. */
export async function runQuery<Row>(store: Store, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const run = runners.get(store.getExecutor().adapter);
  return run ? run(query, store.isTransaction) : store.executeQuery(query);
}

/** Runs some work in one transaction: all of it is kept, or nothing. Work that waits at the same time may share a commit. */
export function transact<T>(
  store: Store,
  work: (transaction: StoreTransaction) => Promise<T>,
  options?: CommitOptions<T>,
): Promise<T> {
  return commits.get(store)!(work, options);
}
