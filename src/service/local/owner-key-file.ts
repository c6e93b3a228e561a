import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OWNER_KEY_FILE } from "./folder.ts";
import { writePrivately } from "./private-file.ts";

/** Returns the file of a data folder that keeps the key of its own user. */
export function ownerKeyFile(folder: string) {
  const path = join(folder, OWNER_KEY_FILE);
  return {
    read: () => (existsSync(path) ? readFileSync(path, "utf8").trim() : undefined),
    write: (key: string) => writePrivately(path, `${key}\n`),
  };
}
