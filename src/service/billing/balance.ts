import type { CreditBalance } from "../../contract/account.ts";
import { HttpError } from "../http-error.ts";
import type { Store } from "../store/store.ts";
import { toCredits } from "./credits.ts";
import { accountOf, awsAccountOf, balanceOf } from "./ledger.ts";

/** Reads what an organization may spend. */
export async function readBalance(store: Store, organizationId: string): Promise<CreditBalance> {
  const organization = await store
    .selectFrom("organizations")
    .select("auto_recharge")
    .where("id", "=", organizationId)
    .executeTakeFirst();
  if (!organization) throw new HttpError("NOT_FOUND", "The key's organization is no longer there.");
  return {
    organizationId,
    svcCredits: toCredits(await balanceOf(store, accountOf(organizationId))),
    awsCredits: toCredits(await balanceOf(store, awsAccountOf(organizationId))),
    autoRecharge: organization.auto_recharge !== 0,
  };
}
