import { CompiledQuery } from "kysely";
import { nextTurn } from "#host/timers";
import type { Commit, CommitOptions } from "../dialect.ts";
import { runQuery, type Store, type StoreTransaction } from "../store.ts";

/** Milliseconds after which a commit takes in no more work, so that requests are answered in between. */
const MAX_BATCH_MS = 5;

const SAVEPOINT = CompiledQuery.raw("savepoint work");
const RELEASE = CompiledQuery.raw("release work");
const ROLLBACK = CompiledQuery.raw("rollback to work");

interface Pending {
  work(transaction: StoreTransaction): Promise<unknown>;
  options: CommitOptions<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Result of a piece of work, reported after the commit. */
type Outcome = { member: Pending } & ({ value: unknown } | { error: unknown });

/**
 * Makes the group commit of a store: work that waits at the same time shares one commit, and commits share one write
 * to the disk by `flush`, during which others continue. Each piece of work is kept whole or not at all.
 */
export function createGroupCommit(store: Store, flush: () => Promise<void>): Commit {
  /** Work that shares no commit, since the one that it shared has failed. */
  const isolated: Pending[] = [];
  const urgent: Pending[] = [];
  const others: Pending[] = [];
  const queues = [isolated, urgent, others];
  let isRunning = false;

  /** Works through one commit, and returns what came of it. When the first piece of work fails, nothing else is in it. */
  async function commitBatch(members: Pending[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    await store.transaction().execute(async transaction => {
      const deadline = performance.now() + MAX_BATCH_MS;
      const isSingle = isolated.length > 0;
      const take = () => isolated.shift() ?? urgent.shift() ?? others.shift();
      for (let member = take(); member; ) {
        const isFirst = members.push(member) === 1;
        if (!isFirst) await runQuery(transaction, SAVEPOINT);
        try {
          outcomes.push({ member, value: await member.work(transaction) });
        } catch (error) {
          if (isFirst) throw error;
          await runQuery(transaction, ROLLBACK).catch(() => {
            throw error;
          });
          outcomes.push({ member, error });
        }
        if (!isFirst) await runQuery(transaction, RELEASE);
        member = isSingle || performance.now() >= deadline ? undefined : take();
      }
    });
    return outcomes;
  }

  async function run(): Promise<void> {
    const members: Pending[] = [];
    const waiting = queues.map(queue => queue.length);
    let outcomes: Outcome[] = [];
    try {
      outcomes = await commitBatch(members);
    } catch (error) {
      if (members.length > 1) isolated.push(...members);
      else {
        const refused =
          members.length > 0 ? members : queues.flatMap((queue, at) => queue.splice(0, waiting[at]));
        for (const { reject } of refused) reject(error);
      }
    }
    answer(outcomes);
    isRunning = queues.some(queue => queue.length > 0);
    if (isRunning) runSoon();
  }

  /** A turn later than soonest, so that what this turn brings shares the commit. */
  const runSoon = () => nextTurn(() => nextTurn(run));

  function answer(outcomes: readonly Outcome[]): void {
    const durable: { member: Pending; value: unknown }[] = [];
    for (const outcome of outcomes) {
      const { member } = outcome;
      if ("error" in outcome) member.reject(outcome.error);
      else {
        try {
          member.options.onCommit?.(outcome.value);
        } catch (error) {
          member.reject(error);
        }
        if (member.options.isDurable === false) member.resolve(outcome.value);
        else durable.push(outcome);
      }
    }
    if (durable.length === 0) return;
    flush().then(
      () => {
        for (const { member, value } of durable) member.resolve(value);
      },
      error => {
        for (const { member } of durable) member.reject(error);
      },
    );
  }

  return (work, options = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const member = { work, options: options as CommitOptions<unknown>, resolve, reject };
    (options.isUrgent ? urgent : others).push(member);
    if (!isRunning) runSoon();
    isRunning = true;
    return promise as ReturnType<typeof work>;
  };
}
