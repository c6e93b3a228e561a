import { z } from "zod";
import type { Kit } from "./kit.ts";

/** What a job would cost, in credits. An estimate, never a cap. */
export interface Quote {
  pricingAvailable: true;
  estimatedCost: number;
  deviceQrn: string;
  shots: number;
  /** Credits for the task, its shots and its time. */
  breakdown: { task: number; shots: number; time: number };
  /** What the estimate rests on, in words. */
  basis: string;
}

/** The answer for a device whose jobs can't be quoted. */
export interface NoQuote {
  pricingAvailable: false;
  /** `no_pricing_configured` or `dynamic_pricing_unavailable`. */
  reason: string;
  deviceQrn: string;
  pricingModel: string | null;
}

/** Describes the answer to a request for a quote. */
export const quoteOf = (kit: Kit) =>
  z.discriminatedUnion("pricingAvailable", [
    z.looseObject({
      pricingAvailable: z.literal(true),
      estimatedCost: kit.amount(),
      deviceQrn: kit.text(),
      shots: kit.count(),
      breakdown: kit.object({ task: kit.amount(), shots: kit.amount(), time: kit.amount() }),
      basis: kit.text(),
    }),
    z.looseObject({
      pricingAvailable: z.literal(false),
      reason: kit.text(),
      deviceQrn: kit.text(),
      pricingModel: kit.maybe(kit.text()),
    }),
  ]);
