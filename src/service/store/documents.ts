import { sql } from "kysely";
import { nextTurn } from "#host";
import { prepareQuery, prepareRows } from "./prepared.ts";
import type { Database, DocumentKind } from "./schema.ts";
import type { Store, StoreTransaction } from "./store.ts";

/** Characters of a document beyond which it is kept in chunks, and of one chunk. */
const MAX_WHOLE_LENGTH = 2 ** 20;
export const CHUNK_LENGTH = 2 ** 18;

/** Chunks that are written before what came in from outside is seen to. */
const CHUNKS_A_TURN = 8;

interface DocumentName {
  jobSeq: number;
  kind: DocumentKind;
}

export interface NewDocument extends DocumentName {
  body: string;
}

const insertDocuments = prepareRows((store, rows: Database["job_documents"][]) =>
  store.insertInto("job_documents").values(rows),
);

/** Writes documents of jobs, those of more than a million characters in chunks. */
export async function writeDocuments(
  transaction: StoreTransaction,
  documents: readonly NewDocument[],
): Promise<void> {
  const [whole, long] = [false, true].map(isLong =>
    documents.filter(({ body }) => body.length > MAX_WHOLE_LENGTH === isLong),
  );
  await insertDocuments(
    transaction,
    whole!.map(({ jobSeq, kind, body }) => ({ job_seq: jobSeq, kind, body })),
  );
  for (const { jobSeq, kind, body } of long!) {
    for (const [part, chunk] of cutIntoChunks(body).entries()) {
      const row = { job_seq: jobSeq, kind, part, body: chunk };
      await transaction.insertInto("job_document_chunks").values(row).execute();
      if (part % CHUNKS_A_TURN === CHUNKS_A_TURN - 1) await new Promise<void>(nextTurn);
    }
  }
}

/** Cuts a string into chunks without splitting a character. */
function cutIntoChunks(body: string): string[] {
  const chunks: string[] = [];
  for (let start = 0; start < body.length; ) {
    let end = Math.min(body.length, start + CHUNK_LENGTH);
    if (end < body.length && /[\uD800-\uDBFF]/.test(body[end - 1]!)) end += 1;
    chunks.push(body.slice(start, end));
    start = end;
  }
  return chunks;
}

const findWhole = prepareQuery((store, { jobSeq, kind }: DocumentName) =>
  store.selectFrom("job_documents").select("body").where("job_seq", "=", jobSeq).where("kind", "=", kind),
);

/**
 * Opens a document, of which no more than a chunk is read at a time; undefined when there is none. Reading throws where
 * the document is removed meanwhile.
 */
export async function openDocument(
  store: Store,
  name: DocumentName,
): Promise<AsyncIterable<string> | undefined> {
  const [whole] = (await findWhole(store, name)).rows;
  if (whole) return toAsync(whole.body);
  const { parts } = await chunksOf(store, name)
    .select(eb => eb.fn.countAll<number>().as("parts"))
    .executeTakeFirstOrThrow();
  return parts === 0 ? undefined : readChunks(store, name, parts);
}

async function* toAsync(body: string): AsyncGenerator<string> {
  yield body;
}

async function* readChunks(store: Store, name: DocumentName, parts: number): AsyncGenerator<string> {
  for (let part = 0; part < parts; part += 1) {
    const row = await chunksOf(store, name).select("body").where("part", "=", part).executeTakeFirst();
    if (!row) throw new Error(`The ${name.kind} of a job were removed while they were read.`);
    yield row.body;
  }
}

const chunksOf = (store: Store, { jobSeq, kind }: DocumentName) =>
  store.selectFrom("job_document_chunks").where("job_seq", "=", jobSeq).where("kind", "=", kind);

export async function readDocument(store: Store, name: DocumentName): Promise<string | undefined> {
  const [whole] = (await findWhole(store, name)).rows;
  if (whole) return whole.body;
  const pieces = await openDocument(store, name);
  return pieces && (await Array.fromAsync(pieces)).join("");
}

/** Removes all documents of jobs. Returns their bytes. */
export async function removeDocuments(
  transaction: StoreTransaction,
  jobs: readonly number[],
): Promise<number> {
  let bytes = 0;
  for (const table of ["job_documents", "job_document_chunks"] as const) {
    const stored = await transaction
      .selectFrom(table)
      .select(sql<number>`coalesce(sum(octet_length(body)), 0)`.as("bytes"))
      .where("job_seq", "in", jobs)
      .executeTakeFirstOrThrow();
    bytes += stored.bytes;
    await transaction.deleteFrom(table).where("job_seq", "in", jobs).execute();
  }
  return bytes;
}
