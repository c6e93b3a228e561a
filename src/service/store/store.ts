import {
  type Dialect,
  type DialectAdapter,
  type Expression,
  Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type Transaction,
} from "kysely";
import type { Database } from "./schema.ts";

/** The open store, outside of a transaction. */
export type Store = Kysely<Database>;

/** A transaction of the store. What must be kept together with other changes, or not at all, takes nothing else. */
export type StoreTransaction = Transaction<Database>;

/** Dialects and commits by the adapter, which a store shares with its transactions. */
const opened = new WeakMap<DialectAdapter, StoreDialect & { commit: Commit }>();

export function openStore(dialect: StoreDialect): Store {
  const store = new Kysely<Database>({ dialect: dialect.kysely });
  opened.set(store.getExecutor().adapter, { ...dialect, commit: dialect.createCommit(store) });
  return store;
}

const dialectOf = (store: Store) => opened.get(store.getExecutor().adapter)!;

/** Returns the row locks of a store; undefined if transactions run one at a time. */
export const locksOf = (store: Store): StoreLocks | undefined => dialectOf(store).locks;

/** Server of a store's database; undefined where the store is a file. */
export const serverOf = (store: Store): DatabaseServer | undefined => dialectOf(store).server;

/** Runs some work in one transaction: all of it is kept, or nothing. */
export function transact<T>(
  store: Store,
  work: (transaction: StoreTransaction) => Promise<T>,
  options?: CommitOptions<T>,
): Promise<T> {
  return dialectOf(store).commit(work, options);
}

/** Differences between the databases that can hold a store. Each database has a folder here and one object of this type. */
export interface StoreDialect {
  /** The database as Kysely sees it. Every integer comes back as a number: columns, counts and sums. */
  kysely: Dialect;
  createCommit(store: Store): Commit;
  /** Locks of rows and names; undefined if transactions run one at a time. */
  locks?: StoreLocks;
  /** Server of the database; undefined where the store is a file. */
  server?: DatabaseServer;
}

export interface DatabaseServer {
  /** Writes 2 MB to the disk of the database, which are removed again. Throws if it is full. */
  takeRoom(transaction: StoreTransaction): Promise<void>;
  /** Counts the connections of all clients, and how many there may be. */
  countConnections(store: Store): Promise<{ used: number; allowed: number }>;
  /** Whether a worker has lost the connection that every worker keeps. */
  isWorkerGone(id: Expression<string | null>): RawBuilder<boolean>;
}

type LockJobs = <Output>(
  query: SelectQueryBuilder<Database, "jobs", Output>,
) => SelectQueryBuilder<Database, "jobs", Output>;

/** Locks of a database whose transactions run at the same time. */
export interface StoreLocks {
  /** Waits until no other transaction has this name locked, and locks it until the transaction ends. */
  lockName(transaction: StoreTransaction, name: string): Promise<void>;
  /** Locks the jobs that a query finds, without those that others have locked. */
  lockFree: LockJobs;
  /** Locks the jobs that a query finds in the order of their submission, as all do that lock several. */
  lockInOrder: LockJobs;
}

/** Action after a row of a table is written, in the same transaction. */
export interface TriggerOptions {
  name: string;
  table: string;
  /** `insert`, or `update of` columns. */
  event: string;
  /** On `old` and `new`. */
  condition: string;
  statement: string;
}

export interface SchemaSyntax {
  /** Type of a column that counts up by itself. */
  identity: string;
  /** Ends the definition of a table whose rows are to lie in the order of its primary key. */
  clustered: string;
  /** Begins the definition of a table that need not outlive a crash. */
  unlogged: string;
  trigger(options: TriggerOptions): string[];
}

export interface CommitOptions<T> {
  /** Goes before all work that is not urgent. Default: false. */
  isUrgent?: boolean;
  /** Is answered once it is on the disk; otherwise once it outlives this process. Default: true. */
  isDurable?: boolean;
  /** Called with what the work resolved to as soon as it outlives this process, before the disk has it. */
  onCommit?(value: T): void;
}

/** Runs work in a transaction. */
export type Commit = <T>(
  work: (transaction: StoreTransaction) => Promise<T>,
  options?: CommitOptions<T>,
) => Promise<T>;
