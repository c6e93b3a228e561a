import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import manifest from "../../../package.json" with { type: "json" };
import { ConnectionError, type Endpoint, readText } from "../../client/index.ts";
import {
  compareVersions,
  LOCAL_PATHS,
  type LocalService,
  proveService,
  readServiceFile,
} from "../../contract/index.ts";
import { attempted } from "../../host/attempted.ts";
import { dataFolder } from "../../host/data-folder.ts";

const IDLE_EXIT_S = 15 * 60;
const START_TIMEOUT_MS = 30_000;
const ANSWER_TIMEOUT_MS = 2000;
/** Maximum silence of the service that holds the folder. */
const SILENCE_TIMEOUT_MS = 10_000;
/** Bytes of an answer that are read: another program on the port of a service may send without end. */
const MAX_ANSWER_LENGTH = 64 * 1024;
const IN_USE_CODE = 3;

/**
 * Finds the user's local service, or starts one in a separate process that ends when it has long been idle. One of an
 * older version is replaced if nothing is under way there. The service has proved that it knows the folder's key.
 */
export async function localEndpoint(
  folder: string = dataFolder(),
  version: string = manifest.version,
): Promise<Endpoint> {
  const running = await findService(folder);
  if (running && !(await replaces(running, version))) return running;
  let service = startService(folder);
  let pause = 250;
  const started = performance.now();
  for (const deadline = started + START_TIMEOUT_MS; performance.now() < deadline; await sleep(20)) {
    const found = await findService(folder);
    if (found && found.pid !== running?.pid) return found;
    if (service.exitCode() === undefined) continue;
    if (service.exitCode() !== IN_USE_CODE) break;
    if (performance.now() - started > SILENCE_TIMEOUT_MS) break;
    await sleep(pause);
    pause *= 2;
    service = startService(folder);
  }
  throw new ConnectionError(await explainFailure(folder, service));
}

/** Finds the service that the folder names, if a process answers there that knows the folder's key. */
async function findService(folder: string): Promise<LocalService | undefined> {
  const service = readServiceFile(folder);
  if (!service) return undefined;
  try {
    process.kill(service.pid, 0);
    const nonce = randomBytes(16).toString("hex");
    const { proof } = await ask(service, `${LOCAL_PATHS.identity}?nonce=${nonce}`);
    return proof === proveService(service, nonce) ? service : undefined;
  } catch {
    return undefined;
  }
}

async function ask(service: LocalService, path: string, init: RequestInit = {}) {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const answer = await fetch(new URL(path, service.url), { redirect: "error", signal, ...init });
  const header = (name: string) => answer.headers.get(name);
  const text = await readText(answer.body ?? [], header, () => false, undefined, MAX_ANSWER_LENGTH);
  return JSON.parse(text) as { [field: string]: unknown };
}

/** Asks an older service to end for one of this version; resolves to whether it does. */
async function replaces(running: LocalService, version: string): Promise<boolean> {
  const order = compareVersions(version, running.version);
  if (order === 0) return false;
  if (order > 0) {
    const path = `${LOCAL_PATHS.stepAside}?version=${encodeURIComponent(version)}`;
    const request = { method: "POST", headers: { "x-api-key": running.apiKey } };
    if ((await ask(running, path, request).catch(() => undefined))?.accepted === true) return true;
  }
  warnOnce(running, version, order > 0);
  return false;
}

const warned = new Set<number>();

/** Says once which versions meet, and what to do about it. */
function warnOnce({ pid, version: serving }: LocalService, version: string, isNewer: boolean): void {
  if (warned.has(pid)) return;
  warned.add(pid);
  const advice = isNewer
    ? `It is replaced when its jobs have ended; to replace it now, end process ${pid}.`
    : `To have the same here: npm install ketbook@${serving}`;
  process.emitWarning(`The local service is Ketbook ${serving}, and this is Ketbook ${version}. ${advice}`, {
    type: "KetbookWarning",
  });
}

/** Starts the service. When another notebook was quicker, the new process sees it and ends with code 3. */
function startService(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = logPath(folder);
  const log = openSync(path, "a", 0o600);
  /** Bytes of the log that were there before the process. */
  const logOffset = fstatSync(log).size;
  const command = new URL(
    import.meta.url.endsWith(".ts") ? "../../cli/index.ts" : "./cli.js",
    import.meta.url,
  );
  const node = "deno" in process.versions ? "node" : process.execPath;
  const options = ["--data", folder, "--port", "0", "--log-file", path, "--idle-exit", String(IDLE_EXIT_S)];
  const child = spawn(node, [fileURLToPath(command), "serve", ...options], {
    detached: true,
    stdio: ["ignore", log, log],
    windowsHide: true,
  });
  closeSync(log);
  /** Undefined while it runs; null when a signal ended it, or nothing could be started. */
  let exitCode: number | null | undefined;
  child.on("error", () => {
    exitCode = null;
  });
  child.on("exit", code => {
    exitCode = code;
  });
  child.unref();
  return { exitCode: () => exitCode, logOffset };
}

async function explainFailure(
  folder: string,
  { exitCode, logOffset }: ReturnType<typeof startService>,
): Promise<string> {
  const other = exitCode() === IN_USE_CODE && readServiceFile(folder);
  if (other) {
    const isSilent = await ask(other, LOCAL_PATHS.identity).then(
      () => false,
      error => error?.name === "TimeoutError",
    );
    if (isSilent) {
      return `The local service at ${other.url} does not answer. Its process ${other.pid} runs, but may be stopped or overloaded. Resume it (kill -CONT ${other.pid}), or end it (kill -KILL ${other.pid}) and try again: its jobs are kept.`;
    }
    return `The service at ${other.url} has the folder ${folder}, and did not prove that it knows the folder's key. End process ${other.pid}, and try again.`;
  }
  const log = logPath(folder);
  return `The local service did not start. Its log is ${log}; it ends with:\n${lastLines(log, logOffset)}`;
}

const logPath = (folder: string) => join(folder, "service.log");

function lastLines(path: string, offset: number): string {
  const lines = attempted(() => readFileSync(path).subarray(offset).toString().trimEnd()) ?? "";
  return lines.split("\n").slice(-8).join("\n") || "(nothing)";
}
