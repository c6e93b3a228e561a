import { type ColumnMetadata, sql } from "kysely";
import { StoreError, storageProblem } from "../storage-errors.ts";
import type { Database } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";
import { checkStoreVersion } from "../store/tables.ts";
import {
  ARCHIVE_TABLES,
  ARCHIVE_VERSION,
  type ArchiveHeader,
  type ArchiveLine,
  type ArchiveValue,
  type DeviceLine,
  damaged,
  readLines,
  type TableLine,
} from "./format.ts";

export interface OpenArchive {
  header: ArchiveHeader;
  /** The lines after the header. */
  lines: AsyncGenerator<ArchiveHeader | ArchiveLine>;
}

interface ArchiveContents {
  jobs: number;
  /** Devices that were imported into its data folder; they are not part of the store. */
  devices: DeviceLine["device"][];
}

/** Rows, and characters of them, that are written at a time. */
const MAX_BATCH_ROWS = 200;
const MAX_BATCH_LENGTH = 2 ** 20;

/** Reads the beginning of an archive; throws a `StoreError` for a file that is not one, or of another version. */
export async function openArchive(bytes: AsyncIterable<Uint8Array>): Promise<OpenArchive> {
  const lines = readLines(bytes);
  const header = (await lines.next()).value as Partial<ArchiveHeader> | undefined;
  if (header?.format !== "ketbook") throw new StoreError("This archive was not made by ketbook export.");
  const { version, storeVersion } = header;
  if (!isVersion(version) || !isVersion(storeVersion)) throw damaged("its versions are none");
  if (version > ARCHIVE_VERSION) {
    throw new StoreError(
      `The archive was written by a newer Ketbook (format ${version}, this one reads ${ARCHIVE_VERSION}). Update Ketbook.`,
    );
  }
  checkStoreVersion(storeVersion, "The archive");
  return { header: header as ArchiveHeader, lines };
}

/**
 * Writes an archive into empty tables. Any worker may take over a job that ran. Throws a `StoreError` if a table has rows,
 * or if the archive is damaged or truncated: roll the transaction back then.
 */
export async function importStore(
  transaction: StoreTransaction,
  { lines }: OpenArchive,
): Promise<ArchiveContents> {
  const tables = new Map((await transaction.introspection.getTables()).map(table => [table.name, table]));
  for (const { name } of ARCHIVE_TABLES) {
    if (!(await isEmpty(transaction, name))) {
      throw new StoreError(
        "There are records in it already. Import into an empty data folder or an empty database.",
      );
    }
  }
  const counts: Record<string, number> = {};
  const devices: DeviceLine["device"][] = [];
  let current: Table | undefined;
  let batch: Record<string, ArchiveValue>[] = [];
  let length = 0;

  async function flush(): Promise<void> {
    if (!current || batch.length === 0) return;
    await transaction
      .insertInto(current.table as keyof Database)
      .values(batch as never)
      .execute()
      .catch(error => {
        throw storageProblem(error) ? error : damaged((error as Error).message);
      });
    batch = [];
    length = 0;
  }

  for await (const line of lines) {
    if (Array.isArray(line)) {
      if (line.length !== current?.columns.length) throw damaged("a row has too many or too few values");
      const wrong = current.columns.find((column, at) => !isValueOf(column, line[at]!));
      if (wrong) throw damaged(`a row of ${current.table} has no right ${wrong.name}`);
      batch.push(toRow(current, line));
      for (const value of line) length += typeof value === "string" ? value.length : 8;
      counts[current.table] = (counts[current.table] ?? 0) + 1;
      if (batch.length >= MAX_BATCH_ROWS || length >= MAX_BATCH_LENGTH) await flush();
    } else if ("device" in line) devices.push(line.device);
    else if ("table" in line) {
      await flush();
      current = checkTable(line, tables.get(line.table)?.columns ?? []);
    } else if ("rows" in line && line.rows) {
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

const isVersion = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;

type Column = Pick<ColumnMetadata, "name" | "dataType">;

/** A table whose rows follow, and their columns in order. */
interface Table {
  table: string;
  columns: Column[];
}

function checkTable(line: TableLine, columns: readonly Column[]): Table {
  const isKnown = ARCHIVE_TABLES.some(({ name }) => name === line.table);
  const names = Array.isArray(line.columns) ? line.columns : [];
  const given = [...new Set(names)].map(name => columns.find(column => column.name === name));
  if (!isKnown || given.length !== columns.length || !given.every(column => column !== undefined)) {
    throw damaged(`its table ${String(line.table).slice(0, 100)} is not that of its version`);
  }
  return { table: line.table, columns: given };
}

/** Milliseconds from 1970 to the last time that JavaScript has. */
const MAX_TIME = 8.64e15;

/** Whether a column may have a value, which SQLite does not ask. */
function isValueOf({ name, dataType }: Column, value: ArchiveValue): boolean {
  if (value === null) return true;
  const isNumeric = /int/i.test(dataType);
  if (typeof value === "string") return !isNumeric && (!name.endsWith("_json") || isJson(value));
  return isNumeric && Number.isSafeInteger(value) && (!name.endsWith("_at") || Math.abs(value) <= MAX_TIME);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Workers of where the archive was made run nothing here. */
const NO_LEASE = { worker_id: null, leased_until: null };

function toRow({ table, columns }: Table, values: readonly ArchiveValue[]): Record<string, ArchiveValue> {
  const row = Object.fromEntries(columns.map(({ name }, at) => [name, values[at]!]));
  return table === "jobs" ? { ...row, ...NO_LEASE } : row;
}
