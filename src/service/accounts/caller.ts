import { equalsInConstantTime, randomHex, sha256Hex } from "#host";
import { HttpError } from "../http-error.ts";
import { BUDGET_COLUMNS, type Budget, type Scope } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
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

const KEY_PATTERN = /^kb_[0-9a-f]{48}$/;
const HINT_LENGTH = 9;

export function makeKey(): string {
  return `kb_${randomHex(24)}`;
}

/** Digests a key; only this is kept. A key is 192 random bits, so a plain digest is as good as a slow one. */
export function digestKey(key: string): string {
  return sha256Hex(key);
}

/** Returns the beginning of a key, by which a person tells it from others. */
export function hintOf(key: string): string {
  return key.slice(0, HINT_LENGTH);
}

const findByDigest = (store: Store, digest: string) =>
  store
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .select([
      "digest",
      "allow_json",
      "scope",
      "expires_at",
      "api_keys.id as key_id",
      "users.id",
      "organization_id",
      "tier",
      ...BUDGET_COLUMNS,
    ])
    .where("digest", "=", digest)
    .where("revoked_at", "is", null)
    .executeTakeFirst();

/** Finds who holds the key that came in a header; throws an HttpError (401). `now` is by default the system's time. */
export async function authenticate(
  store: Store,
  key: string | undefined,
  header = "X-API-KEY",
  now = Date.now(),
): Promise<Caller> {
  if (!key) {
    throw new HttpError("NO_VALID_AUTHENTICATION", `An API key is needed, in the header ${header}.`);
  }
  if (!KEY_PATTERN.test(key)) {
    throw new HttpError(
      "INVALID_API_KEY_FORMAT",
      'The API key is malformed: it is "kb_" and 48 hexadecimal digits.',
    );
  }
  const digest = digestKey(key);
  const row = await findByDigest(store, digest);
  const known = equalsInConstantTime(digest, row?.digest ?? "0".repeat(digest.length));
  if (!row || !known) throw new HttpError("INVALID_API_KEY", "The API key is not known, or was revoked.");
  if (row.expires_at !== null && row.expires_at <= now) {
    const time = new Date(row.expires_at).toISOString();
    throw new HttpError("INVALID_API_KEY", `The API key expired at ${time}. Ask for a new one.`);
  }
  return {
    userId: row.id,
    organizationId: row.organization_id,
    tier: row.tier,
    budget: row,
    keyId: row.key_id,
    scope: row.scope,
    allow: row.allow_json === null ? undefined : JSON.parse(row.allow_json),
  };
}
