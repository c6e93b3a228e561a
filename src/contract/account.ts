import type { Kit } from "./kit.ts";

/** What an organization may spend. */
export interface CreditBalance {
  organizationId: string;
  /** Credits of the service, without those that are held for running jobs. */
  svcCredits: number;
  /** Credits of the cloud vendor. */
  awsCredits: number;
  autoRecharge: boolean;
}

/** What credits cost. */
export interface CreditPricing {
  usdPerCredit: number;
  currency: string;
  /** Smallest purchase, in the currency. */
  minimumPurchase: number;
  packs: { credits: number; price: number }[];
}

/** How much of a simulator's daily quota is used up. */
export interface SimulatorUsage {
  deviceQrn: string;
  tier: string;
  /** Jobs a day; null: no limit. */
  dailyLimit: number | null;
  used: number;
  remaining: number | null;
  resetsAt: string;
}

/** Jobs that completed on one day. */
export interface UsageDay {
  /** `YYYY-MM-DD`. */
  date: string;
  count: number;
}

/** Describes a balance. */
export const creditBalanceOf = (kit: Kit) =>
  kit.object({
    organizationId: kit.text(),
    svcCredits: kit.amount(),
    awsCredits: kit.amount(),
    autoRecharge: kit.flag(),
  });

/** Describes the prices of credits. */
export const creditPricingOf = (kit: Kit) =>
  kit.object({
    usdPerCredit: kit.amount(),
    currency: kit.text(),
    minimumPurchase: kit.amount(),
    packs: kit.list(kit.object({ credits: kit.amount(), price: kit.amount() })),
  });

/** Describes the usage of every simulator. */
export const simulatorUsageOf = (kit: Kit) =>
  kit.list(
    kit.object({
      deviceQrn: kit.text(),
      tier: kit.text(),
      dailyLimit: kit.maybe(kit.count()),
      used: kit.count(),
      remaining: kit.maybe(kit.count()),
      resetsAt: kit.time(),
    }),
  );

/** Describes a series of days. */
export const usageSeriesOf = (kit: Kit) => kit.list(kit.object({ date: kit.text(), count: kit.count() }));
