import type { RuntimeJob } from "../../contract/job.ts";
import type { SpendingRow, SpendingSums } from "../../display/index.ts";

const microsPerCredit = 1_000_000;
/** No job costs more credits. */
const maxCredits = 1e9;

/** Adds up what jobs cost, all together and by keys. */
export interface SpendingSummer {
  /** Counts a job for each of its keys; one that was counted already is left out. */
  add(job: RuntimeJob, keys: readonly string[]): void;
  /** Sums over all jobs, each counted once. */
  total(): SpendingSums;
  /** Sums of the jobs with each key, in the order in which keys were first met. */
  rows(): SpendingRow[];
}

/**
 * Adds up what jobs cost in integers of 10^-6 credit.
 *
 * @param keys - Keys that get a row even when no job has them.
 */
export function spendingSummer(keys: readonly string[] = []): SpendingSummer {
  const total = nothing();
  const sums = new Map(keys.map(key => [key, nothing()]));
  const counted = new Set<string>();
  return {
    add(job, own) {
      if (counted.has(job.jobQrn)) return;
      counted.add(job.jobQrn);
      const amounts = amountsOf(job);
      increase(total, amounts);
      for (const key of new Set(own)) {
        const sum = sums.get(key) ?? nothing();
        increase(sum, amounts);
        sums.set(key, sum);
      }
    },
    total: () => inCredits(total),
    rows: () => Array.from(sums, ([key, sum]) => ({ key, ...inCredits(sum) })),
  };
}

const nothing = (): SpendingSums => ({ cost: 0, estimated: 0, jobs: 0, shots: 0 });

/**
 * Returns the contribution of one job, with credits as integers of 10^-6. The estimate counts until the cost
 * is known.
 */
function amountsOf({ status, cost, estimatedCost, shots, numCircuits }: RuntimeJob): SpendingSums {
  const settled = micros(cost);
  const isOpen = settled === undefined && status !== "FAILED" && status !== "CANCELLED";
  return {
    cost: settled ?? 0,
    estimated: (isOpen && micros(estimatedCost)) || 0,
    jobs: 1,
    shots: count(shots) * Math.max(1, count(numCircuits)),
  };
}

function micros(credits: number | null | undefined): number | undefined {
  const known = typeof credits === "number" && credits >= 0 && credits <= maxCredits;
  return known ? Math.round(credits * microsPerCredit) : undefined;
}

const count = (value: number | null) => (Number.isSafeInteger(value) ? Math.max(0, value!) : 0);

function increase(sum: SpendingSums, by: SpendingSums): void {
  sum.cost += by.cost;
  sum.estimated += by.estimated;
  sum.jobs += by.jobs;
  sum.shots += by.shots;
}

const inCredits = ({ cost, estimated, ...counts }: SpendingSums): SpendingSums => ({
  cost: cost / microsPerCredit,
  estimated: estimated / microsPerCredit,
  ...counts,
});
