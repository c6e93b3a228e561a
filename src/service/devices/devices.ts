import type { DeviceQuery, RuntimeDevice } from "../../contract/device.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import type { Context } from "../context.ts";
import { backgroundEnds, backgroundWait } from "../emulation/background-load.ts";
import { deviceAt } from "../emulation/outage.ts";
import { HttpError } from "../http-error.ts";
import { waitingTimes } from "./waiting.ts";

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
