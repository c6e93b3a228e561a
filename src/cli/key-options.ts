import { userInfo } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import { matchesPattern } from "../service/accounts/permission.ts";
import { TIERS } from "../service/accounts/tiers.ts";
import { loadCatalogue } from "../service/catalogue/catalogue.ts";
import { readDevices } from "../service/catalogue/imported-devices.ts";
import { parseExpiry } from "./duration.ts";
import { databaseOf, folderOf, type Place } from "./place.ts";
import { wholeNumber } from "./whole-number.ts";

/** Options of commands that make keys. */
export interface KeyOptions extends Place {
  tier?: string;
  allow?: string[];
  catalogue?: string;
  expires?: number;
  /** Megabytes. */
  storage?: number;
  waiting?: number;
}

const maxCredits = 1e9;

/** Adds the options of commands that make keys; those with defaults are for a class. */
export const withKeyOptions = (command: Command, defaults: { storage?: number; waiting?: number } = {}) =>
  command
    .option("--tier <name>", `tier of the user: ${Object.keys(TIERS).join(", ")} (default: free)`, tier)
    .option("--allow <pattern...>", "devices that the key may use, with * for any characters (default: all)")
    .option("--catalogue <file>", "the service's custom file of devices, if --allow names some of it")
    .option(
      "--expires <time>",
      "expiry of the key: a date, or a duration such as 30d (default: never)",
      text => parseExpiry(text),
    )
    .option(
      "--storage <megabytes>",
      "programs and results that the user may keep, apart from the organization's",
      wholeNumber(1e9, 1),
      defaults.storage,
    )
    .option(
      "--waiting <jobs>",
      "jobs of the user that may be unfinished at the same time",
      wholeNumber(1e6, 1),
      defaults.waiting,
    );

/** Returns the limits of a budget as they were given. */
export const limitsOf = ({ storage, waiting }: KeyOptions) => ({
  ...(storage === undefined ? {} : { storedBytes: storage * 1e6 }),
  ...(waiting === undefined ? {} : { waitingJobs: waiting }),
});

/** Throws for a pattern of `--allow` that matches no device, with the devices. */
export function checkPatterns({ allow = [], catalogue, ...place }: KeyOptions): void {
  if (allow.length === 0) return;
  const imported = databaseOf(place) === undefined ? readDevices(folderOf(place)) : [];
  const devices = [...loadCatalogue(catalogue).keys(), ...imported.map(({ qrn }) => qrn)];
  for (const pattern of allow)
    if (!devices.some(device => matchesPattern(pattern, device)))
      throw new Error(
        `--allow ${pattern} matches no device. The devices are ${devices.join(", ")}. For a service with custom devices, add its --catalogue FILE.`,
      );
}

/** Returns the name for the audit trail of the person who creates and revokes keys here. */
export function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return `cli:${process.getuid?.()}`;
  }
}

/** Reads an option that is an amount of credits. */
export function credits(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > maxCredits) {
    throw new InvalidArgumentError(`It must be a number from 0 to ${maxCredits}.`);
  }
  return value;
}

function tier(name: string): string {
  if (!Object.hasOwn(TIERS, name))
    throw new InvalidArgumentError(`It must be one of ${Object.keys(TIERS).join(", ")}.`);
  return name;
}
