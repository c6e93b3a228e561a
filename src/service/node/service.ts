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
  type RequestLimits,
  type Store,
  StoreError,
  startRetention,
  steadyClock,
} from "../index.ts";
import { lockFolder, secureFolder, writeServiceFile } from "./folder.ts";
import { followDevices } from "./imported-devices.ts";
import { ownerKeyFile } from "./private-files.ts";
import { startApi } from "./server.ts";
import { checkIntegrity, lostPages, readLogIndex } from "./sqlite/integrity.ts";
import { compactStore, hasContents, openStoreOf, storePath } from "./sqlite/open.ts";
import { openPool } from "./threads.ts";

interface ServiceOptions {
  /** Folder of its data; made if it is not there. */
  folder: string;
  host: string;
  /** 0: any free port. */
  port: number;
  /** Names by which requests may call it, besides those of this machine; undefined: any name. */
  allowedHosts?: readonly string[] | undefined;
  /** Jobs that it runs at a time. Default: one a processor. */
  workers?: number | undefined;
  /** File that replaces the standard catalogue. */
  catalogue: string | undefined;
  /** Duration of jobs on emulated QPUs. Default: that of the catalogue. */
  timing?: Timing | undefined;
  /** The service's own vendor code, which stands in resource names. Default: `svc`. */
  vendor?: string | undefined;
  /** Written where notebooks find the service. */
  version: string;
  log: Log;
  limits?: RequestLimits | undefined;
  /** Milliseconds after which the contents of deleted jobs are removed. Default: 30 days. */
  retention?: number | undefined;
  /** The system's clock, in milliseconds since 1970. */
  clock?: () => number;
  /** Called when a newer version asks to take over and nothing is under way; undefined: the service stays. */
  onStepAside?: (() => void) | undefined;
}

export interface RunningService {
  url: string;
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

/** Time for running jobs to finish when the service stops. */
const GRACE_MS = 2000;

/** Starts the embedded service of a data folder. When that fails, nothing of it is left. */
export function startService(options: ServiceOptions): Promise<RunningService> {
  return openInOrder(options.log, (onClose, close) => open(options, onClose, close));
}

async function open(
  {
    folder,
    host,
    port,
    allowedHosts,
    version,
    log,
    limits,
    onStepAside,
    retention = RETENTION_MS,
    ...options
  }: ServiceOptions,
  onClose: (close: () => unknown) => void,
  close: () => Promise<void>,
): Promise<RunningService> {
  const catalogue = loadCatalogue(options.catalogue, options.timing, options.vendor);
  const clock = steadyClock(options.clock, milliseconds =>
    log("error", "clock", { error: `The system's clock was set back by ${Math.round(milliseconds)} ms.` }),
  );
  secureFolder(folder);
  const lock = lockFolder(folder);
  onClose(lock.release);
  onClose(
    followDevices(folder, catalogue, {
      timing: options.timing,
      vendor: options.vendor,
      onError: error => log("error", "devices", { error }),
    }),
  );
  const written = readLogIndex(storePath(folder));
  if (hasContents(folder)) await checkStore(folder);
  const lost = lostPages(written, readLogIndex(storePath(folder)));
  const store = await openStoreOf(folder, lock);
  onClose(() => store.destroy());
  if (lost > 0) log("error", "store", { error: await lossOf(store, storePath(folder), lost) });
  onClose(startRetention({ store, compact: () => compactStore(storePath(folder)), retention, clock, log }));
  const pool = openPool(options.workers);
  onClose(() => pool.close());
  const keyFile = ownerKeyFile(folder);
  const embedded = await prepareEmbedded({
    store,
    catalogue,
    vendor: options.vendor,
    pool,
    keyFile,
    clock,
    version,
    log,
  });
  const { context, apiKey } = embedded;
  let lastBusy = performance.now();
  const api = await startApi(
    {
      context,
      host,
      port,
      allowedHosts,
      version,
      log,
      limits,
      path: storePath(folder),
      identity: () => ({ url: api.url, apiKey, version, stepAside }),
    },
    onClose,
  );
  const { url, legacyUrl } = api;
  const dispatcher = await embedded.start();
  onClose(() => {
    api.server.close();
    return dispatcher.stop(GRACE_MS);
  });
  onClose(writeServiceFile(folder, { url, apiKey, pid: process.pid, version }));

  async function stepAside(): Promise<boolean> {
    if (!onStepAside || api.requests > 1 || (await hasUnfinished(store))) return false;
    setImmediate(onStepAside);
    return true;
  }

  return {
    url,
    legacyUrl,
    apiKey,
    store,
    async idleTime() {
      if (await hasUnfinished(store)) lastBusy = performance.now();
      return performance.now() - Math.max(lastBusy, api.lastRequest);
    },
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
