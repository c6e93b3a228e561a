import { createHash } from "node:crypto";
import pg from "pg";

/** Statements that are prepared: each connection keeps them all. */
const MAX_PREPARED = 300;
/** Number of uses after which a statement is prepared, which excludes unique ones. */
const MIN_SEEN = 3;

const seen = new Map<string, number>();
const names = new Map<string, string>();

/** Returns the name under which a statement is prepared, so that the server parses and plans it once; undefined: it is not. */
export function preparedName(statement: string): string | undefined {
  const known = names.get(statement);
  if (known !== undefined || names.size >= MAX_PREPARED) return known;
  const times = (seen.get(statement) ?? 0) + 1;
  if (times < MIN_SEEN) {
    if (seen.size > 10 * MAX_PREPARED) seen.clear();
    seen.set(statement, times);
    return undefined;
  }
  seen.delete(statement);
  const name = createHash("sha256").update(statement).digest("base64url").slice(0, 20);
  names.set(statement, name);
  return name;
}

/** Whether a prepared statement is out of date, as after a migration that gave a table another column. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";
