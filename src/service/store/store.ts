import { Kysely, type Transaction } from "kysely";
import { migrate } from "./migrations.ts";
import type { Database } from "./schema.ts";
import { sqliteDialect } from "./sqlite.ts";

/** The open store. Every rule takes it, or a transaction of it. */
export type Store = Kysely<Database>;

/** A transaction of the store. */
export type StoreTransaction = Transaction<Database>;

/** Opens the store at this path, and brings its tables up to date. */
export async function openStore(path: string): Promise<Store> {
  const store = new Kysely<Database>({ dialect: sqliteDialect(path) });
  await migrate(store, { identity: "integer primary key autoincrement", clustered: "without rowid" });
  return store;
}

/** Runs some work in one transaction: all of it is kept, or nothing. */
export function transact<T>(store: Store, work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
  return store.transaction().execute(work);
}
