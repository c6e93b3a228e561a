import type { Insertable, Selectable } from "kysely";
import { sha256Hex } from "#host";
import { LIMITS } from "../contract/index.ts";
import { badField } from "./http-error.ts";
import type { Database } from "./store/schema.ts";
import type { StoreTransaction } from "./store/store.ts";

/** A request's `Idempotency-Key`, and the digest of the request sent under it; both null without a key. */
export interface Idempotency {
  idempotency_key: string | null;
  request_digest: string | null;
}

/** Reads a request's `Idempotency-Key`; throws an HttpError (400) for one that is empty or too long. */
export function readIdempotency(request: object, key: string | undefined): Idempotency {
  if (key === undefined) return { idempotency_key: null, request_digest: null };
  if (key === "" || key.length > LIMITS.maxNameLength) {
    throw badField("Idempotency-Key", `must have 1 to ${LIMITS.maxNameLength} characters`);
  }
  const digest = sha256Hex(JSON.stringify(request));
  return { idempotency_key: key, request_digest: digest };
}

/** Thrown in a transaction where another has made something under the same key since this one looked for it. */
class KeyTakenError extends Error {
  override name = "KeyTakenError";
}

/** Runs a transaction, and once more where another takes its key meanwhile: then it finds what that one has made. */
export async function retryTakenKey<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error;
    return run();
  }
}

/**
 * Finds what an earlier request of a user has made under the same key; undefined where nothing was. Throws an HttpError
 * (400) if that was another request.
 */
export async function findEarlier<Table extends "jobs" | "job_groups">(
  transaction: StoreTransaction,
  table: Table,
  userId: number,
  { idempotency_key, request_digest }: Idempotency,
): Promise<Selectable<Database[Table]> | undefined> {
  if (idempotency_key === null) return undefined;
  const row = await transaction
    .selectFrom(table as "jobs")
    .selectAll()
    .where("user_id", "=", userId)
    .where("idempotency_key", "=", idempotency_key)
    .executeTakeFirst();
  if (row && row.request_digest !== request_digest)
    throw badField("Idempotency-Key", "was used before, for another request");
  return row as Selectable<Database[Table]> | undefined;
}

/** Inserts what a request makes. Throws a `KeyTakenError` where another has made something under its key. */
export async function insertOnce<Table extends "jobs" | "job_groups">(
  transaction: StoreTransaction,
  table: Table,
  values: Insertable<Database[Table]>,
): Promise<Selectable<Database[Table]>> {
  const row = await transaction
    .insertInto(table as "jobs")
    .values(values as Insertable<Database["jobs"]>)
    .onConflict(conflict => conflict.columns(["user_id", "idempotency_key"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new KeyTakenError();
  return row as Selectable<Database[Table]>;
}
