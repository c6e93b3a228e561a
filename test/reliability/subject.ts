import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createKey } from "../../src/service/accounts/members.ts";
import { toMicro } from "../../src/service/billing/price.ts";
import { openStoreOf } from "../../src/service/node/sqlite/open.ts";
import { type ServingProcess, servingProcess } from "../service/process.ts";
import { type Caller, caller } from "../service/serving.ts";

/** A folder that is removed in the end. */
export function temporaryFolder(): { folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-reliability-"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts `ketbook serve` without limits of requests a second. */
export const startSubject = (folder: string, ...args: string[]): Promise<ServingProcess> =>
  servingProcess(folder, "--rate", "1000000000", "--anonymous-rate", "1000000000", ...args);

/** Makes a user of an organization of its own, in the tier without daily limit, and speaks for that one. */
export async function makeUser(
  service: ServingProcess,
  folder: string,
  name: string,
): Promise<Caller & { apiKey: string }> {
  const store = await openStoreOf(folder);
  try {
    const named = { organization: name, user: name, tier: "local", allow: undefined };
    const { apiKey } = await createKey(store, { ...named, grant: toMicro(1_000_000) }, Date.now());
    return { ...caller(service.url, apiKey), apiKey };
  } finally {
    await store.destroy();
  }
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
