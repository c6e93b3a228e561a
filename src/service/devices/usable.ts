import type { Caller } from "../accounts/caller.ts";
import { mayUse } from "../accounts/permission.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import type { Context } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { findDevice } from "./devices.ts";

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
