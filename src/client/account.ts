import {
  type CreditBalance,
  type CreditPricing,
  isRecord,
  type Reader,
  recordReader,
  SCHEMAS,
  type SimulatorUsage,
  type UsageDay,
} from "../contract/index.ts";
import type { CallOptions } from "./options.ts";
import { listReader, type Rows } from "./records.ts";
import { dataFetcher, type Transport } from "./transport.ts";

const readBalance = recordReader<CreditBalance>(SCHEMAS.CreditBalance);
const readPricing = recordReader<CreditPricing>(SCHEMAS.CreditPricing);
const readUsage = listReader(
  recordReader<SimulatorUsage>(SCHEMAS.SimulatorUsage, { required: ["deviceQrn"] }),
);
const readSeries = listReader(recordReader<UsageDay>(SCHEMAS.UsageDay, { required: ["date", "count"] }));

/** Reads a balance, which lists the service's credits under its vendor code. */
const readAnyBalance: Reader<CreditBalance> = value => {
  if (isRecord(value)) {
    const own = Object.keys(value).find(name => /^(?!aws).+Credits$/.test(name));
    if (own) value.svcCredits ??= value[own];
  }
  return readBalance(value);
};

/** Selects the days of a simulator's usage. */
export interface UsageSeriesQuery {
  /** Resource name of the simulator. */
  deviceQrn: string;
  /** Days to look back, 0 to 365; 30 if not given, 0 for all time. */
  days?: number;
  /** IANA name of the time zone whose days are meant; UTC if not given. */
  timezone?: string;
}

/** The account operations of the service. */
export interface AccountClient {
  /** Returns the organization's credit balances. */
  balance(options?: CallOptions): Promise<CreditBalance>;
  /** Returns the price of credits. */
  pricing(options?: CallOptions): Promise<CreditPricing>;
  /** Returns the usage of each simulator's daily quota; `unread` holds unreadable rows. */
  usage(options?: CallOptions): Promise<SimulatorUsage[] & Pick<Rows<SimulatorUsage>, "unread">>;
  /** Completed jobs of one simulator, day by day; `unread` holds what could not be read. */
  usageSeries(
    query: UsageSeriesQuery,
    options?: CallOptions,
  ): Promise<UsageDay[] & Pick<Rows<UsageDay>, "unread">>;
}

export function accountClient(send: Transport): AccountClient {
  const fetchData = dataFetcher(send);
  return {
    balance: options => fetchData("GET /billing/credits/balance", readAnyBalance, options),
    pricing: options => fetchData("GET /billing/credits/pricing", readPricing, options),
    usage: options => fetchData("GET /usage/simulator", readUsage, options),
    usageSeries: (query, options) => fetchData("GET /usage/simulator/series", readSeries, options, { query }),
  };
}
