import type { Database } from "../store/schema.ts";

/** Reads the rows of a table page by page. */
export interface ArchiveTable {
  name: keyof Database;
  /** The columns of the primary key, in order. */
  key: readonly string[];
  /** Rows that are read at a time. */
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
