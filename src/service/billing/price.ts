import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import { priceTime, toMicro } from "./credits.ts";
import type { RunSize } from "./duration-model.ts";

/** The parts of a price, in 10^-6 credit. */
export interface Price {
  task: number;
  shots: number;
  time: number;
}

/** Resources that a run used. */
export interface Usage extends RunSize {
  microseconds: number;
}

/** Prices a run on a device. A device without prices is free. */
export function priceOf(device: CatalogueDevice, usage: Usage): Price {
  const { perTask = 0, perShot = 0, perMinute = 0 } = device.pricing ?? {};
  return {
    task: toMicro(perTask) * usage.programs,
    shots: toMicro(perShot) * usage.shots * usage.programs,
    time: priceTime(toMicro(perMinute), Math.max(usage.microseconds, device.minimumSeconds * 1e6)),
  };
}

/** Adds the parts of a price up. */
export function totalOf(price: Price): number {
  return price.task + price.shots + price.time;
}
