import type { Generated, Insertable, Selectable } from "kysely";
import type { GroupStatus, JobStatus } from "../../contract/index.ts";

/**
 * The tables. Times are milliseconds since 1970, money is integers of 10^-6 credit, flags are 0 or 1, and columns
 * that end in `_json` hold JSON text that no query looks into.
 */
export interface Database {
  organizations: { id: string; name: string; auto_recharge: number; created_at: number };
  users: UsersTable;
  api_keys: ApiKeysTable;
  jobs: JobsTable;
  /** Documents, long ones in several parts, which count from 0. */
  job_documents: { job_seq: number; kind: DocumentKind; part: number; body: string };
  job_tags: { user_id: number; key: string; type: string; value: string; job_seq: number };
  job_words: { user_id: number; job_seq: number; text: string };
  job_groups: GroupsTable;
  ledger_accounts: { id: string; balance: number };
  ledger_postings: LedgerPostingsTable;
  /** `account_id` is the account that the amount came from. */
  ledger_holds: { job_seq: number; amount: number; state: "pending" | "posted"; account_id: string };
  uncharged_compute: { user_id: number; day: number; milliseconds: number };
  audit_events: AuditEventsTable;
  /** Bytes of the documents of an organization's jobs, and of a user's. Triggers of the store keep them. */
  storage_usage: { organization_id: string; bytes: number };
  user_storage: { user_id: number; bytes: number };
  /** Of all jobs that have ended: how many, how long they waited, and how long their programs ran. */
  run_totals: { device_qrn: string; status: JobStatus; runs: number; wait_ms: number; run_us: number };
  workers: WorkersTable;
  /** Of a user's jobs that have ended and are not deleted: how many, and their sums. Triggers of the store keep it. */
  job_counts: JobCountsTable;
  quota_usage: { user_id: number; device_qrn: string; day: number; used: number };
  /** Time when a client's bucket is full again; full buckets have no row. */
  rate_limits: { client: string; full_at: number };
}

/**
 * Documents of a job beside its record: its submission, its outcome, its provenance, and what each program
 * of a batch cost and took.
 */
export type DocumentKind = "programs" | "results" | "methods" | "costs";

/** The document `costs`, one member a program: 10^-6 credit, and microseconds. */
export interface ProgramCosts {
  costs: number[];
  durations: number[];
}

/** `read`: to look; `submit`: to make, cancel and delete jobs and groups; `admin`: to read figures of the service. */
export type Scope = "read" | "submit" | "admin";

/** Users, and their budgets within the organization. */
interface UsersTable {
  id: Generated<number>;
  organization_id: string;
  name: string;
  tier: string;
  created_at: number;
  /** Whether the user pays from the account `user:<id>`, and not from the organization's. */
  own_credits: Generated<number>;
  /** Bytes of programs and results that the user may keep; null: what the tier gives the organization. */
  max_stored_bytes: number | null;
  /** Jobs of the user that may be unfinished; null: no limit. */
  max_waiting_jobs: number | null;
}

/** The columns of a user that hold the budget within the organization. */
export const BUDGET_COLUMNS = ["own_credits", "max_stored_bytes", "max_waiting_jobs"] as const;

export type Budget = Pick<Selectable<UsersTable>, (typeof BUDGET_COLUMNS)[number]>;

/** Keys: only the digest of a key is kept. */
interface ApiKeysTable {
  id: string;
  user_id: number;
  /** SHA-256 of the key, in hexadecimal. */
  digest: string;
  /** The key's first characters, by which a person tells it from others. */
  hint: string;
  /** Patterns of the devices that the key may use; null: every device. */
  allow_json: string | null;
  scope: Scope;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}

/** Events concerning keys, credits and jobs. Rows are added in the same transaction and never change. */
interface AuditEventsTable {
  seq: Generated<number>;
  created_at: number;
  event: AuditEvent;
  /** `key:<id>`, `cli:<user of the operating system>`, or `service`. */
  actor: string;
  organization_id: string | null;
  /** Object of the event: the id of a key or organization, or the QRN of a job. */
  subject: string;
  details_json: string;
}

export type AuditEvent =
  | "key.created"
  | "key.revoked"
  | "tier.changed"
  | "credits.granted"
  | "budget.given"
  | "job.deleted"
  | "jobs.purged"
  | "store.restored";

interface WorkersTable {
  id: string;
  /** Name for its operator. */
  name: string;
  started_at: number;
  /** Time of the last heartbeat. */
  seen_at: number;
  /** Jobs that it runs at a time. */
  slots: number;
  /** Bytes of amplitudes that a job may take there. */
  memory_bytes: number;
  /** Offered devices and methods: `Offers`. */
  offers_json: string;
}

/** Counts and sums of jobs that have ended. */
interface JobCountsTable
  extends Pick<
    JobsTable,
    "user_id" | "vendor" | "provider" | "experiment_type" | "device_type" | "status" | "shots"
  > {
  jobs: number;
  /** Those that have a cost. */
  settled: number;
  cost: number;
}

/** Jobs. `ended_at` is null exactly as long as the status is not terminal. */
interface JobsTable {
  /** Order of submission. */
  seq: Generated<number>;
  qrn: string;
  user_id: number;
  organization_id: string;
  group_id: string | null;
  idempotency_key: string | null;
  request_digest: string | null;
  /** The request that submitted it, as the log names it; null: no request. */
  request_id: string | null;
  device_qrn: string;
  vendor: string;
  provider: string;
  device_type: string;
  experiment_type: string;
  name: string | null;
  shots: number;
  programs: number;
  is_batch: number;
  status: JobStatus;
  status_msg: string | null;
  /** Number of the current or last run; each claim counts it up, and fences what an older one still writes. */
  attempt: number;
  /** The dispatcher that runs it; null: none. */
  worker_id: string | null;
  /** Until when that dispatcher is taken to be alive, unless it renews its lease. */
  leased_until: number | null;
  /** Bytes of amplitudes that it was found to need, more than the worker had that ran it; null: not found yet. */
  required_bytes: number | null;
  crashes: number;
  estimate: number | null;
  cost: number | null;
  tags_json: string;
  options_json: string;
  /** Seed of its randomness; null once its contents are removed. */
  seed: number | null;
  /** Thousandths that are done, while it runs. */
  progress: number | null;
  /** Environment of the run: `RunProvenance`. */
  provenance_json: string | null;
  /** Figures of its run, and the limit that ended it: `RunFigures`. */
  figures_json: string | null;
  diagnostics_json: string | null;
  created_at: number;
  updated_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** Microseconds that the programs ran. */
  duration_us: number | null;
  deleted_at: number | null;
  /** Time when the contents of the deleted job were removed. */
  purged_at: number | null;
}

interface GroupsTable {
  seq: Generated<number>;
  id: string;
  user_id: number;
  organization_id: string;
  idempotency_key: string | null;
  request_digest: string | null;
  name: string | null;
  status: GroupStatus;
  max_ttl: number;
  tags_json: string;
  metadata_json: string;
  created_at: number;
  updated_at: number;
  expires_at: number;
}

/** One side of a transfer; the two sides of one kind and job sum to zero. */
export interface LedgerPostingsTable {
  seq: Generated<number>;
  /** Source of the transfer: `job:<seq>`, or `grant:<id>`. */
  source: string;
  kind: "grant" | "hold" | "release" | "charge";
  account_id: string;
  amount: number;
  created_at: number;
}

export type JobRow = Selectable<JobsTable>;

export type NewJobRow = Insertable<JobsTable>;

export type NewPostingRow = Insertable<LedgerPostingsTable>;

export type GroupRow = Selectable<GroupsTable>;
