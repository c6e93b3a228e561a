import { spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ConnectionError } from "../../client/errors.ts";
import type { Endpoint } from "../../client/options.ts";
import { dataFolder, isLocalService, type LocalService, SERVICE_FILE } from "../../contract/local.ts";

const idleSeconds = 15 * 60;
const patience = 30_000;
const maxLogBytes = 1024 * 1024;

/** Finds the user's local service, or starts one as a process of its own that ends when it has long been idle. */
export async function localEndpoint(folder: string = dataFolder()): Promise<Endpoint> {
  const running = await findService(folder);
  if (running) return running;
  const service = startService(folder);
  for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(20)) {
    const found = await findService(folder);
    if (found) return found;
    if (service.failed()) break;
  }
  const log = join(folder, "service.log");
  throw new ConnectionError(
    `The local service did not start. Its log is ${log}; it ends with:\n${lastLines(log)}`,
  );
}

async function findService(folder: string): Promise<LocalService | undefined> {
  const service = readServiceFile(folder);
  if (!service) return undefined;
  try {
    process.kill(service.pid, 0);
    const health = await fetch(new URL("/healthz", service.url), { signal: AbortSignal.timeout(2000) });
    return health.ok ? service : undefined;
  } catch {
    return undefined;
  }
}

function readServiceFile(folder: string): LocalService | undefined {
  try {
    const service: unknown = JSON.parse(readFileSync(join(folder, SERVICE_FILE), "utf8"));
    return isLocalService(service) ? service : undefined;
  } catch {
    return undefined;
  }
}

/** Starts the service. When another notebook was quicker, the new process sees it and ends with code 3. */
function startService(folder: string): { failed(): boolean } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "service.log");
  const flags = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes ? "w" : "a";
  const log = openSync(path, flags, 0o600);
  const command = new URL(
    import.meta.url.endsWith(".ts") ? "../../cli/main.ts" : "./cli.js",
    import.meta.url,
  );
  const node = "deno" in process.versions ? "node" : process.execPath;
  const options = ["serve", "--data", folder, "--port", "0", "--idle-exit", String(idleSeconds)];
  const child = spawn(node, [fileURLToPath(command), ...options], {
    detached: true,
    stdio: ["ignore", log, log],
    windowsHide: true,
  });
  let failed = false;
  child.on("error", () => {
    failed = true;
  });
  child.on("exit", code => {
    failed = code !== 3;
  });
  child.unref();
  return { failed: () => failed };
}

function lastLines(path: string): string {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n").slice(-8).join("\n");
  } catch {
    return "(nothing)";
  }
}
