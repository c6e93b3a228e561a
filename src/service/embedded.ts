import { type KeyFile, ownerKey } from "./accounts/members.ts";
import { auditAccounts } from "./billing/ledger.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import type { Context, Log } from "./context.ts";
import { type Dispatcher, startDispatcher } from "./dispatch/dispatcher.ts";
import { limitLifetimes } from "./groups/lifecycle.ts";
import type { CallState } from "./http/admission.ts";
import { type AppParts, createApp, type HealthParts } from "./http/app.ts";
import { createMetrics, type Metric } from "./metrics/metrics.ts";
import type { WorkerPool } from "./pool.ts";
import { createFairQueue } from "./queue/fair-queue.ts";
import { createEmbeddedQueue, createJobChanges } from "./queue/job-queue.ts";
import { createReadiness, type DiskSpace } from "./store/readiness.ts";
import type { Store } from "./store/store.ts";

interface EmbeddedParts {
  /** The open store, which no other service uses. */
  store: Store;
  catalogue: Catalogue;
  /** The service's own vendor code. Default: `svc`. */
  vendor?: string | undefined;
  pool: WorkerPool;
  /** File with the key of the store's own user. */
  keyFile: KeyFile;
  /** Milliseconds since 1970, never backwards. */
  clock: () => number;
  version: string;
  log: Log;
}

/** Prepares an embedded service, whose jobs are not taken up yet: checks its ledger, and makes its user and its queue. */
export async function prepareEmbedded({ keyFile, ...parts }: EmbeddedParts) {
  const { store, catalogue, clock, log } = parts;
  for (const error of await auditAccounts(store)) log("error", "ledger", { error });
  await limitLifetimes(store, clock());
  const apiKey = await ownerKey(store, keyFile, clock());
  let dispatcher: Dispatcher | undefined;
  const fairQueue = createFairQueue();
  const changes = createJobChanges();
  const queue = createEmbeddedQueue(fairQueue, isSweep => dispatcher?.wake(isSweep), changes.next);
  return {
    context: { store, catalogue, queue, clock, vendor: parts.vendor } satisfies Context,
    apiKey,
    /** Starts to run jobs; those that a dead service has left half-way are queued again. */
    async start(): Promise<Dispatcher> {
      const { wake, stop } = await startDispatcher({
        ...parts,
        queue: fairQueue,
        isAlone: true,
        onChange: changes.notify,
      });
      dispatcher = {
        wake,
        stop(grace) {
          changes.close();
          return stop(grace);
        },
      };
      return dispatcher;
    },
  };
}

interface RequestHandlerParts extends Omit<AppParts, keyof HealthParts> {
  /** Returns metrics of where the service runs, beside its own. Default: none. */
  hostMetrics?: (() => Metric[]) | undefined;
  /** Reads how much room the store's disk has. Default: that is not known. */
  readDiskSpace?: (() => Promise<DiskSpace | undefined>) | undefined;
}

export type RequestHandler = ReturnType<typeof createRequestHandler>;

export function createRequestHandler({ hostMetrics, readDiskSpace, ...parts }: RequestHandlerParts) {
  const { store, clock } = parts.context;
  const readiness = createReadiness(store, readDiskSpace);
  const metrics = createMetrics({ store, clock, readiness, readDiskSpace, hostMetrics });
  const app = createApp({ ...parts, readiness, metrics });
  const handler = {
    /** Requests that are not answered yet. */
    requests: 0,
    /** Time of the last request, by the monotonic clock. */
    lastRequest: performance.now(),
    async answer(request: Request, connection: CallState["Bindings"]): Promise<Response> {
      handler.lastRequest = performance.now();
      handler.requests += 1;
      try {
        return await app.fetch(request, connection);
      } finally {
        handler.requests -= 1;
      }
    },
  };
  return handler;
}
