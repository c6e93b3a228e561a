import {
  type DeviceCalibration,
  type DeviceQuery,
  parseDeviceQrn,
  type RuntimeDevice,
} from "../contract/index.ts";
import { type Caller, mayUse } from "./accounts/caller.ts";
import { readCalibration } from "./catalogue/calibrations.ts";
import type { CatalogueDevice } from "./catalogue/catalogue.ts";
import type { Context } from "./context.ts";
import { backgroundEnds, backgroundWait, deviceAt } from "./emulation.ts";
import { badField, HttpError } from "./http-error.ts";
import type { Store } from "./store/store.ts";

/** Finds a device; throws an HttpError (404). */
export async function getDevice(context: Context, qrn: string): Promise<RuntimeDevice> {
  return (await describe(context, [findDevice(context, qrn)]))[0]!;
}

/** Finds a device in the catalogue; throws an HttpError (404). */
export function findDevice({ catalogue, clock }: Context, qrn: string): CatalogueDevice {
  const device = catalogue.get(qrn);
  if (!device) throw new HttpError("NOT_FOUND", `There is no device ${qrn.slice(0, 200)}.`);
  return deviceAt(device, clock());
}

/** Lists devices: by name, unless another order is asked for; strings without regard to case, ties by QRN. */
export async function listDevices(
  context: Context,
  query: DeviceQuery & { page: number; limit: number },
): Promise<{ rows: RuntimeDevice[]; total: number }> {
  const { sortBy = "name", sortOrder = "asc", page, limit } = query;
  const now = context.clock();
  const found = Array.from(context.catalogue.values(), device => deviceAt(device, now)).filter(device =>
    matches(device, query),
  );
  const sign = sortOrder === "desc" ? -1 : 1;
  found.sort((a, b) => sign * compare(a[sortBy], b[sortBy]) || compare(a.qrn, b.qrn));
  const rows = await describe(context, found.slice((page - 1) * limit, page * limit));
  return { rows, total: found.length };
}

function matches(device: CatalogueDevice, query: DeviceQuery): boolean {
  const asked = [
    [query.qrn, device.qrn],
    [query.vendor, device.vendor],
    [query.providerId, device.provider],
    [query.deviceType, device.deviceType],
    [query.status, device.status],
    [query.retired === false ? false : undefined, device.status === "RETIRED"],
    [query.private, device.private],
    [query.verified, device.verified],
    [query.directAccess, device.directAccess],
  ];
  if (asked.some(([wanted, is]) => wanted !== undefined && wanted !== is)) return false;
  const word = query.search?.toLowerCase();
  const texts = [device.name, device.description, device.notes];
  return word === undefined || texts.some(text => text?.toLowerCase().includes(word));
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [x, y] = [String(a).toLowerCase(), String(b).toLowerCase()];
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

const toMinutes = (wait: number | null) => (wait === null ? null : Math.ceil(wait / 60_000));

async function describe(
  { store, queue, clock }: Context,
  devices: CatalogueDevice[],
): Promise<RuntimeDevice[]> {
  const waits = await waitingTimes(store, devices);
  const depths = await queue.depths(devices.map(({ qrn }) => qrn));
  const now = clock();
  return devices.map(device => {
    const timing = device.execution?.timing ?? "instant";
    const {
      engine,
      execution,
      minimumSeconds,
      quoteSeconds,
      noise,
      calibration,
      drift,
      ramseyShare,
      ...rest
    } = device;
    const { provider, ...shown } = rest;
    return {
      ...shown,
      providerId: provider,
      queueDepth: (depths.get(device.qrn) ?? 0) + backgroundEnds(device, timing, now).length,
      avgQueueTime: toMinutes(waits.get(device.qrn) ?? backgroundWait(device, timing, now)),
      retired: device.status === "RETIRED",
    };
  });
}

const MAX_JOBS = 50;

/** Averages, for each device, how many milliseconds its last jobs waited before they ran. */
async function waitingTimes(store: Store, devices: readonly CatalogueDevice[]): Promise<Map<string, number>> {
  const waits = new Map<string, number>();
  for (const { qrn } of devices) {
    const rows = await store
      .selectFrom("jobs")
      .select(["created_at", "started_at"])
      .where("device_qrn", "=", qrn)
      .where("ended_at", "is not", null)
      .orderBy("ended_at", "desc")
      .limit(MAX_JOBS)
      .execute();
    const times = rows.flatMap(row => (row.started_at === null ? [] : [row.started_at - row.created_at]));
    if (times.length > 0) waits.set(qrn, times.reduce((sum, time) => sum + time, 0) / times.length);
  }
  return waits;
}

/**
 * Gets the latest calibration of a device, or the one that was the latest at a time; throws an HttpError (404)
 * when there is none. Calibrations begin with the device.
 */
export async function getCalibration(context: Context, qrn: string, at?: string): Promise<DeviceCalibration> {
  if (!parseDeviceQrn(qrn))
    throw badField("device_qrn", "must have the form <vendor>:<provider>:<type>:<name>");
  const device = findDevice(context, qrn);
  const now = context.clock();
  const time = at === undefined ? now : Math.min(Date.parse(at), now);
  const calibration = time < Date.parse(device.createdAt) ? undefined : await readCalibration(device, time);
  if (!calibration) {
    const when = at === undefined ? "" : ` of ${at} or before`;
    throw new HttpError("NOT_FOUND", `There are no calibration data${when} for ${qrn}.`);
  }
  return { ...calibration, provider: device.provider };
}

/** Finds a device that the caller may use and that is not retired; throws an HttpError (404, 403 or 410). */
export function quotableDevice(context: Context, caller: Caller, qrn: string): CatalogueDevice {
  const device = findDevice(context, qrn);
  if (!mayUse(caller, qrn)) throw new HttpError("DEVICE_FORBIDDEN", `The key may not run jobs on ${qrn}.`);
  if (device.status === "RETIRED") {
    throw new HttpError("DEVICE_RETIRED", `${qrn} is retired. ${device.statusMsg ?? ""}`.trim());
  }
  return device;
}

/** Finds a device that takes the caller's jobs; throws an HttpError (404, 403, 410 or 409). */
export function usableDevice(context: Context, caller: Caller, qrn: string): CatalogueDevice {
  const device = quotableDevice(context, caller, qrn);
  if (device.status !== "ONLINE") {
    const why = device.statusMsg ?? "";
    throw new HttpError(
      "DEVICE_NOT_AVAILABLE",
      `${qrn} takes no jobs: it is ${device.status}. ${why}`.trim(),
    );
  }
  return device;
}
