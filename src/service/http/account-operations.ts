import {
  creditBalanceSchema,
  creditPricingSchema,
  simulatorUsageSchema,
  usageSeriesSchema,
} from "../../contract/account.ts";
import { readBalance } from "../billing/balance.ts";
import { CREDIT_PRICING } from "../billing/pricing.ts";
import type { Context } from "../context.ts";
import { readSeries } from "../usage/series.ts";
import { readUsage } from "../usage/usage.ts";
import { type Operation, operation } from "./operation.ts";
import { seriesQuery } from "./queries.ts";

const tag = "Account";

/** The operations on credits and usage. */
export function accountOperations(context: Context): Operation[] {
  return [
    operation({
      id: "getCreditBalance",
      method: "get",
      path: "/billing/credits/balance",
      tag,
      summary: "What the key's organization may spend.",
      data: creditBalanceSchema,
      errors: ["NOT_FOUND"],
      handle: ({ caller }) => readBalance(context.store, caller.organizationId),
    }),
    operation({
      id: "getCreditPricing",
      method: "get",
      path: "/billing/credits/pricing",
      tag,
      summary: "What credits cost. Needs no key.",
      guarded: false,
      data: creditPricingSchema,
      handle: async () => CREDIT_PRICING,
    }),
    operation({
      id: "getSimulatorUsage",
      method: "get",
      path: "/usage/simulator",
      tag,
      summary: "The daily quota of each simulator, and how much of it is used.",
      data: simulatorUsageSchema,
      handle: ({ caller }) => readUsage(context, caller),
    }),
    operation({
      id: "getSimulatorUsageSeries",
      method: "get",
      path: "/usage/simulator/series",
      tag,
      summary: "How many of the caller's jobs completed on a simulator, day by day.",
      query: seriesQuery,
      data: usageSeriesSchema,
      errors: ["VALIDATION_ERROR", "NOT_FOUND"],
      handle: ({ caller, query }) => readSeries(context, caller, query),
    }),
  ];
}
