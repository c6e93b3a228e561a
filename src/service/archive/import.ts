import { sql } from "kysely";
import { StoreError } from "../storage-errors.ts";
import { STORE_VERSION } from "../store/migrate.ts";
import type { Database } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";
import {
  ARCHIVE_VERSION,
  type ArchiveHeader,
  type ArchiveLine,
  type ArchiveValue,
  type DeviceLine,
  damaged,
  readLines,
  type TableLine,
} from "./format.ts";
import { ARCHIVE_TABLES } from "./tables.ts";

/** An archive that is being read. */
export interface OpenArchive {
  header: ArchiveHeader;
  /** The lines after the header. */
  lines: AsyncGenerator<ArchiveHeader | ArchiveLine>;
}

/** What an archive had in it. */
export interface ArchiveContents {
  /** Jobs, deleted ones too. */
  jobs: number;
  /** Devices that were imported into its data folder; they are no part of the store. */
  devices: DeviceLine["device"][];
}

/** Rows, and characters of them, that are written at a time. */
const MAX_BATCH_ROWS = 200;
const MAX_BATCH_LENGTH = 2 ** 20;

/** Reads the beginning of an archive; throws a `StoreError` for what is none, and for one of a newer Ketbook. */
export async function openArchive(bytes: AsyncIterable<Uint8Array>): Promise<OpenArchive> {
  const lines = readLines(bytes);
  const header = (await lines.next()).value as Partial<ArchiveHeader> | undefined;
  if (header?.format !== "ketbook") throw new StoreError("This is no archive that ketbook export has made.");
  const { version = 0, storeVersion = 0 } = header;
  if (version > ARCHIVE_VERSION || storeVersion > STORE_VERSION) {
    throw new StoreError(
      `The archive was written by a newer Ketbook (format ${version}, store version ${storeVersion}; this one knows ${ARCHIVE_VERSION} and ${STORE_VERSION}). Update Ketbook.`,
    );
  }
  return { header: header as ArchiveHeader, lines };
}

/**
 * Writes what is in an archive into tables of its version that are empty. A job that ran is for any worker to take over.
 * Throws a `StoreError` where a table has rows, and where the archive is damaged or cut off: the transaction is to be
 * rolled back then.
 */
export async function importStore(
  transaction: StoreTransaction,
  { lines }: OpenArchive,
): Promise<ArchiveContents> {
  const tables = new Map((await transaction.introspection.getTables()).map(table => [table.name, table]));
  for (const { name } of ARCHIVE_TABLES) {
    if (tables.has(name) && !(await isEmpty(transaction, name))) {
      throw new StoreError(
        "There are records in it already. Import into an empty data folder or an empty database.",
      );
    }
  }
  const counts: Record<string, number> = {};
  const devices: DeviceLine["device"][] = [];
  let current: TableLine | undefined;
  let batch: Record<string, ArchiveValue>[] = [];
  let length = 0;

  async function flush(): Promise<void> {
    if (!current || batch.length === 0) return;
    await transaction
      .insertInto(current.table as keyof Database)
      .values(batch as never)
      .execute();
    batch = [];
    length = 0;
  }

  for await (const line of lines) {
    if (Array.isArray(line)) {
      if (line.length !== current?.columns.length) throw damaged("a row has too many or too few values");
      batch.push(toRow(current, line));
      for (const value of line) length += typeof value === "string" ? value.length : 8;
      counts[current.table] = (counts[current.table] ?? 0) + 1;
      if (batch.length >= MAX_BATCH_ROWS || length >= MAX_BATCH_LENGTH) await flush();
    } else if ("device" in line) devices.push(line.device);
    else if ("table" in line) {
      await flush();
      current = checkTable(line, tables.get(line.table)?.columns.map(({ name }) => name) ?? []);
    } else if ("rows" in line) {
      await flush();
      for (const { name } of ARCHIVE_TABLES) {
        if ((line.rows[name] ?? 0) !== (counts[name] ?? 0)) throw damaged(`rows of ${name} are missing`);
      }
      if (!(await lines.next()).done) throw damaged("it continues after its end");
      return { jobs: counts.jobs ?? 0, devices };
    } else throw damaged("it has a line of an unknown kind");
  }
  throw damaged("it is cut off");
}

async function isEmpty(transaction: StoreTransaction, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(transaction);
  return rows.length === 0;
}

function checkTable(line: TableLine, columns: readonly string[]): TableLine {
  const isKnown = ARCHIVE_TABLES.some(({ name }) => name === line.table);
  const given = new Set(line.columns);
  if (!isKnown || given.size !== columns.length || !columns.every(column => given.has(column))) {
    throw damaged(`its table ${String(line.table).slice(0, 100)} is not that of its version`);
  }
  return line;
}

/** Workers of where the archive was made run nothing here. */
const NO_LEASE = { worker_id: null, leased_until: null };

function toRow({ table, columns }: TableLine, values: readonly ArchiveValue[]): Record<string, ArchiveValue> {
  const row = Object.fromEntries(columns.map((column, at) => [column, values[at]!]));
  return table === "jobs" && "worker_id" in row ? { ...row, ...NO_LEASE } : row;
}
