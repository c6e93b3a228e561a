import type { Catalogue } from "./catalogue/catalogue.ts";
import type { FairQueue } from "./queue/fair-queue.ts";
import type { Store } from "./store/store.ts";

/** What the rules of the service work with. */
export interface Context {
  store: Store;
  catalogue: Catalogue;
  /** The jobs that wait. */
  queue: FairQueue;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Tells the dispatcher that jobs wait, or that one is to be cancelled. */
  wake: (about?: { isCancelling: boolean }) => void;
}
