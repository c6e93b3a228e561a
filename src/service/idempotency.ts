import { sha256Hex } from "#host";
import { LIMITS } from "../contract/index.ts";
import { badField } from "./http-error.ts";

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
export class KeyTakenError extends Error {
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

/** Returns the result of an earlier request under the same key; throws an HttpError (400) if that was another request. */
export function checkSameRequest<Row extends Idempotency>(
  earlier: Row | undefined,
  { request_digest }: Idempotency,
): Row | undefined {
  if (earlier && earlier.request_digest !== request_digest) {
    throw badField("Idempotency-Key", "was used before, for another request");
  }
  return earlier;
}
