import { setTimeout as sleep } from "node:timers/promises";
import type { Commit } from "../dialect.ts";
import type { Store } from "../store.ts";
import { MAX_CONNECTIONS } from "./pool.ts";
import { isOutdated } from "./prepared.ts";

/** Transactions of a process that run at once; other connections are left to reads. */
const MAX_TRANSACTIONS = Math.ceil(MAX_CONNECTIONS / 2);
const MAX_ATTEMPTS = 10;
const MAX_PAUSE_MS = 100;

/** PostgreSQL's codes for transactions rolled back in favor of others; the last is for an idle transaction. */
const ROLLED_BACK: ReadonlySet<unknown> = new Set(["40001", "40P01", "25P03"]);

/**
 * Makes the function that runs work in transactions of its own, some at a time, urgent ones first. What was rolled back
 * for another transaction's sake is run again; what failed otherwise, and may have been committed, is not.
 */
export function createRetryingCommit(store: Store): Commit {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;

  async function enter(isUrgent: boolean): Promise<void> {
    if (running < MAX_TRANSACTIONS) {
      running += 1;
      return;
    }
    await new Promise<void>(resolve => (isUrgent ? urgent : others).push(resolve));
  }

  /** Hands the place on to who waits for it. */
  function leave(): void {
    const next = urgent.shift() ?? others.shift();
    if (next) next();
    else running -= 1;
  }

  return async (work, { isUrgent = false, onCommit } = {}) => {
    await enter(isUrgent);
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const value = await store.transaction().execute(work);
          onCommit?.(value);
          return value;
        } catch (error) {
          if (attempt >= MAX_ATTEMPTS || !isRolledBack(error)) throw error;
        }
        await sleep(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** attempt));
      }
    } finally {
      leave();
    }
  };
}

const isRolledBack = (error: unknown) =>
  isOutdated(error) || ROLLED_BACK.has((error as { code?: unknown } | null)?.code);
