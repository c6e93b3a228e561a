import { chmodSync } from "node:fs";
import { join } from "node:path";
import { Kysely, type Transaction } from "kysely";
import { migrate } from "./migrations.ts";
import type { Database } from "./schema.ts";
import { sqliteDialect } from "./sqlite.ts";

/** The open store. Every rule takes it, or a transaction of it. */
export type Store = Kysely<Database>;

/** A transaction of the store. */
export type StoreTransaction = Transaction<Database>;

/** Opens the store of a data folder, readable by its owner only, and brings its tables up to date. */
export async function openStoreOf(folder: string): Promise<Store> {
  const path = join(folder, "ketbook.sqlite");
  const store = new Kysely<Database>({ dialect: sqliteDialect(path) });
  await migrate(store, { identity: "integer primary key autoincrement", clustered: "without rowid" });
  chmodSync(path, 0o600);
  return store;
}

/** Runs some work in one transaction: all of it is kept, or nothing. */
export function transact<T>(store: Store, work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
  return store.transaction().execute(work);
}
