import { statSync } from "node:fs";
import { join } from "node:path";
import { Kysely, type Transaction } from "kysely";
import { type CommitOptions, createGroupCommit, type GroupCommit } from "./group-commit.ts";
import type { Database } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

/** The open store. Every rule takes it, or a transaction of it. */
export type Store = Kysely<Database>;

/** A transaction of the store. */
export type StoreTransaction = Transaction<Database>;

/** The file in a data folder that holds its store. */
export const storePath = (folder: string) => join(folder, "ketbook.sqlite");

/** Whether a data folder has a store that is not an empty file. */
export const hasContents = (folder: string) =>
  (statSync(storePath(folder), { throwIfNoEntry: false })?.size ?? 0) > 0;

const groupCommits = new WeakMap<Store, GroupCommit>();

/** Opens the store in a file as it is. */
export function openStoreFile(path: string): Store {
  const { dialect, flush } = openSqlite(path);
  const store = new Kysely<Database>({ dialect });
  groupCommits.set(store, createGroupCommit(store, flush));
  return store;
}

/** Runs some work in one transaction: all of it is kept, or nothing. Work that waits at the same time shares a commit. */
export function transact<T>(
  store: Store,
  work: (transaction: StoreTransaction) => Promise<T>,
  options?: CommitOptions<T>,
): Promise<T> {
  return groupCommits.get(store)!(work, options);
}
