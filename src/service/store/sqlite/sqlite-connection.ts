import type { CompiledQuery, QueryResult } from "kysely";

/** One connection to a SQLite file. What another process has locked fails at once. */
export interface SqliteConnection {
  /** Whether a transaction is open. */
  isInTransaction(): boolean;
  execute<R>(query: Pick<CompiledQuery, "sql" | "parameters">): QueryResult<R>;
  iterate<R>(query: CompiledQuery): Iterable<R>;
  close(): void;
}
