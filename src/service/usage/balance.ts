import type { UserBudget } from "../../contract/account.ts";
import { OWN_VENDOR } from "../../contract/qrn.ts";
import type { Caller } from "../accounts/caller.ts";
import { toCredits } from "../billing/credits.ts";
import { awsAccountOf, balanceOf, payerOf } from "../billing/ledger.ts";
import { HttpError } from "../http-error.ts";
import type { Store } from "../store/store.ts";
import { bytesOfUsers } from "./storage.ts";
import { countUnfinished } from "./waiting.ts";

/** Reads what a caller may spend, and the caller's own budget, if there is one; the service's own credits go under the name of its vendor code. */
export async function readBalance(
  { store, vendor = OWN_VENDOR }: { store: Store; vendor?: string | undefined },
  caller: Caller,
) {
  const { organizationId } = caller;
  const organization = await store
    .selectFrom("organizations")
    .select("auto_recharge")
    .where("id", "=", organizationId)
    .executeTakeFirst();
  if (!organization) throw new HttpError("NOT_FOUND", "The key's organization is no longer there.");
  return {
    organizationId,
    [`${vendor}Credits`]: toCredits(await balanceOf(store, payerOf(caller))),
    awsCredits: toCredits(await balanceOf(store, awsAccountOf(organizationId))),
    autoRecharge: organization.auto_recharge !== 0,
    ...(await readBudget(store, caller)),
  };
}

/** Reads a caller's own budget, and how much of it is used. */
async function readBudget(store: Store, { userId, budget }: Caller): Promise<{ budget?: UserBudget }> {
  const { own_credits = 0, max_stored_bytes = null, max_waiting_jobs = null } = budget ?? {};
  if (own_credits === 0 && max_stored_bytes === null && max_waiting_jobs === null) return {};
  return {
    budget: {
      ownCredits: own_credits !== 0,
      storedBytes: (await bytesOfUsers(store, [userId])).get(userId) ?? 0,
      maxStoredBytes: max_stored_bytes,
      waitingJobs: (await countUnfinished(store, [userId])).get(userId) ?? 0,
      maxWaitingJobs: max_waiting_jobs,
    },
  };
}
