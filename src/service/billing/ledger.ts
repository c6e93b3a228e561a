import { HttpError } from "../http-error.ts";
import { prepareQuery } from "../store/prepared.ts";
import type { Database, LedgerPostingsTable, NewPostingRow } from "../store/schema.ts";
import type { Store, StoreTransaction } from "../store/store.ts";
import { toCredits } from "./credits.ts";

/** Where credits come from, and where charges go. */
export const ISSUED = "issued";
export const REVENUE = "revenue";

/** The account of what an organization may spend. */
export const accountOf = (organizationId: string) => `organization:${organizationId}`;

/** The account of an organization's credits of the cloud vendor. */
export const awsAccountOf = (organizationId: string) => `aws:${organizationId}`;

/** The account of what is held for an organization's unfinished jobs. */
export const heldFor = (organizationId: string) => `held:${organizationId}`;

const sourceOf = (jobSeq: number) => `job:${jobSeq}`;

/** Grants credits to an organization. All amounts here are in 10^-6 credit. */
export async function grant(
  transaction: StoreTransaction,
  organizationId: string,
  amount: number,
  now: number,
): Promise<void> {
  const source = `grant:${crypto.randomUUID()}`;
  const to = accountOf(organizationId);
  await transfer(transaction, source, [{ kind: "grant", from: ISSUED, to, amount }], now);
}

const insertHold = prepareQuery((store, row: Database["ledger_holds"]) =>
  store.insertInto("ledger_holds").values(row),
);

/** Holds an amount for a job; throws an HttpError (402, )to be rolled back, when there is less. */
export async function hold(
  transaction: StoreTransaction,
  job: { seq: number; organizationId: string },
  amount: number,
  now: number,
): Promise<void> {
  const from = accountOf(job.organizationId);
  const to = heldFor(job.organizationId);
  await insertHold(transaction, { job_seq: job.seq, amount, state: "pending" });
  const balances = await transfer(transaction, sourceOf(job.seq), [{ kind: "hold", from, to, amount }], now);
  const left = balances.get(from) ?? 0;
  if (left < 0) {
    throw new HttpError(
      "INSUFFICIENT_CREDITS",
      `The job is quoted at ${toCredits(amount)} credits, and ${toCredits(left + amount)} are left.`,
    );
  }
}

const postHold = prepareQuery((store, { seq }: { seq: number }) =>
  store
    .updateTable("ledger_holds")
    .set({ state: "posted" })
    .where("job_seq", "=", seq)
    .where("state", "=", "pending")
    .returning("amount"),
);

/**
 * Ends a job's hold, once: all of it goes back, and the actual cost is charged, even where it is more. Returns whether
 * this call did it; every later call changes nothing.
 */
export async function settle(
  transaction: StoreTransaction,
  job: { seq: number; organizationId: string },
  cost: number,
  now: number,
): Promise<boolean> {
  const [held] = (await postHold(transaction, { seq: job.seq })).rows;
  if (!held) return false;
  const source = sourceOf(job.seq);
  const account = accountOf(job.organizationId);
  const from = heldFor(job.organizationId);
  const release = { kind: "release", from, to: account, amount: held.amount } as const;
  const charge = { kind: "charge", from: account, to: REVENUE, amount: cost } as const;
  await transfer(transaction, source, [release, charge], now);
  return true;
}

/** Reads the balance of an account; an unknown one is empty. */
export async function balanceOf(store: Store, account: string): Promise<number> {
  const row = await store
    .selectFrom("ledger_accounts")
    .select("balance")
    .where("id", "=", account)
    .executeTakeFirst();
  return row?.balance ?? 0;
}

interface Transfer {
  kind: LedgerPostingsTable["kind"];
  from: string;
  to: string;
  amount: number;
}

const addToAccounts = prepareQuery((store, rows: Database["ledger_accounts"][]) =>
  store
    .insertInto("ledger_accounts")
    .values(rows)
    .onConflict(conflict =>
      conflict.column("id").doUpdateSet(eb => ({
        balance: eb("ledger_accounts.balance", "+", eb.ref("excluded.balance")),
      })),
    )
    .returning(["id", "balance"]),
);

const insertPostings = prepareQuery((store, rows: NewPostingRow[]) =>
  store.insertInto("ledger_postings").values(rows),
);

/** Posts transfers of one source, and returns the new balances of their accounts. */
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
  const changes = new Map<string, number>();
  for (const { account_id, amount } of postings)
    changes.set(account_id, (changes.get(account_id) ?? 0) + amount);
  /** Rows are locked in one order, so that transactions that post at once never wait for each other in a circle. */
  const ordered = [...changes].sort(([a], [b]) => (a < b ? -1 : 1));
  const accounts = await addToAccounts(
    transaction,
    ordered.map(([id, balance]) => ({ id, balance })),
  );
  await insertPostings(transaction, postings);
  return new Map(accounts.rows.map(({ id, balance }) => [id, balance]));
}
