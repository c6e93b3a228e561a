import type { CallOptions } from "../../client/options.ts";
import type { CreditBalance, CreditPricing } from "../../contract/account.ts";
import { balanceCard, pricingTable } from "../../display/index.ts";
import type { Ketbook } from "../ketbook.ts";
import { Lazy } from "../values/lazy.ts";
import { recordClass } from "../values/record.ts";
import type { Shown } from "../values/shown.ts";

/** What your organization may spend, in credits; it shows itself as a card. */
export interface Balance extends CreditBalance, Shown {}

/** What credits cost; it shows itself as a table. */
export interface Pricing extends CreditPricing, Shown {}

const pricingOf = recordClass<CreditPricing>(pricingTable);

/** Asks what an organization may spend. */
export function credits({ client }: Ketbook, options?: CallOptions): Lazy<Balance> {
  return new Lazy("Credits", async () => {
    const [balance, summary] = await Promise.all([
      client.account.balance(options),
      client.jobs.summary(options).catch(() => undefined),
    ]);
    const spent = summary?.cost.total;
    return recordClass<CreditBalance>(record => balanceCard(record, { spent }))(balance);
  });
}

/** Asks what credits cost. */
export function pricing({ client }: Ketbook, options?: CallOptions): Lazy<Pricing> {
  return new Lazy("Pricing", async () => pricingOf(await client.account.pricing(options)));
}
