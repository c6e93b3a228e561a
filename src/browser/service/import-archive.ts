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

/** A request as plain data, which can be posted to other threads and tabs. */
export interface RequestRecord {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: ArrayBuffer | null;
}

/** An answer as plain data. */
export interface ResponseRecord {
  status: number;
  headers: [name: string, value: string][];
  body: ArrayBuffer | null;
}

/** Statuses whose answers have no body. */
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

/** Reads a request to its end, as plain data. */
export async function toRequestRecord(request: Request): Promise<RequestRecord> {
  const { method, url } = request;
  const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
  return { method, url, headers: [...request.headers], body: body?.byteLength ? body : null };
}

/** Makes a request of plain data. */
export const toRequest = ({ url, method, headers, body }: RequestRecord): Request =>
  new Request(url, { method, headers, body });

/** Reads an answer to its end, as plain data. */
export async function toResponseRecord(response: Response): Promise<ResponseRecord> {
  const body = await response.arrayBuffer();
  return { status: response.status, headers: [...response.headers], body: body.byteLength ? body : null };
}

/** Makes an answer of plain data. */
export const toResponse = ({ status, headers, body }: ResponseRecord): Response =>
  new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers });

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
