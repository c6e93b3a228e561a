import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import { priceOf } from "./price.ts";

/**
 * Splits a job's cost, in 10^-6 credit, into that of each of its programs: its task, its shots, and a share of what
 * the job's time costs, by the microseconds that each program took. The parts sum to the cost exactly.
 */
export function programCosts(
  device: CatalogueDevice,
  { shots, durations }: { shots: number; durations: readonly number[] },
): number[] {
  const microseconds = durations.reduce((sum, each) => sum + each, 0);
  const { task, shots: sampling, time } = priceOf(device, { programs: 1, shots, microseconds });
  return splitAmount(time, durations).map(share => task + sampling + share);
}

/** Splits a whole amount by weights, which are whole numbers, into whole parts that sum to it; by none, equally. */
export function splitAmount(amount: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0 && weights.length > 0) return splitAmount(amount, Array(weights.length).fill(1));
  let sum = 0n;
  let given = 0;
  return weights.map(weight => {
    sum += BigInt(weight);
    const upTo = Number((BigInt(amount) * sum) / BigInt(total));
    const part = upTo - given;
    given = upTo;
    return part;
  });
}
