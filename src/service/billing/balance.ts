import { OWN_VENDOR } from "../../contract/qrn.ts";
import { HttpError } from "../http-error.ts";
import type { Store } from "../store/store.ts";
import { toCredits } from "./credits.ts";
import { accountOf, awsAccountOf, balanceOf } from "./ledger.ts";

/** Reads what an organization may spend; the service's own credits go under the name of its vendor code. */
export async function readBalance(
  { store, vendor = OWN_VENDOR }: { store: Store; vendor?: string | undefined },
  organizationId: string,
) {
  const organization = await store
    .selectFrom("organizations")
    .select("auto_recharge")
    .where("id", "=", organizationId)
    .executeTakeFirst();
  if (!organization) throw new HttpError("NOT_FOUND", "The key's organization is no longer there.");
  return {
    organizationId,
    [`${vendor}Credits`]: toCredits(await balanceOf(store, accountOf(organizationId))),
    awsCredits: toCredits(await balanceOf(store, awsAccountOf(organizationId))),
    autoRecharge: organization.auto_recharge !== 0,
  };
}
