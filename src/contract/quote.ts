import type { OpenEnum } from "./status.ts";

/** Parameters of a quote. */
export interface QuoteRequest {
  /** Resource name of the device. */
  deviceQrn: string;
  /** Shots of each program, 1 to 100,000. Default: 1000. */
  shots?: number;
  /** Programs of a batch. Default: 1. */
  programs?: number;
  /** Seconds that a simulator is expected to take for all programs, by their cost model. Default: unknown. */
  seconds?: number;
}

/** Estimated cost of a job, in credits; not a cap. */
export interface Quote {
  /** There is a quote. */
  pricingAvailable: true;
  /** Credits that the job is expected to cost. */
  estimatedCost: number;
  /** Resource name of the device. */
  deviceQrn: string;
  /** Shots of each program. */
  shots: number;
  /** Programs that the estimate is for; 1 from a service that quotes single programs only. */
  programs?: number;
  /** Credits for the task, its shots and its time; null where the service does not say. */
  breakdown: { task: number | null; shots: number | null; time: number | null } | null;
  /** Basis of the estimate; null if unknown. */
  basis: string | null;
}

/** The answer for a device whose jobs can't be quoted. */
export interface NoQuote {
  /** There is no quote. */
  pricingAvailable: false;
  /** Reason; empty if unknown. */
  reason: OpenEnum<"no_pricing_configured" | "dynamic_pricing_unavailable">;
  /** Resource name of the device. */
  deviceQrn: string;
  /** `fixed` or `dynamic`; null where the service does not say. */
  pricingModel: string | null;
}
