import { matchesPattern } from "../accounts/permission.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import { methodsOf } from "../catalogue/methods.ts";

/** Devices, methods and memory that a worker offers. */
export interface Offers {
  /** Bytes of amplitudes that a job may take. */
  memoryBytes: number;
  /** Patterns of the QRNs of its devices, in which `*` stands for any characters; undefined: all. */
  devices?: readonly string[] | undefined;
  /** Methods of simulation; undefined: all. */
  methods?: readonly string[] | undefined;
}

/** Whether a worker can run jobs of a device, as far as its devices and methods go. A device that is gone needs none. */
export function offersDevice({ devices, methods }: Offers, device: CatalogueDevice | undefined): boolean {
  if (!device?.engine) return true;
  if (devices && !devices.some(pattern => matchesPattern(pattern, device.qrn))) return false;
  return !methods || methodsOf(device.engine).every(method => methods.includes(method));
}

/** Whether a worker has the memory that a job was found to need. */
export const offersMemory = ({ memoryBytes }: Offers, requiredBytes: number | null | undefined): boolean =>
  (requiredBytes ?? 0) <= memoryBytes;
