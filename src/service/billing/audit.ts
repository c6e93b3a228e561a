import { sql } from "kysely";
import type { Store } from "../store/store.ts";
import { toCredits } from "./price.ts";

const MAX_PROBLEMS = 20;

/** Compares the balances of the ledger's accounts, in a time that does not grow with the jobs. Returns the differences found. */
export async function auditAccounts(store: Store): Promise<string[]> {
  const { total } = await store
    .selectFrom("ledger_accounts")
    .select(eb => eb.fn.sum<number | null>("balance").as("total"))
    .executeTakeFirstOrThrow();
  return (total ?? 0) === 0 ? [] : [`the balances sum to ${toCredits(total ?? 0)} credits, not to 0`];
}

/**
 * Audits the ledger: the postings of every transfer sum to zero, every balance is the sum of its postings, what is held
 * is what unfinished jobs hold, and what has ended is settled at its cost. Returns what is wrong, in sentences.
 */
export async function auditLedger(store: Store): Promise<string[]> {
  const problems = await Promise.all([
    auditAccounts(store),
    ...CHECKS.map(async ({ query, say }) => {
      const { rows } = await sql<Row>`${sql.raw(query)} limit ${MAX_PROBLEMS}`.execute(store);
      return rows.map(say);
    }),
  ]);
  return problems.flat();
}

interface Row {
  name: string;
  expected: number;
  actual: number;
}

const CHECKS: readonly { query: string; say(row: Row): string }[] = [
  {
    query: `select source || ' (' || kind || ')' as name, 0 as expected, sum(amount) as actual
      from ledger_postings group by source, kind having sum(amount) <> 0`,
    say: ({ name, actual }) => `the postings of ${name} sum to ${toCredits(actual)} credits, not to 0`,
  },
  {
    query: `select id as name, balance as expected, actual from
      (select id, balance, coalesce((select sum(amount) from ledger_postings where account_id = id), 0) as actual
        from ledger_accounts) as accounts where balance <> actual`,
    say: ({ name, expected, actual }) =>
      `the balance of ${name} is ${toCredits(expected)} credits, and its postings sum to ${toCredits(actual)}`,
  },
  {
    query: `select account_id as name, 0 as expected, sum(amount) as actual from ledger_postings
      where account_id not in (select id from ledger_accounts) group by account_id`,
    say: ({ name, actual }) =>
      `there are postings of ${toCredits(actual)} credits to ${name}, which is not an account`,
  },
  {
    query: `select id as name, balance as expected, actual from
      (select id, balance, coalesce((select sum(ledger_holds.amount) from ledger_holds
          join jobs on jobs.seq = job_seq
          where state = 'pending' and 'held:' || organization_id = id), 0) as actual
        from ledger_accounts where id like 'held:%') as accounts where balance <> actual`,
    say: ({ name, expected, actual }) =>
      `${name} has ${toCredits(expected)} credits, and its jobs hold ${toCredits(actual)}`,
  },
  {
    query: `select qrn as name, 0 as expected, 0 as actual from jobs left join ledger_holds on job_seq = seq
      where state is null or (state = 'pending') <> (ended_at is null)`,
    say: ({ name }) => `the hold of the job ${name} does not fit its status`,
  },
  {
    query: `select qrn as name, cost as expected, actual from
      (select qrn, cost, coalesce((select amount from ledger_postings
          where source = 'job:' || jobs.seq and kind = 'charge' and account_id = 'revenue'), 0) as actual
        from jobs where ended_at is not null) as ended where cost <> actual`,
    say: ({ name, expected, actual }) =>
      `the job ${name} cost ${toCredits(expected)} credits, and was charged ${toCredits(actual)}`,
  },
];
