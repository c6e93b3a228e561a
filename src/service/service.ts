import { mkdirSync } from "node:fs";
import { ownerKey } from "./accounts/owner.ts";
import { loadCatalogue } from "./catalogue/catalogue.ts";
import type { Context } from "./context.ts";
import { hasUnfinished } from "./dispatch/claim.ts";
import { type Dispatcher, startDispatcher } from "./dispatch/dispatcher.ts";
import { openPool } from "./dispatch/pool.ts";
import { BASE_PATH, createApp, LEGACY_BASE_PATH } from "./http/app.ts";
import { createHttpServer, listen } from "./http/server.ts";
import { announce } from "./local/discovery.ts";
import { lockFolder } from "./local/lock.ts";
import type { Log } from "./log.ts";
import { openStoreOf, type Store } from "./store/store.ts";

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
  /** Milliseconds since there was last a request, or, at a call of this, a job that had not ended. */
  idleTime(): Promise<number>;
  /** Stops: takes no more requests, and finishes or requeues what runs. */
  stop(): Promise<void>;
}

/** Thrown when another process serves the data folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
}

const grace = 2000;

/** Starts the embedded service of a data folder. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { folder, host, port, version, log, clock = Date.now } = options;
  const catalogue = loadCatalogue(options.catalogue);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder);
  if (!lock) throw new FolderInUseError(`Another service runs on ${folder}.`);
  const store = await openStoreOf(folder);
  const apiKey = await ownerKey(store, folder, clock());
  const pool = openPool();
  let dispatcher: Dispatcher | undefined;
  let lastBusy = clock();
  const context: Context = { store, catalogue, clock, wake: () => dispatcher?.wake() };
  const app = createApp(context, pool, log, version);
  const server = createHttpServer(request => {
    lastBusy = clock();
    return app.fetch(request);
  }, log);
  const close = async () => {
    await pool.close();
    await store.destroy();
    lock.release();
  };
  const origin = await listen(server, host, port).catch(async error => {
    await close();
    throw error;
  });
  dispatcher = await startDispatcher({ store, catalogue, pool, clock, log, version });
  const url = `${origin}${BASE_PATH}`;
  const withdraw = announce(folder, { url, apiKey, pid: process.pid, version });

  return {
    url,
    legacyUrl: `${origin}${LEGACY_BASE_PATH}`,
    apiKey,
    store,
    async idleTime() {
      if (await hasUnfinished(store)) lastBusy = clock();
      return clock() - lastBusy;
    },
    async stop() {
      withdraw();
      const closed = new Promise(done => server.close(done));
      server.closeIdleConnections();
      await dispatcher.stop(grace);
      server.closeAllConnections();
      await closed;
      await close();
    },
  };
}
