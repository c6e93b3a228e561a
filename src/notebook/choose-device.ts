import { KetbookError } from "../client/errors.ts";
import { currentClient } from "./connection.ts";
import type { Device } from "./device.ts";

/**
 * Finds the resource name of a device by that name itself, or by a short one that only one device has, such as
 * `statevector` or `perth`.
 *
 * @throws KetbookError when no device has the short name, or several have.
 */
export async function deviceQrn(device: Device | string): Promise<string> {
  if (typeof device !== "string") return device.qrn;
  if (device.includes(":")) return device;
  const client = await currentClient();
  const wanted = device.toLowerCase();
  const found: string[] = [];
  for await (const { qrn, name } of client.devices.list({ limit: 100 })) {
    if (name.toLowerCase() === wanted || qrn.toLowerCase().endsWith(`:${wanted}`)) found.push(qrn);
  }
  if (found.length === 1) return found[0]!;
  const problem =
    found.length === 0 ? "no device has that name" : `several devices have that name: ${found.join(", ")}`;
  throw new KetbookError(
    `on(${JSON.stringify(device)}): ${problem}. Look at devices(), and give a whole name.`,
  );
}
