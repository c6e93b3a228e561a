import { sql } from "kysely";
import {
  ARCHIVE_TABLES,
  auditLedger,
  exportStore,
  importStore,
  migrate,
  type OpenArchive,
  openArchive,
  SQLITE_SYNTAX,
  STORE_VERSION,
  type Store,
  StoreError,
} from "../../service/index.ts";

/** Tables that no archive has, since they say what happens at the moment. */
const MOMENTARY_TABLES = ["rate_limits", "workers", "job_counts"] as const;

/**
 * Replaces all that a store keeps by what is in an archive of `ketbook export`, or of another page, in one transaction:
 * where that fails, all is as it was. `openScratch` opens an empty store in memory, which an archive of an older version
 * passes through. No service may run on the store. Throws a `StoreError` for an archive that is damaged or newer.
 */
export async function replaceStore(
  store: Store,
  archive: AsyncIterable<Uint8Array>,
  openScratch: () => Store,
): Promise<{ jobs: number }> {
  const opened = await openArchive(archive);
  if (opened.header.storeVersion === STORE_VERSION) return write(store, opened);
  const scratch = openScratch();
  try {
    await migrate(scratch, SQLITE_SYNTAX, { version: opened.header.storeVersion });
    await scratch.transaction().execute(transaction => importStore(transaction, opened));
    await migrate(scratch, SQLITE_SYNTAX);
    return await scratch.transaction().execute(async transaction => {
      const lines = exportStore(transaction, Date.parse(opened.header.createdAt));
      await lines.next();
      return write(store, { header: opened.header, lines });
    });
  } finally {
    await scratch.destroy();
  }
}

const write = (store: Store, archive: OpenArchive): Promise<{ jobs: number }> =>
  store.transaction().execute(async transaction => {
    for (const { name } of ARCHIVE_TABLES.toReversed())
      await sql`delete from ${sql.table(name)}`.execute(transaction);
    for (const name of MOMENTARY_TABLES) await sql`delete from ${sql.table(name)}`.execute(transaction);
    const imported = await importStore(transaction, archive);
    const [problem] = await auditLedger(transaction);
    if (problem)
      throw new StoreError(`The ledger of the archive is wrong: ${problem}. Nothing was imported.`);
    return imported;
  });
