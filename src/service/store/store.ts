import { Kysely, type Transaction } from "kysely";
import type { CommitOptions, StoreDialect, StoreLocks } from "./dialect.ts";
import type { Database } from "./schema.ts";

/** The open store, outside of a transaction. */
export type Store = Kysely<Database>;

/** A transaction of the store. What must be kept together with other changes, or not at all, takes nothing else. */
export type StoreTransaction = Transaction<Database>;

const commits = new WeakMap<Store, ReturnType<StoreDialect["createCommit"]>>();
const locks = new WeakMap<Store, StoreLocks>();

/** Opens the store of a database as it is. */
export function openStore({ kysely, createCommit, ...dialect }: StoreDialect): Store {
  const store = new Kysely<Database>({ dialect: kysely });
  commits.set(store, createCommit(store));
  if (dialect.locks) locks.set(store, dialect.locks);
  return store;
}

/** How the rows of a store are locked; undefined where one transaction runs at a time. */
export const locksOf = (store: Store): StoreLocks | undefined => locks.get(store);

/** Runs some work in one transaction: all of it is kept, or nothing. Work that waits at the same time may share a commit. */
export function transact<T>(
  store: Store,
  work: (transaction: StoreTransaction) => Promise<T>,
  options?: CommitOptions<T>,
): Promise<T> {
  return commits.get(store)!(work, options);
}
