import type { CallOptions } from "../../client/options.ts";
import type { CreditBalance, CreditPricing } from "../../contract/account.ts";
import { balanceCard, pricingTable } from "../../display/index.ts";
import type { Session } from "../session.ts";
import type { DisplayableValue } from "../values/displayable-value.ts";
import { LazyValue } from "../values/lazy-value.ts";
import { recordClass } from "../values/record.ts";

const pricingOf = recordClass<CreditPricing>(pricingTable);

/** Asks what an organization may spend. */
export function credits(
  { client }: Session,
  options?: CallOptions,
): LazyValue<CreditBalance & DisplayableValue> {
  return new LazyValue("Credits", async () => {
    const [balance, summary] = await Promise.all([
      client.account.balance(options),
      client.jobs.summary(options).catch(() => undefined),
    ]);
    const spent = summary?.cost.total;
    return recordClass<CreditBalance>(record => balanceCard(record, { spent }))(balance);
  });
}

/** Asks what credits cost. */
export function pricing(
  { client }: Session,
  options?: CallOptions,
): LazyValue<CreditPricing & DisplayableValue> {
  return new LazyValue("Pricing", async () => pricingOf(await client.account.pricing(options)));
}
