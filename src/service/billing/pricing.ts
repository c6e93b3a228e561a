import type { CreditPricing } from "../../contract/account.ts";

const usdPerCredit = 0.01;

/** Price of credits: one US cent each, in packs or any amount from ten dollars. */
export const CREDIT_PRICING: CreditPricing = {
  usdPerCredit,
  currency: "USD",
  minimumPurchase: 10,
  packs: [1000, 5000, 10_000, 50_000].map(credits => ({ credits, price: credits * usdPerCredit })),
};
