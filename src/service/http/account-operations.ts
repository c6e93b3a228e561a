import { OWN_VENDOR } from "../../contract/index.ts";
import {
  balanceSchemaOf,
  calibrationSchema,
  creditBalanceSchema,
  creditPricingSchema,
  deviceSchema,
  keyOwnerSchema,
  simulatorUsageSchema,
  usageSeriesSchema,
} from "../../contract/schemas/index.ts";
import { CREDIT_PRICING } from "../billing/price.ts";
import type { Context } from "../context.ts";
import { getCalibration, getDevice, listDevices } from "../devices.ts";
import { readBalance, readSeries, readUsage } from "../usage/usage.ts";
import { type Operation, operation, paginated, withTag } from "./operation.ts";
import { calibrationQuery, devicesQuery, seriesQuery } from "./queries.ts";

export function accountOperations(context: Context): Operation[] {
  const { vendor = OWN_VENDOR } = context;
  const isRenamed = vendor !== OWN_VENDOR;
  return withTag("Account", [
    operation({
      id: "getCreditBalance",
      path: "/billing/credits/balance",
      summary: "Gets the credits that the key's user can spend, and the user's own budget if there is one.",
      data: isRenamed ? balanceSchemaOf(vendor) : creditBalanceSchema,
      errors: ["NOT_FOUND"],
      handle: ({ caller }) => readBalance(context, caller),
    }),
    operation({
      id: "getCreditPricing",
      path: "/billing/credits/pricing",
      summary: "Gets the price of credits. Requires no key.",
      requiresAuth: false,
      data: creditPricingSchema,
      handle: async () => CREDIT_PRICING,
    }),
    operation({
      id: "getSimulatorUsage",
      path: "/usage/simulator",
      summary: "Gets the daily quota and usage of each simulator.",
      data: simulatorUsageSchema,
      handle: ({ caller }) => readUsage(context, caller),
    }),
    operation({
      id: "getSimulatorUsageSeries",
      path: "/usage/simulator/series",
      summary: "Counts the caller's completed jobs on a simulator, per day.",
      query: seriesQuery,
      data: usageSeriesSchema,
      errors: ["NOT_FOUND"],
      handle: ({ caller, query }) => readSeries(context, caller, query),
    }),
    ...(isRenamed ? [verifyUser()] : []),
  ]);
}

/** Operation by which clients of other services verify their key. */
const verifyUser = () =>
  operation({
    id: "verifyUser",
    path: "/users/verify",
    summary: "Gets the user and organization of the key.",
    data: keyOwnerSchema,
    handle: async ({ caller: { userId, organizationId } }) => ({
      userId: String(userId),
      organizationId,
      organizationUserId: `${organizationId}-${userId}`,
    }),
  });

export function deviceOperations(context: Context): Operation[] {
  return withTag("Devices", [
    paginated({
      id: "listDevices",
      path: "/devices",
      summary: "Lists devices.",
      query: devicesQuery(context),
      row: deviceSchema,
      handle: ({ query }) => listDevices(context, query),
    }),
    operation({
      id: "getDeviceCalibrations",
      path: "/devices/{device_qrn}/calibrations",
      summary: "Gets the latest calibration of a device, or the latest one at a given time.",
      query: calibrationQuery,
      data: calibrationSchema,
      handle: ({ params, query }) => getCalibration(context, params.device_qrn, query.at),
    }),
    operation({
      id: "getDevice",
      path: "/devices/{device_qrn}",
      summary: "Gets a device.",
      data: deviceSchema,
      handle: ({ params }) => getDevice(context, params.device_qrn),
    }),
  ]);
}
