import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ketbook, type ServingProcess, servingProcess } from "../service/process.ts";
import { type Caller, caller } from "../service/serving.ts";

/** A folder that is removed in the end. */
export function temporaryFolder(): { folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-reliability-"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

let flags: Promise<string[]> | undefined;

/** The options of `serve` that lift its limits of requests a second. */
async function rateFlags(): Promise<string[]> {
  const { stdout } = await ketbook("serve", "--help");
  return ["--rate", "--anonymous-rate"].flatMap(flag =>
    stdout.includes(`${flag} `) ? [flag, "1000000000"] : [],
  );
}

/** Starts `ketbook serve` without limits of requests a second. */
export async function startSubject(folder: string, ...args: string[]): Promise<ServingProcess> {
  flags ??= rateFlags();
  return servingProcess(folder, ...(await flags), ...args);
}

/** Makes a user of an organization of its own, in the tier without daily limit, and speaks for that one. */
export async function makeUser(
  service: ServingProcess,
  folder: string,
  name: string,
): Promise<Caller & { apiKey: string }> {
  const { stdout, stderr } = await ketbook(
    ...["keys", "create", "--org", name, "--user", name, "--tier", "local", "--credits", "1000000"],
    ...["--data", folder, "--json"],
  );
  if (!stdout) throw new Error(stderr);
  const { apiKey } = JSON.parse(stdout);
  return { ...caller(service.url, apiKey), apiKey };
}

/** How long the service took to answer on a connection of its own, in milliseconds, until `stop` is called. */
export function probeLiveness(url: string): { stop(): Promise<number[]> } {
  const times: number[] = [];
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      const started = performance.now();
      const isAlive = await fetch(new URL("/healthz", url)).then(
        answer => answer.ok,
        () => false,
      );
      times.push(isAlive ? performance.now() - started : Number.POSITIVE_INFINITY);
      await sleep(50);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await probing;
      return times;
    },
  };
}
