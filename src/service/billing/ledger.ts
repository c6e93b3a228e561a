import { randomUUID } from "node:crypto";
import { Refusal } from "../refusal.ts";
import type { LedgerPostingsTable } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
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

/** Gives credits to an organization. All amounts here are in 10^-6 credit. */
export function grant(store: Store, organizationId: string, amount: number, now: number): Promise<void> {
  const source = `grant:${randomUUID()}`;
  return transfer(store, { source, kind: "grant", from: ISSUED, to: accountOf(organizationId), amount, now });
}

/** Holds an amount for a job; refuses with 402, to be rolled back, when there is less. */
export async function hold(
  store: Store,
  job: { seq: number; organizationId: string },
  amount: number,
  now: number,
): Promise<void> {
  const from = accountOf(job.organizationId);
  const to = heldFor(job.organizationId);
  await store.insertInto("ledger_holds").values({ job_seq: job.seq, amount, state: "pending" }).execute();
  await transfer(store, { source: sourceOf(job.seq), kind: "hold", from, to, amount, now });
  const left = await balanceOf(store, from);
  if (amount > 0 && left < 0) {
    throw new Refusal(
      "INSUFFICIENT_CREDITS",
      `The job is quoted at ${toCredits(amount)} credits, and ${toCredits(left + amount)} are left.`,
    );
  }
}

/**
 * Ends a job's hold, once: all of it goes back, and the actual cost is charged, even where it is more. Says whether
 * this call did it; every later call changes nothing.
 */
export async function settle(
  store: Store,
  job: { seq: number; organizationId: string },
  cost: number,
  now: number,
): Promise<boolean> {
  const held = await store
    .updateTable("ledger_holds")
    .set({ state: "posted" })
    .where("job_seq", "=", job.seq)
    .where("state", "=", "pending")
    .returning("amount")
    .executeTakeFirst();
  if (!held) return false;
  const source = sourceOf(job.seq);
  const account = accountOf(job.organizationId);
  const from = heldFor(job.organizationId);
  await transfer(store, { source, kind: "release", from, to: account, amount: held.amount, now });
  await transfer(store, { source, kind: "charge", from: account, to: REVENUE, amount: cost, now });
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
  source: string;
  kind: LedgerPostingsTable["kind"];
  from: string;
  to: string;
  amount: number;
  now: number;
}

async function transfer(store: Store, { source, kind, from, to, amount, now }: Transfer): Promise<void> {
  if (amount === 0) return;
  await add(store, from, -amount);
  await add(store, to, amount);
  await store
    .insertInto("ledger_postings")
    .values([
      { source, kind, account_id: from, amount: -amount, created_at: now },
      { source, kind, account_id: to, amount, created_at: now },
    ])
    .execute();
}

async function add(store: Store, id: string, amount: number): Promise<void> {
  await store
    .insertInto("ledger_accounts")
    .values({ id, balance: amount })
    .onConflict(conflict =>
      conflict.column("id").doUpdateSet(eb => ({
        balance: eb("ledger_accounts.balance", "+", eb.ref("excluded.balance")),
      })),
    )
    .execute();
}
