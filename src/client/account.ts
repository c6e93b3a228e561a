import {
  type CreditBalance,
  type CreditPricing,
  creditBalanceSchema,
  creditPricingSchema,
  type SimulatorUsage,
  simulatorUsageSchema,
  type UsageDay,
  usageSeriesSchema,
} from "../contract/account.ts";
import { readerOf } from "./reader.ts";
import { type CallOptions, payload, type Transport } from "./transport.ts";

const balance = readerOf(creditBalanceSchema);
const pricing = readerOf(creditPricingSchema);
const usage = readerOf(simulatorUsageSchema);
const series = readerOf(usageSeriesSchema);

/** Which days of a simulator's usage are asked for. */
export interface UsageSeriesQuery {
  deviceQrn: string;
  /** Days to look back, 0 to 365; 30 if not given, 0 for all time. */
  days?: number;
  /** IANA name of the time zone whose days are meant; UTC if not given. */
  timezone?: string;
}

/** The account operations of the service. */
export interface AccountClient {
  balance(options?: CallOptions): Promise<CreditBalance>;
  /** What credits cost. */
  pricing(options?: CallOptions): Promise<CreditPricing>;
  /** How much of each simulator's daily quota is used up. */
  usage(options?: CallOptions): Promise<SimulatorUsage[]>;
  /** Completed jobs of one simulator, day by day. */
  usageSeries(query: UsageSeriesQuery, options?: CallOptions): Promise<UsageDay[]>;
}

/** Opens the account operations over a transport. */
export function accountClient(send: Transport): AccountClient {
  const ask = payload(send);
  return {
    balance: options => ask("GET", "/billing/credits/balance", balance, options),
    pricing: options => ask("GET", "/billing/credits/pricing", pricing, options),
    usage: options => ask("GET", "/usage/simulator", usage, options),
    usageSeries: (query, options) => ask("GET", "/usage/simulator/series", series, { query, ...options }),
  };
}
