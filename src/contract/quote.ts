import { z } from "zod";

/** What a job would cost, in credits. An estimate, never a cap. */
export interface Quote {
  pricingAvailable: true;
  estimatedCost: number;
  deviceQrn: string;
  /** Shots of each program. */
  shots: number;
  /** Programs that are quoted together, 1 if not given. */
  programs?: number;
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
export const quoteSchema = z.discriminatedUnion("pricingAvailable", [
  z.looseObject({
    pricingAvailable: z.literal(true),
    estimatedCost: z.number(),
    deviceQrn: z.string(),
    shots: z.int().min(0),
    programs: z.int().min(1).optional(),
    breakdown: z.strictObject({ task: z.number(), shots: z.number(), time: z.number() }),
    basis: z.string(),
  }),
  z.looseObject({
    pricingAvailable: z.literal(false),
    reason: z.string(),
    deviceQrn: z.string(),
    pricingModel: z.nullable(z.string()),
  }),
]);
