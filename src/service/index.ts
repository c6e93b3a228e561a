export { type AuditEntry, type AuditRecord, appendAudit, readAuditTrail } from "./accounts/audit-trail.ts";
export { matchesPattern, SCOPES, TIERS } from "./accounts/caller.ts";
export { addStudents, endClass, reportClass } from "./accounts/class.ts";
export {
  createKey,
  isValid,
  type KeyFile,
  type KeyRecord,
  listKeys,
  OWNER_NAME,
  revokeKey,
} from "./accounts/members.ts";
export { auditLedger } from "./billing/ledger.ts";
export { toMicro } from "./billing/price.ts";
export {
  type Catalogue,
  type CatalogueDevice,
  type CatalogueEntry,
  loadCatalogue,
  readEntries,
} from "./catalogue/catalogue.ts";
export { type Context, type Log, openInOrder, steadyClock } from "./context.ts";
export { hasUnfinished } from "./dispatch/claim.ts";
export { type Dispatcher, startDispatcher } from "./dispatch/dispatcher.ts";
export { createRequestHandler, prepareEmbedded, type RequestHandler } from "./embedded.ts";
export { limitLifetimes } from "./groups/lifecycle.ts";
export { isLoopback, peerOf, SECURITY_HEADERS, type TrustedProxies, unmapAddress } from "./http/admission.ts";
export {
  BASE_PATH,
  createHealthApp,
  LEGACY_BASE_PATH,
  type LocalIdentity,
  type RequestLimits,
} from "./http/app.ts";
export { answerError } from "./http/errors.ts";
export { badField, HttpError } from "./http-error.ts";
export { counter, createMetrics, gauge, type Metric } from "./metrics/metrics.ts";
export {
  createPool,
  createPrinter,
  type PoolTask,
  type Printable,
  type Printer,
  type PrintThread,
  type SimulationThreads,
  type ThreadControl,
  type WorkerPool,
} from "./pool.ts";
export { createFairQueue, type FairQueue } from "./queue/fair-queue.ts";
export { type Announcement, isAnnouncement, type JobQueue, WAITING } from "./queue/job-queue.ts";
export { RETENTION_MS, startRetention } from "./retention.ts";
export {
  damagedMessage,
  explainStorageError,
  isBusy,
  RESTORE_ADVICE,
  StoreConnectionError,
  StoreError,
  storageProblem,
  UncertainError,
} from "./storage-errors.ts";
export { createCommit } from "./store/commit.ts";
export { COPIED_TABLES, copyStoreRows, damaged, replaceStoreRows } from "./store/copy.ts";
export { createReadiness, type DiskSpace } from "./store/readiness.ts";
export type { Scope } from "./store/schema.ts";
export { createMutex, SQLITE_SYNTAX, type SqliteConnection, sqliteDialect } from "./store/sqlite.ts";
export {
  type DatabaseServer,
  openStore,
  type SchemaSyntax,
  type Store,
  type StoreDialect,
  type StoreLocks,
  type StoreTransaction,
  transact,
} from "./store/store.ts";
export { checkStoreVersion, createTables, STORE_VERSION } from "./store/tables.ts";
