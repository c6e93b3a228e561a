import { statSync } from "node:fs";
import { join } from "node:path";
import { Kysely, type Transaction } from "kysely";
import type { Database } from "./schema.ts";
import { sqliteDialect } from "./sqlite.ts";

/** The open store. Every rule takes it, or a transaction of it. */
export type Store = Kysely<Database>;

/** A transaction of the store. */
export type StoreTransaction = Transaction<Database>;

/** The file in a data folder that holds its store. */
export const storePath = (folder: string) => join(folder, "ketbook.sqlite");

/** Whether a data folder has a store that is not an empty file. */
export const hasContents = (folder: string) =>
  (statSync(storePath(folder), { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Opens the store in a file as it is. */
export const openStoreFile = (path: string): Store => new Kysely<Database>({ dialect: sqliteDialect(path) });

/** Runs some work in one transaction: all of it is kept, or nothing. */
export function transact<T>(store: Store, work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
  return store.transaction().execute(work);
}
