import { sql } from "kysely";
import {
  ARCHIVE_TABLES,
  auditLedger,
  importStore,
  openArchive,
  type Store,
  StoreError,
} from "../../service/index.ts";

/** Tables that no archive has, since they say what happens at the moment. */
const MOMENTARY_TABLES = ["rate_limits", "workers", "job_counts"] as const;

/**
 * Replaces everything in a store by an archive of `ketbook export` or of another page, in one transaction:
 * where that fails, all is as it was. No service may run on the store. Throws a `StoreError` for an archive that is
 * damaged or of another version.
 */
export async function replaceStore(
  store: Store,
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ jobs: number }> {
  const archive = await openArchive(bytes);
  return store.transaction().execute(async transaction => {
    for (const { name } of ARCHIVE_TABLES.toReversed())
      await sql`delete from ${sql.table(name)}`.execute(transaction);
    for (const name of MOMENTARY_TABLES) await sql`delete from ${sql.table(name)}`.execute(transaction);
    const imported = await importStore(transaction, archive);
    const [problem] = await auditLedger(transaction);
    if (problem)
      throw new StoreError(`The ledger of the archive is wrong: ${problem}. Nothing was imported.`);
    return imported;
  });
}
