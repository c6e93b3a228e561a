import { toMicro } from "../billing/credits.ts";
import { HttpError } from "../http-error.ts";
import type { Store } from "../store/store.ts";
import { authenticate } from "./keys.ts";
import { createKey, listKeys, revokeKey } from "./members.ts";

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
 * holds the key's digest alone; the key itself is in a file that only its owner can read, so that it
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
