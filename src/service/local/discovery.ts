import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isLocalService, type LocalService, SERVICE_FILE } from "../../contract/local.ts";
import { writePrivately } from "./private-file.ts";

/**
 * Writes in the data folder where its service is. Returns the function that removes that again, unless another service
 * has written there since, as in a folder that was made anew.
 */
export function writeServiceFile(folder: string, service: LocalService): () => void {
  const path = join(folder, SERVICE_FILE);
  writePrivately(path, `${JSON.stringify(service)}\n`);
  return () => {
    if (readServiceFile(folder)?.url === service.url) rmSync(path, { force: true });
  };
}

/** Reads where the data folder's service is, if one has said so. */
export function readServiceFile(folder: string): LocalService | undefined {
  try {
    const service: unknown = JSON.parse(readFileSync(join(folder, SERVICE_FILE), "utf8"));
    return isLocalService(service) ? service : undefined;
  } catch {
    return undefined;
  }
}
