import { chmodSync, mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { ownerKey } from "./accounts/owner.ts";
import { loadCatalogue } from "./catalogue/catalogue.ts";
import type { Context } from "./context.ts";
import { hasUnfinished } from "./dispatch/claim.ts";
import { type Dispatcher, startDispatcher } from "./dispatch/dispatcher.ts";
import { openPool } from "./dispatch/pool.ts";
import { BASE_PATH, createApp, LEGACY_BASE_PATH } from "./http/app.ts";
import { harden } from "./http/server.ts";
import { announce } from "./local/discovery.ts";
import { lockFolder } from "./local/lock.ts";
import type { Log } from "./log.ts";
import { openStore, type Store } from "./store/store.ts";

/** How a service is started. */
export interface ServiceOptions {
  /** Folder of its data; made if it is not there. */
  folder: string;
  host: string;
  /** 0: any free port. */
  port: number;
  /** File that replaces the standard catalogue. */
  catalogue: string | undefined;
  /** Written where notebooks find the service. */
  version: string;
  log: Log;
  /** Milliseconds since 1970; the system's clock if not given. */
  clock?: () => number;
}

/** A service that runs. */
export interface RunningService {
  /** Base address of version 2. */
  url: string;
  /** Base address of version 1. */
  legacyUrl: string;
  /** Key of the data folder's own user. */
  apiKey: string;
  /** Its open store, for what is done in this process beside HTTP. */
  store: Store;
  /** Milliseconds since the last request was answered; 0 while a job has not ended. */
  idleTime(): Promise<number>;
  /** Stops: takes no more requests, and finishes or requeues what runs. */
  stop(): Promise<void>;
}

/** Thrown when another process serves the data folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
}

const grace = 2000;
/** Room for a thousand job names in one address. */
const maxHeaderSize = 128 * 1024;

/** Starts the embedded service of a data folder. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { folder, host, log, clock = Date.now } = options;
  const catalogue = loadCatalogue(options.catalogue);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const lock = lockFolder(folder);
  if (!lock) throw new FolderInUseError(`Another service runs on ${folder}.`);
  const path = join(folder, "ketbook.sqlite");
  const store = await openStore(path);
  chmodSync(path, 0o600);
  const apiKey = await ownerKey(store, folder, clock());
  let dispatcher: Dispatcher | undefined;
  let lastRequest = clock();
  const context: Context = { store, catalogue, clock, wake: () => dispatcher?.wake() };
  const pool = openPool();
  const app = createApp(context, pool, log, options.version);
  const server = await listen(
    request => {
      lastRequest = clock();
      return app.fetch(request);
    },
    host,
    options.port,
  );
  dispatcher = await startDispatcher({ store, catalogue, pool, clock, log });
  const origin = originOf(server.address() as AddressInfo);
  const url = `${origin}${BASE_PATH}`;
  const withdraw = announce(folder, { url, apiKey, pid: process.pid, version: options.version });

  return {
    url,
    legacyUrl: `${origin}${LEGACY_BASE_PATH}`,
    apiKey,
    store,
    idleTime: async () => ((await hasUnfinished(store)) ? 0 : clock() - lastRequest),
    async stop() {
      withdraw();
      const closed = new Promise(done => server.close(done));
      server.closeIdleConnections();
      await dispatcher.stop(grace);
      server.closeAllConnections();
      await closed;
      await pool.close();
      await store.destroy();
      lock.release();
    },
  };
}

function listen(fetch: (request: Request) => Response | Promise<Response>, hostname: string, port: number) {
  return new Promise<ReturnType<typeof harden>>((resolve, reject) => {
    const server = harden(
      serve({ fetch, hostname, port, overrideGlobalObjects: false, serverOptions: { maxHeaderSize } }, () =>
        resolve(server),
      ),
    );
    server.once("error", reject);
  });
}

function originOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
