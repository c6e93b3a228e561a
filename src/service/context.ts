import type { Catalogue } from "./catalogue/catalogue.ts";
import type { JobQueue } from "./queue/job-queue.ts";
import type { Store } from "./store/store.ts";

/** Dependencies of the service's rules. */
export interface Context {
  store: Store;
  catalogue: Catalogue;
  queue: JobQueue;
  /** The service's own vendor code. Default: `svc`. */
  vendor?: string | undefined;
  /** Milliseconds since 1970. */
  clock: () => number;
}
