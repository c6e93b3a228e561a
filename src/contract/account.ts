import { z } from "zod";

/** What an organization may spend. */
export interface CreditBalance {
  organizationId: string;
  /** Credits of the service, without those that are held for running jobs; null where it does not say. */
  svcCredits: number | null;
  /** Credits of the cloud vendor; null where the service does not say. */
  awsCredits: number | null;
  autoRecharge: boolean | null;
}

/** What credits cost. */
export interface CreditPricing {
  /** Null where the service does not say. */
  usdPerCredit: number | null;
  currency: string;
  /** Smallest purchase, in the currency; null where the service does not say. */
  minimumPurchase: number | null;
  packs: { credits: number; price: number }[];
}

/** How much of a simulator's daily quota is used up. */
export interface SimulatorUsage {
  deviceQrn: string;
  tier: string;
  /** Jobs a day; null: no limit. */
  dailyLimit: number | null;
  /** Jobs of today; null where the service does not say. */
  used: number | null;
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
export const creditBalanceSchema = z.strictObject({
  organizationId: z.string(),
  svcCredits: z.number(),
  awsCredits: z.number(),
  autoRecharge: z.boolean(),
});

/** Describes the prices of credits. */
export const creditPricingSchema = z.strictObject({
  usdPerCredit: z.number(),
  currency: z.string(),
  minimumPurchase: z.number(),
  packs: z.array(z.strictObject({ credits: z.number(), price: z.number() })),
});

/** Describes the usage of every simulator. */
export const simulatorUsageSchema = z.array(
  z.strictObject({
    deviceQrn: z.string(),
    tier: z.string(),
    dailyLimit: z.nullable(z.int().min(0)),
    used: z.int().min(0),
    remaining: z.nullable(z.int().min(0)),
    resetsAt: z.iso.datetime(),
  }),
);

/** Describes a series of days. */
export const usageSeriesSchema = z.array(z.strictObject({ date: z.string(), count: z.int().min(0) }));
