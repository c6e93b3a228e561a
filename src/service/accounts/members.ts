import { randomUUID } from "node:crypto";
import { grant } from "../billing/ledger.ts";
import { type Store, transact } from "../store/store.ts";
import { digestKey, hintOf, makeKey } from "./keys.ts";

/** For whom a key is made, and what comes with it. */
export interface KeyRequest {
  organization: string;
  user: string;
  /** Granted to the organization, in 10^-6 credit. */
  grant: number;
  /** The user's tier from now on; `undefined` keeps it, or makes a new user `free`. */
  tier: string | undefined;
  /** Patterns of the devices that the key may use; `undefined`: every device. */
  allow: string[] | undefined;
}

/** A key as `keys list` shows it; the key itself is not kept anywhere. */
export interface KeyRecord {
  id: string;
  organization: string;
  user: string;
  tier: string;
  hint: string;
  allow: string[] | null;
  createdAt: number;
  revokedAt: number | null;
}

/** Makes a key, and the organization and user that it needs, in one transaction. */
export function createKey(
  store: Store,
  request: KeyRequest,
  now: number,
): Promise<{ id: string; apiKey: string; userId: number }> {
  return transact(store, async transaction => {
    const organizationId = await ensureOrganization(transaction, request.organization, now);
    const userId = await ensureUser(transaction, organizationId, request, now);
    if (request.grant > 0) await grant(transaction, organizationId, request.grant, now);
    const apiKey = makeKey();
    const id = randomUUID();
    await transaction
      .insertInto("api_keys")
      .values({
        id,
        user_id: userId,
        digest: digestKey(apiKey),
        hint: hintOf(apiKey),
        allow_json: request.allow ? JSON.stringify(request.allow) : null,
        created_at: now,
        revoked_at: null,
      })
      .execute();
    return { id, apiKey, userId };
  });
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
      "api_keys.created_at as createdAt",
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

/** Revokes the key of this id, or the key itself; says whether there was one that still held. */
export async function revokeKey(store: Store, idOrKey: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await store
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where(eb => eb.or([eb("id", "=", idOrKey), eb("digest", "=", digestKey(idOrKey))]))
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function ensureOrganization(store: Store, name: string, now: number): Promise<string> {
  const known = await store
    .selectFrom("organizations")
    .select("id")
    .where("name", "=", name)
    .executeTakeFirst();
  if (known) return known.id;
  const id = randomUUID();
  await store.insertInto("organizations").values({ id, name, auto_recharge: 0, created_at: now }).execute();
  return id;
}

async function ensureUser(
  store: Store,
  organizationId: string,
  { user, tier }: KeyRequest,
  now: number,
): Promise<number> {
  const known = await store
    .selectFrom("users")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("name", "=", user)
    .executeTakeFirst();
  if (known) {
    if (tier) await store.updateTable("users").set({ tier }).where("id", "=", known.id).execute();
    return known.id;
  }
  const { id } = await store
    .insertInto("users")
    .values({ organization_id: organizationId, name: user, tier: tier ?? "free", created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
