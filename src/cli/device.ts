import { mkdirSync, readFileSync, statSync } from "node:fs";
import { Command } from "commander";
import { dataFolder } from "../host/data-folder.ts";
import { type CatalogueEntry, loadCatalogue, matchesPattern } from "../service/index.ts";
import {
  addDevice,
  type DeviceFile,
  DeviceFileError,
  type ImportOptions,
  importDevice,
  readDevices,
  removeDevice,
  secureFolder,
} from "../service/node/index.ts";
import { explained } from "./explained.ts";
import { credits, type KeyOptions } from "./options.ts";
import { databaseOf, folderOf, print } from "./place.ts";

interface Options {
  data: string;
  json?: boolean;
}

interface ImportCommand extends Options, Omit<ImportOptions, "now"> {
  replace?: boolean;
}

/** Bytes of a file that describes a device; those of 1,000 qubits have 4 million. */
const MAX_BYTES = 32 * 1024 * 1024;

export function deviceCommand(): Command {
  const device = new Command("device").description("import, list and remove custom emulated QPUs");
  withData(device.command("import"))
    .description(
      "import a QPU: conf_*.json and props_*.json of a Qiskit backend, device properties of Braket, or { name, topology, calibration, pricing }",
    )
    .argument("<files...>", "the files that describe it")
    .option("--name <name>", "its name (default: what the files say)")
    .option("--qrn <qrn>", "its resource name (default: <vendor>:emulated:qpu:<name>)")
    .option("--per-task <credits>", "price of a program", credits)
    .option("--per-shot <credits>", "price of a shot", credits)
    .option("--per-minute <credits>", "price of a minute of the QPU's time", credits)
    .option("--drift", "vary its calibration daily")
    .option("--replace", "replace an imported device of the same resource name")
    .action((files: string[], options: ImportCommand) =>
      explained("device", () => {
        const entry = importDevice(files.map(readFile), { ...options, now: Date.now() });
        save(entry, options);
        print(options, summary(entry), `${entry.qrn} is imported: ${entry.numberQubits} qubits. ${SOON}`);
      }),
    );
  withData(device.command("list"))
    .description("list the devices that were imported")
    .action((options: Options) =>
      explained("device", () => {
        const entries = readDevices(options.data);
        const lines = entries.map(
          ({ qrn, numberQubits, createdAt }) => `${qrn}  ${numberQubits} qubits  ${createdAt}`,
        );
        print(options, entries.map(summary), lines.join("\n") || "No device was imported.");
      }),
    );
  withData(device.command("remove"))
    .description("remove a device that was imported")
    .argument("<device>", "its resource name, or the last part of it")
    .action((device: string, options: Options) =>
      explained("device", () => {
        const entries = readDevices(options.data);
        const found = entries.filter(({ qrn }) => qrn === device || qrn.endsWith(`:${device}`));
        if (found.length !== 1)
          throw new DeviceFileError(
            found.length > 1
              ? `${device} may be ${found.map(({ qrn }) => qrn).join(" or ")}.`
              : `No device ${device.slice(0, 200)} was imported. ketbook device list shows those that were.`,
          );
        removeDevice(options.data, found[0]!.qrn);
        print(options, { removed: found[0]!.qrn }, `${found[0]!.qrn} is removed. ${SOON}`);
      }),
    );
  return device;
}

const SOON = "A service that runs on this data folder knows it within a second.";

const withData = (command: Command): Command =>
  command.option("--data <folder>", "the service's data folder", dataFolder()).option("--json", "print JSON");

const summary = ({ qrn, name, numberQubits, pricing, createdAt }: CatalogueEntry) => ({
  qrn,
  name,
  numberQubits,
  pricing,
  createdAt,
});

function save(entry: CatalogueEntry, { data, replace = false }: ImportCommand): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  secureFolder(data);
  if (loadCatalogue().has(entry.qrn))
    throw new DeviceFileError(
      `${entry.qrn} is a device that every service has. Choose another name with --name.`,
    );
  if (!addDevice(data, entry, { replace }))
    throw new DeviceFileError(
      `${entry.qrn} was imported before. Replace it with --replace, or choose another --name.`,
    );
}

/** Throws for a pattern of `--allow` that matches no device, with the devices. */
export function checkPatterns({ allow = [], catalogue, ...place }: KeyOptions): void {
  const imported = databaseOf(place) === undefined ? readDevices(folderOf(place)) : [];
  const devices = [...loadCatalogue(catalogue).keys(), ...imported.map(({ qrn }) => qrn)];
  for (const pattern of allow)
    if (!devices.some(device => matchesPattern(pattern, device)))
      throw new Error(
        `--allow ${pattern} matches no device. The devices are ${devices.join(", ")}. For a service with custom devices, add its --catalogue FILE.`,
      );
}

function readFile(name: string): DeviceFile {
  try {
    const { size } = statSync(name);
    if (size > MAX_BYTES)
      throw new DeviceFileError(`${name} has ${size} bytes; at most ${MAX_BYTES} are read.`);
    return { name, content: JSON.parse(readFileSync(name, "utf8")) };
  } catch (error) {
    if (error instanceof DeviceFileError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DeviceFileError(
      code === "ENOENT" ? `There is no file ${name}.` : `${name} cannot be read: ${message.slice(0, 300)}`,
    );
  }
}
