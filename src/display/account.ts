import type { CreditBalance, CreditPricing, SimulatorUsage, UsageDay } from "../contract/account.ts";
import { card } from "./card.ts";
import { code } from "./cell.ts";
import type { Form } from "./form.ts";
import { formatCredits, formatMoment, formatNumber } from "./format.ts";
import type { At } from "./job.ts";
import { meter } from "./meter.ts";
import { table } from "./table.ts";
import { clip } from "./text.ts";

/** Shows what may be spent. */
export function balanceCard(balance: CreditBalance): Form {
  return card({
    kind: "balance",
    title: formatCredits(balance.svcCredits),
    facts: [
      ["Organization", code(clip(balance.organizationId, 120))],
      ["AWS credits", formatNumber(balance.awsCredits)],
      ["Recharge", balance.autoRecharge ? "automatic" : "by hand"],
    ],
  });
}

/** Shows what credits cost. */
export function pricingTable(pricing: CreditPricing): Form {
  const money = (amount: number) => `${formatNumber(amount)} ${clip(pricing.currency, 8)}`;
  return table({
    caption: `1 credit = ${money(pricing.usdPerCredit)}, smallest purchase ${money(pricing.minimumPurchase)}`,
    noun: "packs",
    rows: pricing.packs,
    columns: [
      { label: "Credits", align: "right", value: pack => formatNumber(pack.credits) },
      { label: "Price", align: "right", value: pack => money(pack.price) },
    ],
  });
}

/** Shows how much of each simulator's daily quota is used up. */
export function usageTable(usage: readonly SimulatorUsage[], { now }: At): Form {
  return table<SimulatorUsage>({
    noun: "simulators",
    rows: usage,
    columns: [
      { label: "Simulator", value: row => code(clip(row.deviceQrn, 80)) },
      { label: "Tier", value: row => clip(row.tier, 40) },
      {
        label: "Jobs today",
        value: ({ used, dailyLimit }) =>
          dailyLimit === null
            ? `${formatNumber(used)}, no limit`
            : meter(used / dailyLimit, { label: `${formatNumber(used)} of ${formatNumber(dailyLimit)}` }),
      },
      { label: "Resets", value: row => formatMoment(row.resetsAt, now) },
    ],
  });
}

/** Shows completed jobs day by day, the latest first. */
export function usageSeriesTable(days: readonly UsageDay[]): Form {
  const most = Math.max(1, ...days.map(day => day.count));
  return table<UsageDay>({
    noun: "days",
    rows: [...days].reverse(),
    columns: [
      { label: "Day", value: day => clip(day.date, 20) },
      { label: "Completed jobs", value: day => meter(day.count / most, { label: formatNumber(day.count) }) },
    ],
  });
}
