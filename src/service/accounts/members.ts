import { accountOf, grant, userAccountOf } from "../billing/ledger.ts";
import { toCredits, toMicro } from "../billing/price.ts";
import { HttpError } from "../http-error.ts";
import type { Scope } from "../store/schema.ts";
import { type Store, type StoreTransaction, transact } from "../store/store.ts";
import { type AuditEntry, appendAudit } from "./audit-trail.ts";
import { authenticate, digestKey, hintOf, makeKey } from "./caller.ts";

/** Owner of a new key, and what comes with it. */
export interface KeyRequest {
  organization: string;
  user: string;
  /** Granted to the organization, in 10^-6 credit. */
  grant: number;
  /** The user's tier from now on; `undefined` keeps it, or makes a new user `free`. */
  tier: string | undefined;
  /** Default: none, or the one that the user has. */
  budget?: BudgetRequest | undefined;
  /** Patterns of the devices that the key may use; `undefined`: every device. */
  allow: string[] | undefined;
  /** Scope of the key. Default: `submit`. */
  scope?: Scope | undefined;
  /** Expiry, in milliseconds since 1970. Default: never. */
  expiresAt?: number | undefined;
  /** Name of the creator in the audit trail. Default: `service`. */
  actor?: string | undefined;
}

/** New limits of a user within an organization; missing members stay unchanged. */
export interface BudgetRequest {
  /** Granted to the user, in 10^-6 credit; from then on the user pays from their own credits. */
  credits?: number | undefined;
  /** Bytes of programs and results. */
  storedBytes?: number | undefined;
  /** Unfinished jobs. */
  waitingJobs?: number | undefined;
}

/** A key as `keys list` shows it; the key itself is not kept anywhere. */
export interface KeyRecord {
  id: string;
  organization: string;
  user: string;
  tier: string;
  hint: string;
  allow: string[] | null;
  scope: Scope;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
}

interface NewKey {
  id: string;
  apiKey: string;
  userId: number;
}

/** Makes a key, and the organization and user that it needs, in one transaction. */
export const createKey = (store: Store, request: KeyRequest, now: number): Promise<NewKey> =>
  transact(store, transaction => addKey(transaction, request, now));

export async function addKey(
  transaction: StoreTransaction,
  request: KeyRequest,
  now: number,
): Promise<NewKey> {
  const { allow, scope = "submit", expiresAt = null, actor = "service", budget } = request;
  const organizationId = await ensureOrganization(transaction, request.organization, now);
  const { userId, previousTier } = await ensureUser(transaction, organizationId, request, now);
  if (request.grant > 0) await grant(transaction, accountOf(organizationId), request.grant, now);
  if (budget) await giveBudget(transaction, userId, budget, now);
  const apiKey = makeKey();
  const id = crypto.randomUUID();
  const hint = hintOf(apiKey);
  await transaction
    .insertInto("api_keys")
    .values({
      id,
      user_id: userId,
      digest: digestKey(apiKey),
      hint,
      allow_json: allow ? JSON.stringify(allow) : null,
      scope,
      created_at: now,
      expires_at: expiresAt,
      revoked_at: null,
    })
    .execute();
  const { user, tier } = request;
  const by = { actor, organizationId };
  const made = { user, hint, scope, expiresAt, allow: allow ?? null };
  const entries: AuditEntry[] = [{ ...by, event: "key.created", subject: id, details: made }];
  if (previousTier !== tier && previousTier && tier) {
    const details = { from: previousTier, to: tier };
    entries.push({ ...by, event: "tier.changed", subject: user, details });
  }
  if (request.grant > 0) {
    const details = { organization: request.organization, credits: toCredits(request.grant) };
    entries.push({ ...by, event: "credits.granted", subject: organizationId, details });
  }
  if (budget && Object.keys(budget).length > 0) {
    const { credits, ...limits } = budget;
    const details = { ...limits, ...(credits === undefined ? {} : { credits: toCredits(credits) }) };
    entries.push({ ...by, event: "budget.given", subject: user, details });
  }
  await appendAudit(transaction, entries, now);
  return { id, apiKey, userId };
}

async function giveBudget(
  transaction: StoreTransaction,
  userId: number,
  { credits, storedBytes, waitingJobs }: BudgetRequest,
  now: number,
): Promise<void> {
  const changes = {
    ...(credits === undefined ? {} : { own_credits: 1 }),
    ...(storedBytes === undefined ? {} : { max_stored_bytes: storedBytes }),
    ...(waitingJobs === undefined ? {} : { max_waiting_jobs: waitingJobs }),
  };
  if (Object.keys(changes).length === 0) return;
  await transaction.updateTable("users").set(changes).where("id", "=", userId).execute();
  if (credits) await grant(transaction, userAccountOf(userId), credits, now);
}

