import { StoreError } from "../storage-errors.ts";
import type { Database } from "../store/schema.ts";

export interface ArchiveTable {
  name: keyof Database;
  /** The columns of the primary key, in order. */
  key: readonly string[];
  pageSize: number;
  /** The column that counts up by itself, if any. */
  identity?: string;
}

/** Archived columns of each table; undefined for tables with only momentary state or counts of other tables. */
const TABLES: Readonly<Record<keyof Database, Omit<ArchiveTable, "name"> | undefined>> = {
  organizations: { key: ["id"], pageSize: 500 },
  users: { key: ["id"], pageSize: 500, identity: "id" },
  api_keys: { key: ["id"], pageSize: 500 },
  job_groups: { key: ["seq"], pageSize: 100, identity: "seq" },
  jobs: { key: ["seq"], pageSize: 100, identity: "seq" },
  job_documents: { key: ["job_seq", "kind"], pageSize: 8 },
  job_document_chunks: { key: ["job_seq", "kind", "part"], pageSize: 16 },
  job_tags: { key: ["user_id", "key", "type", "value", "job_seq"], pageSize: 500 },
  job_words: { key: ["user_id", "job_seq"], pageSize: 100 },
  ledger_accounts: { key: ["id"], pageSize: 500 },
  ledger_postings: { key: ["seq"], pageSize: 500, identity: "seq" },
  ledger_holds: { key: ["job_seq"], pageSize: 500 },
  uncharged_compute: { key: ["user_id", "day"], pageSize: 500 },
  audit_events: { key: ["seq"], pageSize: 500, identity: "seq" },
  storage_usage: { key: ["organization_id"], pageSize: 500 },
  run_totals: { key: ["device_qrn", "status"], pageSize: 500 },
  quota_usage: { key: ["user_id", "device_qrn", "day"], pageSize: 500 },
  rate_limits: undefined,
  workers: undefined,
  user_storage: undefined,
  job_counts: undefined,
};

/** The tables of an archive, those first that others refer to. */
export const ARCHIVE_TABLES: readonly ArchiveTable[] = Object.entries(TABLES).flatMap(([name, table]) =>
  table ? [{ name: name as keyof Database, ...table }] : [],
);

/** Version of the format that is written, and the newest that is read. */
export const ARCHIVE_VERSION = 2;

/** The first line of an archive. */
export interface ArchiveHeader {
  format: "ketbook";
  version: number;
  storeVersion: number;
  createdAt: string;
}

/** Names the table, and the columns in order, of the rows that follow. */
export interface TableLine {
  table: string;
  columns: string[];
}

/** The last line but its checksum: rows of each table. */
interface EndLine {
  rows: Record<string, number>;
}

/** A device that was imported into a data folder, as plain data. */
export interface DeviceLine {
  device: { qrn: string };
}

export type ArchiveValue = string | number | null;

/** A line between the first and the last: rows are arrays. */
export type ArchiveLine = DeviceLine | TableLine | EndLine | ArchiveValue[];

/** Characters after which a checksum follows, and beyond which no line is read: a chunk of text, every character escaped. */
const BLOCK_LENGTH = 64 * 1024;
const MAX_LINE_LENGTH = 16 * 2 ** 20;

const encoder = new TextEncoder();

/**
 * Writes lines as JSON. After every block of lines there is one with a SHA-256 of the block and of the checksum before
 * it, in hexadecimal, so what is missing, changed or in another order is found before it is used.
 */
export async function* writeLines(
  lines: AsyncIterable<ArchiveHeader | ArchiveLine>,
): AsyncGenerator<Uint8Array> {
  let checksum = "";
  let block = "";
  const close = async () => {
    checksum = await digest(checksum, block);
    const bytes = encoder.encode(`${block}{"sha256":"${checksum}"}\n`);
    block = "";
    return bytes;
  };
  for await (const line of lines) {
    block += `${JSON.stringify(line)}\n`;
    if (block.length >= BLOCK_LENGTH) yield await close();
  }
  if (block) yield await close();
}

/** Reads the lines of an archive, each once its checksum is right. Throws a `StoreError` for anything but a whole archive. */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ArchiveHeader | ArchiveLine> {
  let checksum = "";
  let block: string[] = [];
  let length = 0;
  for await (const line of splitLines(bytes)) {
    if (!line.startsWith('{"sha256":')) {
      block.push(line);
      length += line.length;
      if (length > BLOCK_LENGTH + MAX_LINE_LENGTH) throw damaged("a checksum is missing");
      continue;
    }
    checksum = await digest(checksum, block.map(each => `${each}\n`).join(""));
    if (line !== `{"sha256":"${checksum}"}`) throw damaged("a checksum is wrong");
    for (const each of block) yield parse(each);
    block = [];
    length = 0;
  }
  if (block.length > 0) throw damaged("it is cut off");
}

function parse(line: string): ArchiveHeader | ArchiveLine {
  try {
    const value: unknown = JSON.parse(line);
    if (Array.isArray(value) ? value.every(isScalar) : typeof value === "object" && value)
      return value as never;
  } catch {}
  throw damaged("a line is not what it should be");
}

const isScalar = (value: unknown) => value === null || typeof value === "string" || typeof value === "number";

async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const [first, ...more] = decoder.decode(chunk, { stream: true }).split("\n");
    rest.push(first!);
    length += first!.length;
    for (const each of more) {
      yield rest.join("");
      rest = [each];
      length = each.length;
    }
    if (length > MAX_LINE_LENGTH) throw damaged("a line is too long");
  }
  if (length > 0) throw damaged("it is cut off");
}

async function digest(previous: string, block: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", encoder.encode(previous + block));
  return Array.from(new Uint8Array(hash), byte => byte.toString(16).padStart(2, "0")).join("");
}

export const damaged = (reason: string) =>
  new StoreError(`The archive is damaged: ${reason}. Nothing was imported; use another copy of it.`);
