import { nextTurn, sleep } from "#host";
import { isBusy } from "../storage-errors.ts";
import type { Commit, Store, StoreTransaction } from "./store.ts";

interface CommitParts {
  /** Transactions that run at the same time. */
  maxRunning: number;
  /** Whether a transaction was rolled back for the sake of another, and is run again. Default: never. */
  isRolledBack?(error: unknown): boolean;
  /** Brings what was committed to the disk. Default: the commit does. */
  flush?(): Promise<void>;
}

const MAX_ATTEMPTS = 10;
const MAX_PAUSE_MS = 100;

/**
 * Makes the function that runs work in its own transaction, urgent work first. Each begins in another turn of the event
 * loop, so requests are answered in between. What may have been committed is not run again.
 */
export function createCommit(
  store: Store,
  { maxRunning, isRolledBack = () => false, flush = async () => {} }: CommitParts,
): Commit {
  const urgent: PromiseWithResolvers<void>[] = [];
  const others: PromiseWithResolvers<void>[] = [];
  let running = 0;

  function startNext(): void {
    const next = running < maxRunning ? (urgent.shift() ?? others.shift()) : undefined;
    if (!next) return;
    running += 1;
    next.resolve();
  }

  /** Runs a transaction. Where another process has the store locked, those who wait are refused as well, and not in turn. */
  async function attempt<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
    const [allUrgent, allOthers] = [urgent.length, others.length];
    let hasBegun = false;
    try {
      return await store.transaction().execute(transaction => {
        hasBegun = true;
        return work(transaction);
      });
    } catch (error) {
      if (!hasBegun && isBusy(error))
        for (const waiting of [...urgent.splice(0, allUrgent), ...others.splice(0, allOthers)])
          waiting.reject(error);
      throw error;
    }
  }

  async function run<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt(work);
      } catch (error) {
        if (attempts >= MAX_ATTEMPTS || !isRolledBack(error)) throw error;
      }
      await sleep(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** attempts));
    }
  }

  return async (work, { isUrgent = false, isDurable = true, onCommit } = {}) => {
    const turn = Promise.withResolvers<void>();
    (isUrgent ? urgent : others).push(turn);
    nextTurn(startNext);
    await turn.promise;
    const value = await run(work).finally(() => {
      running -= 1;
      nextTurn(startNext);
    });
    onCommit?.(value);
    if (isDurable) await flush();
    return value;
  };
}
