import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import {
  type Announcement,
  createFairQueue,
  type Dispatcher,
  type FairQueue,
  isAnnouncement,
  limitLifetimes,
  loadCatalogue,
  openInOrder,
  RETENTION_MS,
  startDispatcher,
  startRetention,
  steadyClock,
} from "../service/index.ts";
import {
  type ApiAddress,
  openPool,
  type ServiceSettings,
  startApi,
  startHealth,
} from "../service/node/index.ts";
import { createAnnouncer, startListener } from "./postgres/announcements.ts";
import { openPostgresStore, workerLock } from "./postgres/dialect.ts";
import { startDatabaseClock } from "./postgres/pool.ts";
import {
  BEAT_INTERVAL_MS,
  createSharedQueue,
  type Offers,
  offersDevice,
  offersMemory,
  registerWorker,
  unregisterWorker,
} from "./shared-queue.ts";

export interface SharedServiceOptions extends ServiceSettings {
  /** The PostgreSQL database that all its processes share. */
  database: string;
  /** Address of the API server; undefined if it has none. */
  api: ApiAddress | undefined;
  /** Address of a separate server for health and metrics; undefined if there is none. */
  health?: { host: string; port: number } | undefined;
  /** Milliseconds after which its jobs are given to others when the database does not hear of it. Default: 30,000. */
  lease?: number | undefined;
  /** Jobs that it can run. Default: all devices, with up to half of the free memory. */
  offers?: Offers | undefined;
}

export type SharedService = Awaited<ReturnType<typeof startSharedService>>;

/** Notes in a worker's queue what was announced. */
function hear(queue: FairQueue, announcement: Exclude<Announcement, string>): void {
  if ("added" in announcement) queue.add(announcement.added);
  else if ("claimed" in announcement) for (const seq of announcement.claimed) queue.claimedElsewhere(seq);
  else queue.endedElsewhere(announcement.ended);
}

const KEEP_ALIVE_MS = 3_600_000;
/** Jobs of a user that wait for a device, as far as a worker knows them; the rest it reads as those have run. */
const MAX_WAITING = 10_000;
/** Time for running jobs to finish when the service stops. */
const GRACE_MS = 2000;

/**
 * Starts a process of a service that several processes share, on one machine or many: it takes requests, runs jobs, or
 * both. Its time is the database's. When that fails, nothing of it is left.
 */
export function startSharedService({
  database,
  workers,
  version,
  log,
  retention = RETENTION_MS,
  ...options
}: SharedServiceOptions) {
  return openInOrder(log, async (onClose, close) => {
    /** Nothing else keeps a worker's process alive while the database is away. */
    const alive = setInterval(() => {}, KEEP_ALIVE_MS);
    onClose(() => clearInterval(alive));
    const onError = (error: unknown) => log("error", "database", { error: String(error) });
    const catalogue = loadCatalogue(options.catalogue, options.timing, options.vendor);
    const store = await openPostgresStore(database);
    onClose(() => store.destroy());
    const time = await startDatabaseClock(store);
    onClose(time.stop);
    const clock = steadyClock(time.now);
    const announcer = createAnnouncer(store, onError);
    onClose(announcer.flush);
    const announce: (announcement: Announcement) => void = announcer.announce;
    const queue = createSharedQueue({ store, catalogue, clock, announce });
    await limitLifetimes(store, clock());
    const api =
      options.api &&
      (await startApi(
        { context: { store, catalogue, queue, clock, vendor: options.vendor }, version, log, ...options.api },
        onClose,
      ));
    const { health } = options;
    const healthUrl =
      health && (await startHealth({ context: { store, clock }, version, log, ...health }, onClose));
    if (workers !== 0) {
      onClose(startRetention({ store, retention, clock, log }));
      const pool = openPool(workers);
      onClose(() => pool.close());
      const { offers = { memoryBytes: Math.floor(process.availableMemory() / 2) } } = options;
      const id = randomUUID();
      const beat = () =>
        registerWorker(
          store,
          { id, name: `${hostname()}:${process.pid}`, slots: pool.slots, offers },
          clock(),
        );
      await beat();
      const beats = setInterval(() => void beat().catch(onError), BEAT_INTERVAL_MS);
      onClose(() => unregisterWorker(store, id).catch(onError));
      onClose(() => clearInterval(beats));
      const fairQueue = createFairQueue({
        accepts: ({ device, bytes }) =>
          offersMemory(offers, bytes) && offersDevice(offers, catalogue.get(device)),
        maxWaiting: MAX_WAITING,
      });
      let dispatcher: Dispatcher | undefined;
      const listener = startListener(database, {
        onAnnouncement(value) {
          if (!isAnnouncement(value)) return;
          if (typeof value !== "string") hear(fairQueue, value);
          dispatcher?.wake(typeof value === "string");
        },
        onListening: () => dispatcher?.wake(true),
        onError,
        lock: workerLock(id),
      });
      onClose(listener.stop);
      dispatcher = await startDispatcher({
        store,
        catalogue,
        queue: fairQueue,
        pool,
        clock,
        log,
        version,
        isAlone: false,
        id,
        lease: options.lease,
        memoryBytes: offers.memoryBytes,
        announce,
      });
      onClose(() => {
        api?.server.close();
        return dispatcher?.stop(GRACE_MS);
      });
    }
    return {
      api,
      healthUrl,
      /** Stops: takes no more requests, and finishes or requeues what runs. */
      stop: close,
    };
  });
}
