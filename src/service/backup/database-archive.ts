import { sql } from "kysely";
import { appendAudit } from "../accounts/audit-trail.ts";
import { importStore, openArchive } from "../archive/import.ts";
import { ARCHIVE_TABLES } from "../archive/tables.ts";
import { auditLedger } from "../billing/audit.ts";
import { StoreError } from "../storage-errors.ts";
import { openPostgresStore } from "../store/postgres/open.ts";
import { readVersion } from "../store/postgres/upgrade.ts";
import { type StoreTransaction, transact } from "../store/store.ts";
import { readArchive, writeArchive } from "./archive-file.ts";
import type { StoreCopy } from "./backup.ts";
import { checkLedger } from "./folder-archive.ts";

/**
 * Writes the store in a PostgreSQL database to a file, as it is at this moment, while others read and write it. Throws a
 * `StoreError` where its ledger is wrong.
 */
export async function exportDatabase(url: string, file: string, now = Date.now()): Promise<StoreCopy> {
  const store = await openPostgresStore(url, { isPatient: true });
  return await store
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async transaction => {
      checkLedger(await auditLedger(transaction));
      return writeArchive(transaction, file, { now });
    })
    .finally(() => store.destroy());
}

/** Options of an import. */
export interface ImportOptions {
  /** Whether the audit trail says that the store was restored. Default: false. */
  isRestored?: boolean;
  now?: number;
}

/**
 * Makes an archive the store in a PostgreSQL database that is empty, all of it or, where anything is wrong, nothing.
 * Throws a `StoreError` for a database that has records, and for an archive that is damaged or of a newer Ketbook.
 */
export async function importIntoDatabase(
  file: string,
  url: string,
  { isRestored = false, now = Date.now() }: ImportOptions = {},
): Promise<{ jobs: number; leftOutDevices: string[] }> {
  const archive = await openArchive(readArchive(file));
  const { storeVersion } = archive.header;
  const store = await openPostgresStore(url, { isPatient: true, upTo: storeVersion });
  try {
    if ((await readVersion(store)) > storeVersion) {
      throw new StoreError(
        `The archive is of an older Ketbook (store version ${storeVersion}) than the tables of the database. Import it into a database without tables.`,
      );
    }
    const imported = await store.transaction().execute(async transaction => {
      await sql`lock table organizations, users, api_keys in exclusive mode`.execute(transaction);
      const { jobs, devices } = await importStore(transaction, archive);
      checkLedger(await auditLedger(transaction));
      await advanceIdentities(transaction);
      return { jobs, leftOutDevices: devices.map(({ qrn }) => qrn) };
    });
    await sql`analyze`.execute(store);
    await upgrade(url, isRestored ? { file, jobs: imported.jobs, now } : undefined);
    return imported;
  } finally {
    await store.destroy();
  }
}

/** Brings the tables to the newest version, and notes in the audit trail what was restored. */
async function upgrade(url: string, restored?: { file: string; jobs: number; now: number }): Promise<void> {
  const store = await openPostgresStore(url, { isPatient: true });
  try {
    if (!restored) return;
    const { file, jobs, now } = restored;
    const details = { jobs, replaced: false };
    const entry = { event: "store.restored", actor: "service", subject: file, details } as const;
    await transact(store, transaction => appendAudit(transaction, [entry], now));
  } finally {
    await store.destroy();
  }
}

/** Lets columns that count up by themselves continue after the rows that were imported. */
async function advanceIdentities(transaction: StoreTransaction): Promise<void> {
  for (const { name, identity } of ARCHIVE_TABLES) {
    if (identity === undefined) continue;
    const last = sql`select max(${sql.ref(identity)}) from ${sql.table(name)}`;
    await sql`select setval(pg_get_serial_sequence(${name}, ${identity}), coalesce((${last}), 0) + 1, false)`.execute(
      transaction,
    );
  }
}
