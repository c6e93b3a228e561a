import { type KeyFile, ownerKey } from "./accounts/owner.ts";
import { auditAccounts } from "./billing/audit.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import type { Context } from "./context.ts";
import { type Dispatcher, startDispatcher } from "./dispatch/dispatcher.ts";
import { limitLifetimes } from "./groups/lifecycle.ts";
import type { Log } from "./log.ts";
import { createFairQueue } from "./queue/fair-queue.ts";
import { createJobChanges } from "./queue/job-changes.ts";
import { createEmbeddedQueue } from "./queue/job-queue.ts";
import type { Store } from "./store/store.ts";
import type { WorkerPool } from "./workers/pool.ts";

/** Parts of an embedded service, in a process or in a page. */
export interface EmbeddedParts {
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

/** An embedded service whose jobs are not taken up yet. */
export interface EmbeddedService {
  context: Context;
  /** Key of the store's own user. */
  apiKey: string;
  /** Starts to run jobs; those that a dead service has left half-way are queued again. */
  start(): Promise<Dispatcher>;
}

/** Prepares an embedded service: checks its ledger, and makes its user and its queue. */
export async function prepareEmbedded({ keyFile, ...parts }: EmbeddedParts): Promise<EmbeddedService> {
  const { store, catalogue, clock, log } = parts;
  for (const error of await auditAccounts(store)) log("error", "ledger", { error });
  await limitLifetimes(store, clock());
  const apiKey = await ownerKey(store, keyFile, clock());
  let dispatcher: Dispatcher | undefined;
  const fairQueue = createFairQueue();
  const changes = createJobChanges();
  const queue = createEmbeddedQueue(fairQueue, about => dispatcher?.wake(about), changes.next);
  return {
    context: { store, catalogue, queue, clock, vendor: parts.vendor },
    apiKey,
    async start() {
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
