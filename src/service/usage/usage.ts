import type { SimulatorUsage } from "../../contract/account.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { toTime } from "../jobs/record.ts";
import { dailyLimit, dayOf, resetAfter } from "./quota.ts";

/** Returns how much of each simulator's daily quota the caller has used. */
export async function readUsage(context: Context, caller: Caller): Promise<SimulatorUsage[]> {
  const now = context.clock();
  const rows = await context.store
    .selectFrom("quota_usage")
    .select(["device_qrn", "used"])
    .where("user_id", "=", caller.userId)
    .where("day", "=", dayOf(now))
    .execute();
  const limit = dailyLimit(caller.tier);
  return [...context.catalogue.values()]
    .filter(device => device.deviceType === "SIMULATOR" && device.status !== "RETIRED")
    .map(({ qrn }) => {
      const used = rows.find(row => row.device_qrn === qrn)?.used ?? 0;
      return {
        deviceQrn: qrn,
        tier: caller.tier,
        dailyLimit: limit,
        used,
        remaining: limit === null ? null : Math.max(0, limit - used),
        resetsAt: toTime(resetAfter(now)),
      };
    });
}
