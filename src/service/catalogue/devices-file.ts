import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { join } from "node:path";
import type { Timing } from "../../contract/timing.ts";
import { writePrivately } from "../local/private-file.ts";
import { type CatalogueDevice, type CatalogueEntry, readEntries } from "./catalogue.ts";

/** Name of the file in a data folder that holds the devices which were imported into it. */
export const DEVICES_FILE = "devices.json";

/** Milliseconds between two looks at the file. */
const INTERVAL_MS = 500;

/** Reads the devices that were imported into a data folder; throws an error where their file is not as it was written. */
export function readDevices(folder: string): CatalogueEntry[] {
  const path = join(folder, DEVICES_FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  try {
    const entries: CatalogueEntry[] = JSON.parse(text);
    readEntries(entries);
    return entries;
  } catch (error) {
    throw new Error(
      `${path} is damaged: ${(error as Error).message.slice(0, 1000)} Move it away, and import its devices again.`,
      {
        cause: error,
      },
    );
  }
}

/** Writes the devices of a data folder. */
export function writeDevices(folder: string, entries: readonly CatalogueEntry[]): void {
  writePrivately(join(folder, DEVICES_FILE), `${JSON.stringify(entries)}\n`);
}

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
  const path = join(folder, DEVICES_FILE);
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
