import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Announcement } from "../queue/announcement.ts";
import type { FairQueue } from "../queue/fair-queue.ts";
import { createFill } from "../queue/waiting.ts";
import type { Store } from "../store/store.ts";
import { findInterrupted, findRunning, isLastCrash, requeueAfterCrash } from "./claim.ts";
import type { Worker } from "./lease.ts";
import type { OutcomeWriter } from "./outcome-writer.ts";

/** Dependencies of a sweep. */
export interface SweepParts {
  store: Store;
  catalogue: Catalogue;
  queue: FairQueue;
  clock: () => number;
  worker: Worker;
  outcomes: OutcomeWriter;
  announce(announcement: Announcement): void;
  /** Whether a job is in this process's hands. */
  isHere(seq: number): boolean;
}

/** Makes the function that queues again what the store has running or waiting, and no dispatcher does. */
export function createSweep(parts: SweepParts): () => Promise<void> {
  const { store, queue, clock, worker, outcomes, announce, isHere } = parts;
  const fill = createFill(parts);
  return async () => {
    if (!worker.isAlone) queue.keepElsewhere(await findRunning(store));
    let isRequeued = false;
    for (const job of await findInterrupted(store, worker, clock())) {
      if (isHere(job.seq)) continue;
      if (isLastCrash(job))
        await outcomes.fail(job, "The service broke down twenty times while it ran this job.");
      else if (await requeueAfterCrash(store, job, clock())) isRequeued = true;
    }
    if (isRequeued) announce("requeued");
    await fill(isHere);
  };
}
