import { equalsInConstantTime, randomHex, sha256Hex } from "#host";
import { HttpError } from "../http-error.ts";
import { createBatcher } from "../store/batcher.ts";
import { prepareRows } from "../store/prepared.ts";
import { BUDGET_COLUMNS } from "../store/schema.ts";
import { locksOf, type Store } from "../store/store.ts";
import type { Caller } from "./caller.ts";

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

const findByDigests = prepareRows((store, digests: string[]) =>
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
    .where("digest", "in", digests)
    .where("revoked_at", "is", null),
);

type KeyRow = Awaited<ReturnType<typeof findByDigests>>[number];

const readers = new WeakMap<Store, (digest: string) => Promise<KeyRow | undefined>>();
/** One query is made at a time, for all who ask meanwhile. */
const READS = { maxItems: 64, maxRunning: 1 };

/** Finds the key of a digest; where every query is a way to a server and back, together with others. */
function findByDigest(store: Store, digest: string): Promise<KeyRow | undefined> {
  let read = readers.get(store);
  if (!read) {
    const readAll = async (asked: readonly string[]) => {
      const rows = await findByDigests(store, [...new Set(asked)]);
      return asked.map(digest => rows.find(row => row.digest === digest));
    };
    read = locksOf(store) ? createBatcher(readAll, READS) : async digest => (await readAll([digest]))[0];
    readers.set(store, read);
  }
  return read(digest);
}

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
