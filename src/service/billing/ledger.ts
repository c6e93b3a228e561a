import { HttpError } from "../http-error.ts";
import { prepareCounts, prepareRows } from "../store/prepared.ts";
import type { Budget, Database, LedgerPostingsTable, NewPostingRow } from "../store/schema.ts";
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
  await transfer(transaction, [{ source, kind: "grant", from: ISSUED, to, amount }], now);
}

const insertHolds = prepareRows((store, rows: Database["ledger_holds"][]) =>
  store.insertInto("ledger_holds").values(rows),
);

/** A new job, and the amount that is to be held for it. */
interface HeldJob {
  seq: number;
  caller: Payer;
  amount: number;
}

/** Holds the amounts of new jobs. Throws an HttpError (402) where there is less. */
export async function holdCredits(
  transaction: StoreTransaction,
  jobs: readonly HeldJob[],
  now: number,
): Promise<void> {
  const transfers = jobs.map(({ seq, caller, amount }): Transfer => {
    const [from, to] = [payerOf(caller), heldFor(caller.organizationId)];
    return { source: sourceOf(seq), kind: "hold", from, to, amount };
  });
  const balances = await transfer(transaction, transfers, now);
  for (const { caller, amount } of jobs) {
    const left = balances.get(payerOf(caller)) ?? 0;
    if (left >= 0) continue;
    const whose = caller.budget?.own_credits ? "your own budget" : "your organization's credits";
    const message = `The job is quoted at ${toCredits(amount)} credits, and ${toCredits(left + amount)} are left of ${whose}.`;
    throw new HttpError("INSUFFICIENT_CREDITS", message);
  }
  await insertHolds(
    transaction,
    jobs.map(({ seq, caller, amount }) => ({
      job_seq: seq,
      amount,
      state: "pending" as const,
      account_id: payerOf(caller),
    })),
  );
}

interface SettledJob {
  seq: number;
  organizationId: string;
  cost: number;
}

const postHolds = prepareRows((store, seqs: number[]) =>
  store
    .updateTable("ledger_holds")
    .set({ state: "posted" })
    .where("job_seq", "in", seqs)
    .where("state", "=", "pending")
    .returning(["job_seq", "amount", "account_id"]),
);

/**
 * Ends the holds of jobs, each once: the whole amount returns to its account, which is charged the actual cost, even if
 * it is higher. Returns the jobs whose holds this call ended; later calls change nothing.
 */
export async function settle(
  transaction: StoreTransaction,
  jobs: readonly SettledJob[],
  now: number,
): Promise<SettledJob[]> {
  for (const { cost } of jobs)
    if (!Number.isSafeInteger(cost)) throw new RangeError(`A job can't cost ${cost} millionths of a credit.`);
  const rows = await postHolds(
    transaction,
    jobs.map(({ seq }) => seq),
  );
  const held = new Map(rows.map(row => [row.job_seq, row]));
  const settled = jobs.filter(({ seq }) => held.has(seq));
  const transfers = settled.flatMap(({ seq, organizationId, cost }): Transfer[] => {
    const source = sourceOf(seq);
    const { amount, account_id: payer } = held.get(seq)!;
    return [
      { source, kind: "release", from: heldFor(organizationId), to: payer, amount },
      { source, kind: "charge", from: payer, to: REVENUE, amount: cost },
    ];
  });
  await transfer(transaction, transfers, now);
  return settled;
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
  source: string;
  kind: LedgerPostingsTable["kind"];
  from: string;
  to: string;
  amount: number;
}

const addToAccounts = prepareCounts("ledger_accounts", ["id"], ["balance"]);

const insertPostings = prepareRows((store, rows: NewPostingRow[]) =>
  store.insertInto("ledger_postings").values(rows),
);

/** Returns the new balances of the accounts that something was posted to. */
async function transfer(
  transaction: StoreTransaction,
  transfers: readonly Transfer[],
  now: number,
): Promise<Map<string, number>> {
  const postings = transfers
    .filter(({ amount }) => amount !== 0)
    .flatMap(({ source, kind, from, to, amount }) => [
      { source, kind, account_id: from, amount: -amount, created_at: now },
      { source, kind, account_id: to, amount, created_at: now },
    ]);
  const accounts = await addToAccounts(
    transaction,
    postings.map(({ account_id, amount }) => ({ id: account_id, balance: amount })),
  );
  await insertPostings(transaction, postings);
  return new Map(accounts.map(({ id, balance }) => [id, balance]));
}
