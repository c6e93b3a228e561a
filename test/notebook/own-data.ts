import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll } from "vitest";
import { type LocalService, SERVICE_FILE } from "../../src/contract/local.ts";

/**
 * Makes a data folder, and so a local service, for the processes that this test file starts; ends it afterwards. Loads
 * nothing of the library.
 */
export function useOwnData(): string {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-data-"));
  process.env.KETBOOK_DATA = folder;
  delete process.env.KETBOOK_URL;
  delete process.env.KETBOOK_API_KEY;
  afterAll(async () => {
    await endService(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** What the service file of a data folder says, if there is one. */
export function serviceOf(folder: string): LocalService | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, SERVICE_FILE), "utf8"));
  } catch {
    return undefined;
  }
}

/** Ends the service of a data folder and waits until its process is gone. */
export async function endService(folder: string): Promise<void> {
  const service = serviceOf(folder);
  if (!service) return;
  process.kill(service.pid, "SIGTERM");
  for (let left = 200; left > 0 && isAlive(service.pid); left -= 1) await sleep(50);
}

/** Says whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
