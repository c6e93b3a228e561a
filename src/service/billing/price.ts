import type { CreditPricing, NoQuote, Quote } from "../../contract/index.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import type { Store } from "../store/store.ts";

const MICROS_PER_CREDIT = 1_000_000;
const MICROSECONDS_PER_MINUTE = 60_000_000n;

export function toMicro(credits: number): number {
  return Math.round(credits * MICROS_PER_CREDIT);
}

export function toCredits(micro: number): number {
  return micro / MICROS_PER_CREDIT;
}

/** Prices a time: what a minute costs, in 10^-6 credit, for some microseconds; half a unit is rounded up. */
function priceTime(perMinute: number, microseconds: number): number {
  const product = BigInt(perMinute) * BigInt(Math.round(microseconds));
  return Number((product + MICROSECONDS_PER_MINUTE / 2n) / MICROSECONDS_PER_MINUTE);
}

export interface RunSize {
  programs: number;
  /** Shots of each program. */
  shots: number;
}

export interface ObservedRun extends RunSize {
  microseconds: number;
}

/**
 * Predicts the microseconds of a run on a QPU from its latest runs: `perTask` for any run, and for each shot as many as in the
 * median run.
 */
export function predictDuration(
  history: readonly ObservedRun[],
  perTask: number,
  { programs, shots }: RunSize,
): number {
  const perShot = history
    .map(run => Math.max(0, run.microseconds - perTask) / Math.max(1, run.programs * run.shots))
    .sort((a, b) => a - b);
  return perTask + (perShot[perShot.length >> 1] ?? 0) * programs * shots;
}

/** Prices the least that a run takes, in 10^-6 credit: what is held for it where there is no quote. */
export const leastCost = (device: CatalogueDevice, run: RunSize): number =>
  totalOf(priceOf(device, { ...run, microseconds: leastTime(device, run) }));

/** Returns the microseconds that a device takes for a run in addition to its shots' schedules. */
const leastTime = (device: CatalogueDevice, { programs, shots }: RunSize): number =>
  perTaskOf(device) + (device.execution?.perShot ?? 0) * programs * shots;

const usdPerCredit = 0.01;

/** Price of credits: one US cent each, in packs or any amount from ten dollars. */
export const CREDIT_PRICING: CreditPricing = {
  usdPerCredit,
  currency: "USD",
  minimumPurchase: 10,
  packs: [1000, 5000, 10_000, 50_000].map(credits => ({ credits, price: credits * usdPerCredit })),
};

/** The parts of a price, in 10^-6 credit. */
interface Price {
  task: number;
  shots: number;
  time: number;
}

/** Prices a run on a device. A device without prices is free. */
function priceOf(device: CatalogueDevice, usage: ObservedRun): Price {
  const { perTask = 0, perShot = 0, perMinute = 0 } = device.pricing ?? {};
  return {
    task: toMicro(perTask) * usage.programs,
    shots: toMicro(perShot) * usage.shots * usage.programs,
    time: priceTime(toMicro(perMinute), Math.max(usage.microseconds, device.minimumSeconds * 1e6)),
  };
}

export function totalOf(price: Price): number {
  return price.task + price.shots + price.time;
}

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

const MAX_HISTORY = 100;

/** Estimated cost of a run in 10^-6 credit and its basis, or the reason why there is none. */
type Estimate = { price: Price; basis: string } | { reason: NoQuote["reason"] };

interface QuotedRun extends RunSize {
  /** Seconds that the caller expects a simulator to take, or all shots on a QPU. */
  seconds?: number | undefined;
}

/**
 * Estimates a run of all its programs: on a simulator from the expected time, or a fixed one if none is given; on a QPU
 * from the expected time of its shots, or else from the device's execution history, and without one from its fixed prices.
 */
export async function estimate(store: Store, device: CatalogueDevice, run: QuotedRun): Promise<Estimate> {
  if (!device.pricing) return { reason: "no_pricing_configured" };
  if (device.deviceType === "SIMULATOR") {
    const seconds = run.seconds ?? device.quoteSeconds;
    const price = priceOf(device, { ...run, microseconds: seconds * 1e6 });
    const least = seconds < device.minimumSeconds ? `; at least ${device.minimumSeconds} s are charged` : "";
    const expected = run.seconds === undefined ? "" : ", as its gates, qubits and shots suggest";
    return { price, basis: `a run of at most about ${Number(seconds.toPrecision(2))} s${expected}${least}` };
  }
  const history = await recentRuns(store, device);
  if (history.length === 0) {
    if (device.pricingModel === "dynamic") return { reason: "dynamic_pricing_unavailable" };
    return { price: priceOf(device, { ...run, microseconds: 0 }), basis: "the device's prices" };
  }
  if (run.seconds !== undefined && device.execution) {
    const microseconds = leastTime(device, run) + run.seconds * 1e6;
    return { price: priceOf(device, { ...run, microseconds }), basis: "the expected time of its shots" };
  }
  const predict = (size: RunSize) => predictDuration(history, perTaskOf(device), size);
  const price = priceOf(device, { ...run, microseconds: predict(run) });
  const deviation = Math.max(...history.map(past => relativeDeviation(predict(past), past)));
  const runs = history.length === 1 ? "the last run" : `the last ${history.length} runs`;
  return { price, basis: `${runs} on this device, whose times it tells within ${asPercent(deviation)}` };
}

/** Microseconds that a device takes for any run. */
const perTaskOf = ({ execution }: CatalogueDevice) => (execution?.perTask ?? 0) * 1000;

const relativeDeviation = (predicted: number, { microseconds }: ObservedRun) =>
  Math.abs(predicted / Math.max(1, microseconds) - 1);

/** Writes a part as a percentage, rounded up to a tenth. */
const asPercent = (part: number) => `${Math.max(0.1, Math.ceil(part * 1000) / 10)} %`;

export function toQuote(
  device: CatalogueDevice,
  { programs, shots }: RunSize,
  estimated: Estimate,
): Quote | NoQuote {
  if ("reason" in estimated) {
    return {
      pricingAvailable: false,
      reason: estimated.reason,
      deviceQrn: device.qrn,
      pricingModel: device.pricingModel,
    };
  }
  const { price, basis } = estimated;
  return {
    pricingAvailable: true,
    estimatedCost: toCredits(totalOf(price)),
    deviceQrn: device.qrn,
    shots,
    programs,
    breakdown: {
      task: toCredits(price.task),
      shots: toCredits(price.shots),
      time: toCredits(price.time),
    },
    basis,
  };
}

/** Reads the device's latest completed runs, the newest first; none that took less than it takes for any. */
function recentRuns(store: Store, device: CatalogueDevice): Promise<ObservedRun[]> {
  return store
    .selectFrom("jobs")
    .select(["programs", "shots"])
    .select(eb => eb.fn.coalesce("duration_us", eb.lit(0)).as("microseconds"))
    .where("device_qrn", "=", device.qrn)
    .where("ended_at", "is not", null)
    .where("status", "=", "COMPLETED")
    .where(eb => eb.fn.coalesce("duration_us", eb.lit(0)), ">=", perTaskOf(device))
    .orderBy("ended_at", "desc")
    .limit(MAX_HISTORY)
    .execute();
}
