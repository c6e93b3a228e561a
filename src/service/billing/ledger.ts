import { sql } from "kysely";
import { HttpError } from "../http-error.ts";
import { addCounts, readCount } from "../store/rows.ts";
import type { Budget, LedgerPostingsTable } from "../store/schema.ts";
import type { Store, StoreTransaction } from "../store/store.ts";
import { toCredits } from "./price.ts";

/** Source of credits, and destination of charges. */
const ISSUED = "issued";
const REVENUE = "revenue";

/** The account of an organization's spendable credits. */
export const accountOf = (organizationId: string) => `organization:${organizationId}`;

/** The account of a user with personal credits. */
export const userAccountOf = (userId: number) => `user:${userId}`;

/** The account that pays for a caller's jobs. */
export const payerOf = ({ userId, organizationId, budget }: Payer) =>
  budget?.own_credits ? userAccountOf(userId) : accountOf(organizationId);

interface Payer {
  userId: number;
  organizationId: string;
  budget?: Budget | undefined;
}

/** The account of an organization's credits of the cloud vendor. */
export const awsAccountOf = (organizationId: string) => `aws:${organizationId}`;

/** The account of credits held for an organization's unfinished jobs. */
export const heldFor = (organizationId: string) => `held:${organizationId}`;

const sourceOf = (jobSeq: number) => `job:${jobSeq}`;

/** Grants credits to an account. All amounts here are in 10^-6 credit. */
export async function grant(
  transaction: StoreTransaction,
  to: string,
  amount: number,
  now: number,
): Promise<void> {
  const source = `grant:${crypto.randomUUID()}`;
  await transfer(transaction, source, [{ kind: "grant", from: ISSUED, to, amount }], now);
}

/** A new job, and the amount that is to be held for it. */
interface HeldJob {
  seq: number;
  caller: Payer;
  amount: number;
}

/** Holds the amount of a new job. Throws an HttpError (402) where there is less. */
export async function holdCredits(
  transaction: StoreTransaction,
  { seq, caller, amount }: HeldJob,
  now: number,
): Promise<void> {
  const payer = payerOf(caller);
  const hold: Transfer = { kind: "hold", from: payer, to: heldFor(caller.organizationId), amount };
  const left = (await transfer(transaction, sourceOf(seq), [hold], now)).get(payer) ?? 0;
  if (left < 0) {
    const whose = caller.budget?.own_credits ? "your own budget" : "your organization's credits";
    const message = `The job needs ${toCredits(amount)} credits, and ${toCredits(left + amount)} are left of ${whose}.`;
    throw new HttpError("INSUFFICIENT_CREDITS", message);
  }
  await transaction
    .insertInto("ledger_holds")
    .values({ job_seq: seq, amount, state: "pending", account_id: payer })
    .execute();
}

interface SettledJob {
  seq: number;
  organizationId: string;
  cost: number;
}

/**
 * Ends the hold of a job, once: the whole amount returns to its account, which is charged the actual cost, even if it is
 * higher. Returns whether this call ended it; later ones change nothing.
 */
export async function settle(
  transaction: StoreTransaction,
  { seq, organizationId, cost }: SettledJob,
  now: number,
): Promise<boolean> {
  if (!Number.isSafeInteger(cost)) throw new RangeError(`A job can't cost ${cost} millionths of a credit.`);
  const hold = await transaction
    .updateTable("ledger_holds")
    .set({ state: "posted" })
    .where("job_seq", "=", seq)
    .where("state", "=", "pending")
    .returning(["amount", "account_id"])
    .executeTakeFirst();
  if (!hold) return false;
  const { amount, account_id: payer } = hold;
  const transfers: Transfer[] = [
    { kind: "release", from: heldFor(organizationId), to: payer, amount },
    { kind: "charge", from: payer, to: REVENUE, amount: cost },
  ];
  await transfer(transaction, sourceOf(seq), transfers, now);
  return true;
}

/** Reads the balance of an account; an unknown one is empty. */
export const balanceOf = (store: Store, account: string): Promise<number> =>
  readCount(store, "ledger_accounts", "balance", { id: account });

interface Transfer {
  kind: LedgerPostingsTable["kind"];
  from: string;
  to: string;
  amount: number;
}

/**
 * Posts transfers, and returns the new balances of their accounts. Those are locked in one order, so transactions never
 * wait for each other in a circle.
 */
async function transfer(
  transaction: StoreTransaction,
  source: string,
  transfers: readonly Transfer[],
  now: number,
): Promise<Map<string, number>> {
  const postings = transfers
    .filter(({ amount }) => amount !== 0)
    .flatMap(({ kind, from, to, amount }) => [
      { source, kind, account_id: from, amount: -amount, created_at: now },
      { source, kind, account_id: to, amount, created_at: now },
    ]);
  if (postings.length === 0) return new Map();
  const changes = Array.from(
    Map.groupBy(postings, posting => posting.account_id),
    ([id, mine]) => ({
      id,
      balance: mine.reduce((sum, { amount }) => sum + amount, 0),
    }),
  ).sort((a, b) => (a.id < b.id ? -1 : 1));
  const accounts = await addCounts(transaction, "ledger_accounts", ["id"], changes);
  await transaction.insertInto("ledger_postings").values(postings).execute();
  return new Map(accounts.map(({ id, balance }) => [id, balance]));
}

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
