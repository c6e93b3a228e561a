import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toMicro } from "../billing/credits.ts";
import { HttpError } from "../http-error.ts";
import { OWNER_KEY_FILE } from "../local/folder.ts";
import { writePrivately } from "../local/private-file.ts";
import type { Store } from "../store/store.ts";
import { authenticate } from "./keys.ts";
import { createKey, listKeys, revokeKey } from "./members.ts";

/** Name of the data folder's own organization, and of its user. */
export const OWNER_NAME = "local";
const INITIAL_CREDITS = 1_000_000;

/**
 * Returns the key of the data folder's own user, who is made on the first start with 1,000,000 credits. The store
 * holds the key's digest alone; the key itself is in a file of the folder that only its owner can read, so that it
 * stays the same from start to start. When the file is lost, a new key replaces the old one.
 */
export async function ownerKey(store: Store, folder: string, now: number): Promise<string> {
  const path = join(folder, OWNER_KEY_FILE);
  const kept = existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
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
  writePrivately(path, `${apiKey}\n`);
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
