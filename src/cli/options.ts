import { userInfo } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { OTHER_VENDORS, TIMINGS, type Timing } from "../contract/index.ts";
import { attempted } from "../host/attempted.ts";
import { RETENTION_MS, TIERS } from "../service/index.ts";
import type { Place } from "./place.ts";

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_MS = 36_500 * 86_400_000;

/** Reads a duration such as `30d`, `12h`, `15m` or `90s`, in milliseconds. */
export function parseDuration(text: string): number {
  const [, count = "", unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (milliseconds <= MAX_MS) return milliseconds;
  throw new InvalidArgumentError("It must be a duration such as 30d, 12h, 15m or 90s.");
}

/** Options of every process of a service. */
export interface ServiceOptions extends Place {
  workers?: number;
  catalogue?: string;
  timing?: Timing;
  vendorCode?: string;
  logFile?: string;
  retention: number;
  json?: boolean;
}

export const withServiceOptions = (command: Command, vendorText: string) =>
  command
    .option("--catalogue <file>", "a JSON file of devices in place of the standard ones")
    .addOption(
      new Option("--timing <timing>", "how long jobs of emulated QPUs take (default: classroom)").choices(
        TIMINGS,
      ),
    )
    .option("--vendor-code <name>", `${vendorText} (default: svc)`, vendorCode)
    .option("--log-file <file>", "write the log to a file, which is rotated")
    .addOption(
      new Option("--retention <time>", "time after which the texts of deleted jobs are removed, such as 12h")
        .argParser(parseDuration)
        .default(RETENTION_MS, `${RETENTION_MS / UNITS.d!}d`),
    );

/** Reads a time that is to come, as a date (`2027-01-31`, its end in UTC), a date-time, or a duration from now on. */
function parseExpiry(text: string, now = Date.now()): number {
  if (/^\d+[smhd]$/.test(text)) return now + parseDuration(text);
  const time = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  const end = text.length === 10 ? time + UNITS.d! : time;
  if (end > now) return end;
  throw new InvalidArgumentError(
    "It must be in the future: a date such as 2027-01-31, a date-time such as 2027-01-31T12:00:00Z, or a duration such as 30d.",
  );
}

export function wholeNumber(max: number, min = 0) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > max || value < min)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** Codes of other vendors, and the word for every vendor in filters. */
const TAKEN = [...OTHER_VENDORS, "all"];

function vendorCode(text: string): string {
  if (TAKEN.includes(text)) throw new InvalidArgumentError(`It must not be one of ${TAKEN.join(", ")}.`);
  if (/^[a-z][a-z0-9]{0,29}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be lower-case letters and digits, such as lab.");
}

/** Reads an origin of pages, and adds it to those before it. */
export function origins(text: string, before: readonly string[] = []): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/` || text.includes("@"))
    throw new InvalidArgumentError("It must be an origin without a path, such as https://lab.example.");
  return [...before, url.origin];
}

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

export const limitsOf = ({ storage, waiting }: KeyOptions) => ({
  ...(storage === undefined ? {} : { storedBytes: storage * 1e6 }),
  ...(waiting === undefined ? {} : { waitingJobs: waiting }),
});

/** Returns the name for the audit trail of the person who creates and revokes keys here. */
export const actor = (): string => `cli:${attempted(() => userInfo().username) ?? process.getuid?.()}`;

export function credits(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > maxCredits) {
    throw new InvalidArgumentError(`It must be a number of credits from 0 to ${maxCredits}.`);
  }
  return value;
}

function tier(name: string): string {
  if (!Object.hasOwn(TIERS, name))
    throw new InvalidArgumentError(`It must be one of ${Object.keys(TIERS).join(", ")}.`);
  return name;
}
