import { StoreError } from "../../storage-errors.ts";
import { STORE_VERSION } from "../migrate.ts";
import { openStore, type Store } from "../store.ts";
import { createPostgresDialect } from "./dialect.ts";
import { openConnectionPool } from "./pool.ts";
import { isUpToDate, readVersion, upgrade } from "./upgrade.ts";

/** Options for opening a store. */
export interface PostgresOptions {
  /** Whether statements may take as long as they need, as those of commands do. Default: false. */
  isPatient?: boolean;
  /** The version that an older store is brought to. Default: the newest. */
  upTo?: number;
}

/**
 * Opens the store in a PostgreSQL database. One that is empty or older is brought up to date, by one process while all
 * others wait. Throws a `StoreError` for a store of a newer Ketbook.
 */
export async function openPostgresStore(
  url: string,
  { isPatient = false, upTo = STORE_VERSION }: PostgresOptions = {},
): Promise<Store> {
  const store = openStore(createPostgresDialect(openConnectionPool(url, { isPatient })));
  try {
    if (!(await isUpToDate(store, upTo))) await upgrade(url, upTo);
    const version = await readVersion(store);
    if (version > STORE_VERSION) {
      throw new StoreError(
        `The database was written by a newer Ketbook (store version ${version}, this one knows ${STORE_VERSION}). Update Ketbook, or choose another database.`,
      );
    }
    return store;
  } catch (error) {
    await store.destroy();
    throw error;
  }
}
