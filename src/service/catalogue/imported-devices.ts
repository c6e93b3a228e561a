import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, unwatchFile, watchFile } from "node:fs";
import { join } from "node:path";
import type { Timing } from "../../contract/timing.ts";
import { writePrivately } from "../local/private-file.ts";
import { type CatalogueDevice, type CatalogueEntry, readEntries } from "./catalogue.ts";

/** Name of the folder in a data folder that has a file for each device which was imported. */
const DEVICES_FOLDER = "devices";
const SUFFIX = ".json";

/** Milliseconds between two looks at the folder. */
const INTERVAL_MS = 500;

/** Reads the devices that were imported into a data folder; throws an error where a file is not as it was written. */
export function readDevices(folder: string): CatalogueEntry[] {
  const devices = join(folder, DEVICES_FOLDER);
  return namesIn(devices)
    .flatMap(name => readDevice(join(devices, name)) ?? [])
    .sort((a, b) => (a.qrn < b.qrn ? -1 : 1));
}

function namesIn(devices: string): string[] {
  try {
    return readdirSync(devices).filter(name => name.endsWith(SUFFIX));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Reads a device; undefined where it was removed meanwhile. */
function readDevice(path: string): CatalogueEntry | undefined {
  try {
    const entry: CatalogueEntry = JSON.parse(readFileSync(path, "utf8"));
    readEntries([entry]);
    return entry;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new Error(
      `${path} is damaged: ${message.slice(0, 1000)} Move it away, and import its device again.`,
      { cause: error },
    );
  }
}

/**
 * Adds a device to a data folder, in a file of its own, so that those who import at the same time do not disturb each other.
 * Returns whether it was added: without `replace`, it is not where one of its resource name is there.
 */
export function addDevice(folder: string, entry: CatalogueEntry, { replace = false } = {}): boolean {
  const devices = join(folder, DEVICES_FOLDER);
  mkdirSync(devices, { recursive: true, mode: 0o700 });
  const path = fileOf(devices, entry.qrn);
  const draft = `${path}.${crypto.randomUUID()}`;
  try {
    writePrivately(replace ? path : draft, `${JSON.stringify(entry)}\n`);
    if (!replace) linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes a device from a data folder. */
export const removeDevice = (folder: string, qrn: string): void =>
  rmSync(fileOf(join(folder, DEVICES_FOLDER), qrn), { force: true });

const fileOf = (devices: string, qrn: string): string => join(devices, `${encodeURIComponent(qrn)}${SUFFIX}`);

/** How a service follows what is imported into its data folder. */
export interface FollowOptions {
  timing?: Timing | undefined;
  onError(message: string): void;
}

/**
 * Adds the devices of a data folder to a catalogue, and keeps to what is imported and removed later. A device of the
 * catalogue's own stays as it is. Returns the function that ends it.
 */
export function followDevices(
  folder: string,
  catalogue: Map<string, CatalogueDevice>,
  { timing, onError }: FollowOptions,
): () => void {
  const path = join(folder, DEVICES_FOLDER);
  let imported = new Set<string>();
  const read = () => {
    try {
      const devices = readEntries(readDevices(folder), timing).filter(
        ({ qrn }) => imported.has(qrn) || !catalogue.has(qrn),
      );
      for (const qrn of imported) catalogue.delete(qrn);
      for (const device of devices) catalogue.set(device.qrn, device);
      imported = new Set(devices.map(({ qrn }) => qrn));
    } catch (error) {
      onError((error as Error).message);
    }
  };
  read();
  watchFile(path, { interval: INTERVAL_MS, persistent: false }, read);
  return () => unwatchFile(path, read);
}
