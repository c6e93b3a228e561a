import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Timing } from "../../contract/index.ts";
import { type CatalogueDevice, type CatalogueEntry, readEntries } from "../index.ts";
import { writePrivately } from "./folder.ts";
import { calibrationProblems } from "./import/device-draft.ts";

/** Name of the folder in a data folder that has a file for each device which was imported. */
const DEVICES_FOLDER = "devices";
const SUFFIX = ".json";

/** Bytes of a file, which is read while nothing else is answered. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Milliseconds between two looks at the folder. */
const INTERVAL_MS = 500;

/** Reads the devices that were imported into a data folder; throws an error where a file is not as it was written. */
export function readDevices(folder: string): CatalogueEntry[] {
  const devices = join(folder, DEVICES_FOLDER);
  return namesIn(devices)
    .flatMap(name => readDevice(join(devices, name))?.entry ?? [])
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

interface ReadDevice {
  entry: CatalogueEntry;
  device: CatalogueDevice;
}

/** A version of a file, and the device that was last read of it. */
interface DeviceVersion {
  version: string;
  device: CatalogueDevice | undefined;
}

/** Reads a device; undefined where it was removed meanwhile. */
function readDevice(path: string, timing?: Timing, vendor?: string): ReadDevice | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES)
      throw new Error(`it is not a plain file of at most ${MAX_BYTES} bytes.`);
    const entry: CatalogueEntry = JSON.parse(readFileSync(path, "utf8"));
    return { entry, device: checkImported(entry, timing, vendor) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new Error(
      `${path} is damaged: ${message.slice(0, 1000)} Move it away, and import its device again.`,
      { cause: error },
    );
  }
}

/** Returns an imported device as the catalogue describes it. Throws an error for an entry that is none, or whose figures can't be. */
export function checkImported(entry: unknown, timing?: Timing, vendor?: string): CatalogueDevice {
  const device = readEntries([entry], timing, vendor)[0]!;
  const [problem] = device.calibration ? calibrationProblems(device.topology, device.calibration) : [];
  if (problem) throw new Error(problem);
  return device;
}

/**
 * Adds a device to a data folder, in its own file, so those who import at the same time do not disturb each other.
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

export const removeDevice = (folder: string, qrn: string): void =>
  rmSync(fileOf(join(folder, DEVICES_FOLDER), qrn), { force: true });

const fileOf = (devices: string, qrn: string): string => join(devices, `${encodeURIComponent(qrn)}${SUFFIX}`);

interface FollowOptions {
  timing?: Timing | undefined;
  /** The service's own vendor code. Default: `svc`. */
  vendor?: string | undefined;
  onError(message: string): void;
}

/**
 * Adds the devices of a data folder to a catalogue, and keeps to what is imported and removed later. A device of the
 * catalogue's own stays as it is, and so does one whose file is damaged later. Returns the function that ends it.
 */
export function followDevices(
  folder: string,
  catalogue: Map<string, CatalogueDevice>,
  { timing, vendor, onError }: FollowOptions,
): () => void {
  const path = join(folder, DEVICES_FOLDER);
  const own = new Set(catalogue.keys());
  let files = new Map<string, DeviceVersion>();

  function readChanged(name: string): [string, DeviceVersion] {
    const file = join(path, name);
    const known = files.get(name);
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    const version = stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : "";
    if (known?.version === version) return [name, known];
    try {
      return [name, { version, device: readDevice(file, timing, vendor)?.device }];
    } catch (error) {
      onError((error as Error).message);
      return [name, { version, device: known?.device }];
    }
  }

  let failure = "";
  const read = () => {
    try {
      const found = new Map(namesIn(path).map(readChanged));
      failure = "";
      if (found.size === files.size && [...found].every(([name, file]) => file === files.get(name))) return;
      for (const { device } of files.values())
        if (device && !own.has(device.qrn)) catalogue.delete(device.qrn);
      for (const { device } of found.values())
        if (device && !own.has(device.qrn)) catalogue.set(device.qrn, device);
      files = found;
    } catch (error) {
      const { message } = error as Error;
      if (message !== failure) onError(message);
      failure = message;
    }
  };
  read();
  // Not watched: a change before the first look of Node's watcher, or within one tick of the file system's clock, is missed.
  const timer = setInterval(read, INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
