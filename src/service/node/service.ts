import type { Timing } from "../../contract/index.ts";
import {
  damagedMessage,
  hasUnfinished,
  type Log,
  loadCatalogue,
  openInOrder,
  prepareEmbedded,
  RESTORE_ADVICE,
  RETENTION_MS,
  type Store,
  StoreError,
  startRetention,
  steadyClock,
  type WorkerPool,
} from "../index.ts";
import { lockFolder, ownerKeyFile, secureFolder, writeServiceFile } from "./folder.ts";
import { followDevices } from "./imported-devices.ts";
import { type ApiAddress, startApi } from "./server.ts";
import { checkIntegrity, lostPages, readLogIndex } from "./sqlite/integrity.ts";
import { compactStore, hasContents, openStoreOf, setAsideOlderStore, storePath } from "./sqlite/open.ts";
import { openPool } from "./threads.ts";

/** Settings of every process of a service. */
export interface ServiceSettings {
  /** Jobs that it runs at a time. Default: one a processor. */
  workers?: number | undefined;
  /** File that replaces the standard catalogue; the same for all processes. */
  catalogue?: string | undefined;
  /** Duration of jobs on emulated QPUs; the same for all processes. Default: that of the catalogue. */
  timing?: Timing | undefined;
  /** The service's own vendor code, which is part of resource names; the same for all processes. Default: `svc`. */
  vendor?: string | undefined;
  version: string;
  log: Log;
  /** Milliseconds after which the contents of deleted jobs are removed. Default: 30 days. */
  retention?: number | undefined;
}

interface ServiceOptions extends ServiceSettings, ApiAddress {
  /** Folder of its data; made if it is not there. */
  folder: string;
  /** The system's clock, in milliseconds since 1970. */
  clock?: () => number;
  /** Threads that run its jobs, which stay open. Default: its own, `workers` of them. */
  pool?: WorkerPool | undefined;
  /** Milliseconds for running jobs to finish when the service stops. Default: 2000. */
  grace?: number | undefined;
  /** Called when a newer version asks to take over and nothing is under way; undefined: the service stays. */
  onStepAside?: (() => void) | undefined;
}

export type RunningService = Awaited<ReturnType<typeof open>>;

/** Starts the embedded service of a data folder. When that fails, nothing of it is left. */
export function startService(options: ServiceOptions): Promise<RunningService> {
  return openInOrder(options.log, (onClose, close) => open(options, onClose, close));
}

async function open(
  options: ServiceOptions,
  onClose: (close: () => unknown) => void,
  close: () => Promise<void>,
) {
  const {
    folder,
    version,
    log,
    onStepAside,
    timing,
    vendor,
    retention = RETENTION_MS,
    grace = 2000,
  } = options;
  const catalogue = loadCatalogue(options.catalogue, timing, vendor);
  const clock = steadyClock(options.clock, milliseconds =>
    log("error", "clock", { error: `The system's clock was set back by ${Math.round(milliseconds)} ms.` }),
  );
  secureFolder(folder);
  const lock = lockFolder(folder);
  onClose(lock.release);
  onClose(
    followDevices(folder, catalogue, {
      timing,
      vendor,
      onError: error => log("error", "devices", { error }),
    }),
  );
  // Notebooks start with an empty store after an update; a service that was set up by hand is refused.
  const older = onStepAside && setAsideOlderStore(folder);
  if (older)
    log("error", "store", { error: `The store was written by an older Ketbook. It is in ${older} now.` });
  const written = readLogIndex(storePath(folder));
  if (hasContents(folder)) await checkStore(folder);
  const lost = lostPages(written, readLogIndex(storePath(folder)));
  const store = await openStoreOf(folder, lock);
  onClose(() => store.destroy());
  if (lost > 0) log("error", "store", { error: await lossOf(store, storePath(folder), lost) });
  onClose(startRetention({ store, compact: () => compactStore(storePath(folder)), retention, clock, log }));
  const pool = options.pool ?? openPool(options.workers);
  if (!options.pool) onClose(() => pool.close());
  const keyFile = ownerKeyFile(folder);
  const parts = { store, catalogue, vendor, pool, keyFile, clock, version, log };
  const embedded = await prepareEmbedded(parts);
  const { context, apiKey } = embedded;
  let lastBusy = performance.now();
  const api = await startApi(
    {
      ...options,
      context,
      path: storePath(folder),
      identity: () => ({ url: api.url, apiKey, version, stepAside }),
    },
    onClose,
  );
  const { url, legacyUrl } = api;
  const dispatcher = await embedded.start();
  onClose(() => {
    api.server.close();
    return dispatcher.stop(grace);
  });
  onClose(writeServiceFile(folder, { url, apiKey, pid: process.pid, version }));

  async function stepAside(): Promise<boolean> {
    if (!onStepAside || api.handler.requests > 1 || (await hasUnfinished(store))) return false;
    setImmediate(onStepAside);
    return true;
  }

  return {
    url,
    legacyUrl,
    /** Key of the data folder's own user. */
    apiKey,
    /** Its open store, for work in this process outside of HTTP. */
    store,
    /** Milliseconds since there was last a request, or, at a call of this, a job that had not ended. */
    async idleTime() {
      if (await hasUnfinished(store)) lastBusy = performance.now();
      return performance.now() - Math.max(lastBusy, api.handler.lastRequest);
    },
    /** Stops: takes no more requests, and finishes or requeues what runs. */
    stop: close,
  };
}

/** Returns sentences on pages of the write-ahead log that were lost. */
async function lossOf(store: Store, path: string, pages: number): Promise<string> {
  const last = await store
    .selectFrom("jobs")
    .select(["qrn", "created_at"])
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const left = last ? `${last.qrn}, of ${new Date(last.created_at).toISOString()}` : "none";
  return `The write-ahead log ${path}-wal is cut or damaged: its last ${pages} pages are lost, and the jobs, results and keys that were in them. The newest job that is left: ${left}. Restore a backup if you need what came after it.`;
}

/** Throws a `StoreError` for a store whose file is damaged, before anything is written to it. */
async function checkStore(folder: string): Promise<void> {
  const problems = await checkIntegrity(storePath(folder), "quick");
  if (problems.length === 0) return;
  throw new StoreError(`${damagedMessage(folder)} (${problems[0]}) ${RESTORE_ADVICE}`);
}
