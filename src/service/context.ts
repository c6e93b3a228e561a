import type { Catalogue } from "./catalogue/catalogue.ts";
import type { JobQueue } from "./queue/job-queue.ts";
import type { Store } from "./store/store.ts";

/** What the rules of the service work with. */
export interface Context {
  store: Store;
  catalogue: Catalogue;
  queue: JobQueue;
  /** Milliseconds since 1970. */
  clock: () => number;
}
