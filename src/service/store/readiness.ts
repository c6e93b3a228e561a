import { sql } from "kysely";
import { type StorageProblem, storageProblem } from "../storage-errors.ts";
import type { Store } from "./store.ts";

/** After which a store that says nothing is taken to be away. */
const TIMEOUT_MS = 2000;
/** How long an answer holds, so that asking costs no more than a write a second. */
const MAX_AGE_MS = 1000;

/**
 * Makes a function that checks whether the store takes writes, by making one that changes nothing. It resolves to what
 * is wrong, or to undefined; an error that is not of the storage is thrown.
 */
export function createReadiness(store: Store): () => Promise<StorageProblem | undefined> {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<StorageProblem | undefined> = Promise.resolve(undefined);
  return () => {
    if (performance.now() - asked < MAX_AGE_MS) return answer;
    asked = performance.now();
    const { promise: silent, resolve } = Promise.withResolvers<"unavailable">();
    const timer = setTimeout(resolve, TIMEOUT_MS, "unavailable");
    const written = sql`update store_version set version = version`.execute(store).then(
      () => undefined,
      error => {
        const problem = storageProblem(error);
        if (!problem) throw error;
        return problem;
      },
    );
    answer = Promise.race([written, silent]).finally(() => clearTimeout(timer));
    return answer;
  };
}
