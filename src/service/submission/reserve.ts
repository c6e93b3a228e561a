import type { Caller } from "../accounts/caller.ts";
import { type HoldDemand, takeCredits } from "../billing/ledger.ts";
import type { HttpError } from "../http-error.ts";
import type { StoreTransaction } from "../store/store.ts";
import { giveBackQuota, type QuotaDemand, takeQuota } from "../usage/quota.ts";
import { giveBackStorage, type StorageDemand, takeStorage } from "../usage/storage.ts";
import { refuseWaiting } from "../usage/waiting.ts";

/** Resources that a new job reserves. */
export interface Demand extends StorageDemand, QuotaDemand, HoldDemand {
  caller: Caller;
  /** Whether it counts in the quota of its device. */
  isSimulator: boolean;
}

/**
 * Takes what jobs need of the storage, credits, quotas and waiting jobs of their users and organizations. Returns
 * HttpErrors for those that there is not enough for, which take nothing.
 */
export async function reserve<Job extends Demand>(
  transaction: StoreTransaction,
  jobs: readonly Job[],
  now: number,
): Promise<Map<Job, HttpError>> {
  const isCounted = ({ isSimulator }: Job) => isSimulator;
  const tooLarge = await takeStorage(transaction, jobs, now);
  const tooMany = await refuseWaiting(
    transaction,
    jobs.filter(job => !tooLarge.has(job)),
  );
  const kept = jobs.filter(job => !tooLarge.has(job) && !tooMany.has(job));
  const overQuota = await takeQuota(transaction, kept.filter(isCounted), now);
  const counted = kept.filter(job => !overQuota.has(job));
  const unpaid = await takeCredits(transaction, counted);
  await giveBackQuota(transaction, [...unpaid.keys()].filter(isCounted), now);
  await giveBackStorage(transaction, [...tooMany.keys(), ...overQuota.keys(), ...unpaid.keys()]);
  return new Map([...tooLarge, ...tooMany, ...overQuota, ...unpaid]);
}