/** Lists every key, oldest first. */
export async function listKeys(store: Store): Promise<KeyRecord[]> {
  const rows = await store
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .innerJoin("organizations", "organizations.id", "users.organization_id")
    .select([
      "api_keys.id",
      "organizations.name as organization",
      "users.name as user",
      "tier",
      "hint",
      "allow_json",
      "scope",
      "api_keys.created_at as createdAt",
      "expires_at as expiresAt",
      "revoked_at as revokedAt",
    ])
    .orderBy("api_keys.created_at")
    .orderBy("api_keys.id")
    .execute();
  return rows.map(({ allow_json, ...row }) => ({
    ...row,
    allow: allow_json ? JSON.parse(allow_json) : null,
  }));
}

/** Whether a key still lets anybody in. */
export const isValid = ({ revokedAt, expiresAt }: KeyRecord, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** Revokes the key of this id, or the key itself; returns whether there was one that was valid. */
export function revokeKey(store: Store, idOrKey: string, now: number, actor = "service"): Promise<boolean> {
  return transact(store, async transaction => {
    const revoked = await transaction
      .updateTable("api_keys")
      .set({ revoked_at: now })
      .where(eb => eb.or([eb("id", "=", idOrKey), eb("digest", "=", digestKey(idOrKey))]))
      .where("revoked_at", "is", null)
      .returning(["id", "hint", "user_id"])
      .executeTakeFirst();
    if (!revoked) return false;
    const { name: user, organization_id: organizationId } = await transaction
      .selectFrom("users")
      .select(["name", "organization_id"])
      .where("id", "=", revoked.user_id)
      .executeTakeFirstOrThrow();
    const details = { user, hint: revoked.hint };
    const entry = { event: "key.revoked", actor, organizationId, subject: revoked.id, details } as const;
    await appendAudit(transaction, [entry], now);
    return true;
  });
}

async function ensureOrganization(transaction: StoreTransaction, name: string, now: number): Promise<string> {
  await transaction
    .insertInto("organizations")
    .values({ id: crypto.randomUUID(), name, auto_recharge: 0, created_at: now })
    .onConflict(conflict => conflict.column("name").doNothing())
    .execute();
  const { id } = await transaction
    .selectFrom("organizations")
    .select("id")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return id;
}

async function ensureUser(
  transaction: StoreTransaction,
  organizationId: string,
  { user, tier }: KeyRequest,
  now: number,
): Promise<{ userId: number; previousTier?: string }> {
  const made = await transaction
    .insertInto("users")
    .values({ organization_id: organizationId, name: user, tier: tier ?? "free", created_at: now })
    .onConflict(conflict => conflict.columns(["organization_id", "name"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (made) return { userId: made.id };
  const known = await transaction
    .selectFrom("users")
    .select(["id", "tier"])
    .where("organization_id", "=", organizationId)
    .where("name", "=", user)
    .executeTakeFirstOrThrow();
  if (tier) await transaction.updateTable("users").set({ tier }).where("id", "=", known.id).execute();
  return { userId: known.id, previousTier: known.tier };
}

/** Name of the data folder's own organization, and of its user. */
export const OWNER_NAME = "local";
const INITIAL_CREDITS = 1_000_000;

/** File with the key of a store's own user, next to the store. */
export interface KeyFile {
  /** Returns the key; undefined where there is none. */
  read(): Promise<string | undefined> | string | undefined;
  /** Keeps another key in its place, where only its owner can read it. */
  write(key: string): Promise<void> | void;
}

/**
 * Returns the key of the data folder's own user, who is made on the first start with 1,000,000 credits. The store
 * holds only the key's digest; the key itself is in a file that only its owner can read, so it
 * stays the same from start to start. When the file is lost, a new key replaces the old one.
 */
export async function ownerKey(store: Store, file: KeyFile, now: number): Promise<string> {
  const kept = await file.read();
  if (kept && (await holds(store, kept))) return kept;
  const older = (await listKeys(store)).filter(
    key => key.organization === OWNER_NAME && key.user === OWNER_NAME,
  );
  const { apiKey } = await createKey(
    store,
    {
      organization: OWNER_NAME,
      user: OWNER_NAME,
      grant: older.length > 0 ? 0 : toMicro(INITIAL_CREDITS),
      tier: "local",
      allow: undefined,
      scope: "admin",
    },
    now,
  );
  for (const key of older) await revokeKey(store, key.id, now);
  await file.write(apiKey);
  return apiKey;
}

async function holds(store: Store, key: string): Promise<boolean> {
  try {
    await authenticate(store, key);
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}
