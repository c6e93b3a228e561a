import { sql } from "kysely";
import type { StoreTransaction } from "../store/store.ts";
import { STORE_VERSION } from "../store/tables.ts";
import {
  ARCHIVE_TABLES,
  ARCHIVE_VERSION,
  type ArchiveHeader,
  type ArchiveLine,
  type ArchiveTable,
  type ArchiveValue,
  type DeviceLine,
} from "./format.ts";

type Row = Record<string, ArchiveValue>;

/** Lists imported devices and a whole store as the lines of an archive, a few rows at a time, all as of the transaction's beginning. */
export async function* exportStore(
  transaction: StoreTransaction,
  now: number,
  devices: readonly DeviceLine["device"][] = [],
): AsyncGenerator<ArchiveHeader | ArchiveLine> {
  const rows: Record<string, number> = {};
  yield {
    format: "ketbook",
    version: ARCHIVE_VERSION,
    storeVersion: STORE_VERSION,
    createdAt: new Date(now).toISOString(),
  };
  for (const device of devices) yield { device };
  for (const table of ARCHIVE_TABLES) {
    let columns: string[] | undefined;
    let count = 0;
    for await (const row of readPages(transaction, table)) {
      if (!columns) {
        columns = Object.keys(row);
        yield { table: table.name, columns };
      }
      yield columns.map(column => row[column]!);
      count += 1;
    }
    rows[table.name] = count;
  }
  yield { rows };
}

async function* readPages(
  transaction: StoreTransaction,
  { name, key, pageSize }: ArchiveTable,
): AsyncGenerator<Row> {
  const columns = sql.join(key.map(column => sql.ref(column)));
  for (let last: Row | undefined; ; ) {
    const after = last ? sql`where (${columns}) > (${sql.join(key.map(column => last![column]))})` : sql``;
    const page = sql<Row>`select * from ${sql.table(name)} ${after} order by ${columns} limit ${pageSize}`;
    const { rows } = await page.execute(transaction);
    yield* rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1);
  }
}
