import { UncertainError } from "../../service/storage-errors.ts";

/**
 * Makes the function that brings what was committed to the disk. After a flush that failed, the system may take for
 * written what is lost: nothing counts as durable until `checkpoint` has moved the whole log into the database, and
 * that was flushed. Throws an `UncertainError` until then.
 */
export function createLogFlush(flush: () => void, checkpoint: () => Promise<void>): () => Promise<void> {
  let hasFailed = false;
  return async () => {
    try {
      if (!hasFailed) return flush();
    } catch {
      hasFailed = true;
    }
    try {
      await checkpoint();
      flush();
    } catch (cause) {
      throw cause instanceof UncertainError ? cause : new UncertainError(cause);
    }
    hasFailed = false;
  };
}
