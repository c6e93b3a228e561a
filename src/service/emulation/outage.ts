import type { Catalogue, CatalogueDevice } from "../catalogue/catalogue.ts";
import { calibrationDay, calibrationTime } from "../catalogue/drifted-calibration.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
/** 1970 began on a Thursday. */
const FIRST_WEEKDAY = 4;

/** Durations of outages, in milliseconds. */
const LENGTHS = {
  classroom: { calibration: 20_000, maintenance: 300_000 },
  realistic: { calibration: HOUR_MS / 2, maintenance: 2 * HOUR_MS },
} as const;

/** A time at which an emulated QPU takes no jobs. */
export interface Outage {
  readonly status: "OFFLINE" | "UNAVAILABLE";
  readonly message: string;
  /** End, in milliseconds since 1970. */
  readonly until: number;
}

/** Inputs of the outage schedule. */
export type Scheduled = Pick<CatalogueDevice, "execution">;

/**
 * Returns the outage of an emulated QPU at a time, in milliseconds since 1970: it is OFFLINE during its weekly
 * maintenance, and UNAVAILABLE while it is calibrated each day. Devices that keep no time have none.
 */
export function outageAt({ execution }: Scheduled, time: number): Outage | undefined {
  if (!execution || execution.timing === "instant") return undefined;
  const lengths = LENGTHS[execution.timing];
  if (execution.maintenance) {
    const { weekday, hour } = execution.maintenance;
    const first = (((weekday - FIRST_WEEKDAY + 7) % 7) * 24 + hour) * HOUR_MS;
    const begin = time - ((time - first) % WEEK_MS);
    const until = begin + lengths.maintenance;
    if (time < until)
      return { status: "OFFLINE", message: "In maintenance, as every week (emulated).", until };
  }
  const until = calibrationTime(calibrationDay(time)) + lengths.calibration;
  if (time < until)
    return { status: "UNAVAILABLE", message: "Being calibrated, as every day (emulated).", until };
  return undefined;
}

/** Lists the resource names of the devices that are in an outage. */
export function devicesInOutage(catalogue: Catalogue, time: number): string[] {
  return [...catalogue.values()].flatMap(device => (outageAt(device, time) ? [device.qrn] : []));
}

/** Returns the time, or the end of the outages that it falls into. */
export function afterOutages(device: Scheduled, time: number): number {
  const outage = outageAt(device, time);
  return outage ? afterOutages(device, outage.until) : time;
}

/** Returns a device as it stands at a time: during an outage with the status, message and end of that. */
export function deviceAt(device: CatalogueDevice, time: number): CatalogueDevice {
  const outage = device.status === "ONLINE" ? outageAt(device, time) : undefined;
  if (!outage) return device;
  const { status, message, until } = outage;
  return { ...device, status, statusMsg: message, nextAvailable: new Date(until).toISOString() };
}
