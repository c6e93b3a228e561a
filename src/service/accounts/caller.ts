import { HttpError } from "../http-error.ts";
import type { Budget, Scope } from "../store/schema.ts";
import type { JobLimits } from "../workers/messages.ts";

export interface Caller {
  userId: number;
  organizationId: string;
  tier: string;
  /** Default: that of the whole organization. */
  budget?: Budget;
  /** Patterns of the devices that the key may use; `undefined`: every device. */
  allow: string[] | undefined;
  keyId: string;
  scope: Scope;
}

/** Scopes of keys; each includes the previous ones. */
export const SCOPES: readonly Scope[] = ["read", "submit", "admin"];

/** The scope that a request of this HTTP method needs. */
export const scopeOf = (method: string): Scope => (/^(?:get|head)$/i.test(method) ? "read" : "submit");

/** Throws an HttpError (403) for a key that was made for less. */
export function requireScope({ scope }: Pick<Caller, "scope">, needed: Scope): void {
  if (SCOPES.indexOf(scope) >= SCOPES.indexOf(needed)) return;
  throw new HttpError(
    "FORBIDDEN",
    `This takes a key with the scope ${needed}, and this key has the scope ${scope}. Ask for another key.`,
  );
}

export function mayUse(caller: Pick<Caller, "allow">, deviceQrn: string): boolean {
  return caller.allow?.some(pattern => matchesPattern(pattern, deviceQrn)) ?? true;
}

/** Whether a string is as a pattern says, in which `*` stands for any characters. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (!text.startsWith(head)) return false;
  if (rest.length === 0) return text === head;
  let from = head.length;
  const tail = rest.pop() ?? "";
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - tail.length >= from && text.endsWith(tail);
}

/** Limits of a tier. `null`: no limit. */
export interface Tier {
  /** Jobs a day on each simulator. */
  dailyJobs: number | null;
  /** Jobs of a user that run at the same time. */
  runningJobs: number | null;
  job: JobLimits;
  /** Seconds a day of compute that ends in no charge, because the job fails or is cancelled. */
  unchargedSeconds: number | null;
  /** Bytes of programs and results that the organization keeps. */
  storedBytes: number | null;
}

const free: Tier = {
  dailyJobs: 500,
  runningJobs: 2,
  job: { seconds: 60, operations: 1e8, bytes: 2 ** 31 },
  unchargedSeconds: 600,
  storedBytes: 2 ** 30,
};

export const TIERS: Readonly<Record<string, Tier>> = {
  local: {
    dailyJobs: null,
    runningJobs: null,
    job: { seconds: 600, operations: 1e9, bytes: 2 ** 32 },
    unchargedSeconds: null,
    storedBytes: null,
  },
  free,
};

/** Returns the limits of a tier; an unknown one is `free`. */
export function tierOf(name: string): Tier {
  return TIERS[name] ?? free;
}

/** Limits the expected seconds of a job to the time that it may take. */
export function limitSeconds(tier: string, seconds: number | undefined): number | undefined {
  return seconds && Math.min(seconds, tierOf(tier).job.seconds);
}
