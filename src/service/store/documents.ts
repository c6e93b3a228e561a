import { sql } from "kysely";
import { nextTurn } from "#host";
import type { DocumentKind } from "./schema.ts";
import type { Store, StoreTransaction } from "./store.ts";

/** Characters of each part of a document but its last, which is shorter, and may be empty. */
export const PART_LENGTH = 2 ** 18;

/** Parts that are written before what came in from outside is seen to. */
const PARTS_A_TURN = 8;

interface DocumentName {
  jobSeq: number;
  kind: DocumentKind;
}

export interface NewDocument extends DocumentName {
  body: string;
}

export async function writeDocument(
  transaction: StoreTransaction,
  { jobSeq, kind, body }: NewDocument,
): Promise<void> {
  for (const [part, text] of cutIntoParts(body).entries()) {
    await transaction
      .insertInto("job_documents")
      .values({ job_seq: jobSeq, kind, part, body: text })
      .execute();
    if (part % PARTS_A_TURN === PARTS_A_TURN - 1) await new Promise<void>(nextTurn);
  }
}

/** Cuts a string into parts without splitting a character. */
function cutIntoParts(body: string): string[] {
  const parts: string[] = [];
  let end = 0;
  do {
    const start = end;
    end = Math.min(body.length, start + PART_LENGTH);
    if (end < body.length && /[\uD800-\uDBFF]/.test(body[end - 1]!)) end += 1;
    parts.push(body.slice(start, end));
  } while (parts.at(-1)!.length >= PART_LENGTH);
  return parts;
}

const findPart = (store: Store, { jobSeq, kind }: DocumentName, part: number) =>
  store
    .selectFrom("job_documents")
    .select("body")
    .where("job_seq", "=", jobSeq)
    .where("kind", "=", kind)
    .where("part", "=", part)
    .executeTakeFirst();

/**
 * Opens a document, of which no more than a part is read at a time; undefined when there is none. Reading throws where
 * the document is removed meanwhile.
 */
export async function openDocument(
  store: Store,
  name: DocumentName,
): Promise<AsyncIterable<string> | undefined> {
  const first = await findPart(store, name, 0);
  return first && readParts(store, name, first.body);
}

async function* readParts(store: Store, name: DocumentName, first: string): AsyncGenerator<string> {
  yield first;
  for (let [part, last] = [1, first]; last.length >= PART_LENGTH; part += 1) {
    const row = await findPart(store, name, part);
    if (!row) throw new Error(`The ${name.kind} of a job were removed while they were read.`);
    last = row.body;
    yield last;
  }
}

export async function readDocument(store: Store, name: DocumentName): Promise<string | undefined> {
  const parts = await openDocument(store, name);
  return parts && (await Array.fromAsync(parts)).join("");
}

/** Removes all documents of jobs. Returns their bytes. */
export async function removeDocuments(
  transaction: StoreTransaction,
  jobs: readonly number[],
): Promise<number> {
  const { bytes } = await transaction
    .selectFrom("job_documents")
    .select(sql<number>`coalesce(sum(octet_length(body)), 0)`.as("bytes"))
    .where("job_seq", "in", jobs)
    .executeTakeFirstOrThrow();
  await transaction.deleteFrom("job_documents").where("job_seq", "in", jobs).execute();
  return bytes;
}

/** A value as pieces of JSON text: what is large is passed on as it was stored, without being read and written again. */
export class JsonText<T> {
  readonly pieces: Iterable<string> | AsyncIterable<string>;
  /** Only for the type of the value. */
  declare readonly value: T;

  constructor(pieces: Iterable<string> | AsyncIterable<string>) {
    this.pieces = pieces;
  }
}
