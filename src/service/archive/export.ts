import { type RawBuilder, sql } from "kysely";
import { cutIntoChunks, MAX_WHOLE_LENGTH } from "../store/documents.ts";
import { STORE_VERSION } from "../store/migrate.ts";
import type { Database } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";
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

/** Characters of an older, long document that are read at a time. */
const SLICE_LENGTH = 4 * 2 ** 20;

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
    for await (const row of rowsOf(transaction, table)) {
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

async function* rowsOf(transaction: StoreTransaction, table: ArchiveTable): AsyncGenerator<Row> {
  if (table.name === "job_documents") {
    yield* readPages(transaction, table, sql`octet_length(body) <= ${MAX_WHOLE_LENGTH}`);
    return;
  }
  yield* readPages(transaction, table, sql`1 = 1`);
  if (table.name === "job_document_chunks") yield* cutLongDocuments(transaction);
}

async function* readPages(
  transaction: StoreTransaction,
  { name, key, pageSize }: ArchiveTable,
  condition: RawBuilder<unknown>,
): AsyncGenerator<Row> {
  const columns = sql.join(key.map(column => sql.ref(column)));
  for (let last: Row | undefined; ; ) {
    const after = last
      ? sql`(${columns}) > (${sql.join(key.map(column => last![column]))}) and ${condition}`
      : condition;
    const page = sql<Row>`select * from ${sql.table(name)} where ${after} order by ${columns} limit ${pageSize}`;
    const { rows } = await page.execute(transaction);
    yield* rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1);
  }
}

/** Cuts documents that are longer than those of today's rows, which were written before long ones were cut. */
async function* cutLongDocuments(transaction: StoreTransaction): AsyncGenerator<Row> {
  const documents = await transaction
    .selectFrom("job_documents")
    .select(["job_seq", "kind", sql<number>`length(body)`.as("length")])
    .where(sql`octet_length(body)`, ">", MAX_WHOLE_LENGTH)
    .execute();
  for (const { length, ...name } of documents) {
    let part = 0;
    for (let start = 1; start <= length; start += SLICE_LENGTH) {
      const { slice } = await transaction
        .selectFrom("job_documents")
        .select(sql<string>`substr(body, ${start}, ${SLICE_LENGTH})`.as("slice"))
        .where("job_seq", "=", name.job_seq)
        .where("kind", "=", name.kind)
        .executeTakeFirstOrThrow();
      for (const body of cutIntoChunks(slice)) {
        yield { ...name, part, body } satisfies Database["job_document_chunks"];
        part += 1;
      }
    }
  }
}
