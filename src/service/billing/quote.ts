import type { NoQuote, Quote } from "../../contract/index.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import type { Store } from "../store/store.ts";
import {
  fitDurationModel,
  type ObservedRun,
  type Price,
  predictDuration,
  priceOf,
  type RunSize,
  toCredits,
  totalOf,
} from "./price.ts";

const MAX_HISTORY = 100;

/** Estimated cost of a run in 10^-6 credit and its basis, or the reason why there is none. */
type Estimate = { price: Price; basis: string } | { reason: NoQuote["reason"] };

interface QuotedRun extends RunSize {
  /** Seconds that the caller expects a simulator to take. */
  seconds?: number | undefined;
}

/**
 * Estimates a run of all its programs: on a simulator from the expected time, or a fixed one if none is given; on a QPU
 * from the device's execution history, or from its fixed prices without one.
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
  const model = fitDurationModel(history);
  const price = priceOf(device, { ...run, microseconds: predictDuration(model, run) });
  const deviation = Math.max(...history.map(past => relativeDeviation(predictDuration(model, past), past)));
  const runs = history.length === 1 ? "the last run" : `the last ${history.length} runs`;
  return { price, basis: `${runs} on this device, whose times it tells within ${asPercent(deviation)}` };
}

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
function recentRuns(store: Store, { qrn, execution }: CatalogueDevice): Promise<ObservedRun[]> {
  return store
    .selectFrom("jobs")
    .select(["programs", "shots"])
    .select(eb => eb.fn.coalesce("duration_us", eb.lit(0)).as("microseconds"))
    .where("device_qrn", "=", qrn)
    .where("ended_at", "is not", null)
    .where("status", "=", "COMPLETED")
    .where(eb => eb.fn.coalesce("duration_us", eb.lit(0)), ">=", (execution?.perTask ?? 0) * 1000)
    .orderBy("ended_at", "desc")
    .limit(MAX_HISTORY)
    .execute();
}
