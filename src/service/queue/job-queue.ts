import type { JobRow } from "../store/schema.ts";
import type { FairQueue } from "./fair-queue.ts";
import type { WaitingJob } from "./waiting-job.ts";

/** A job's requirements of a worker. */
export type JobNeeds = Pick<JobRow, "seq" | "device_qrn" | "required_bytes">;

/**
 * How rules hand jobs to whoever runs them, and ask where those stand. The rows of the store are the truth; this says
 * only that they have changed.
 */
export interface JobQueue {
  /** Announces a job that is committed; it may run while the disk is still taking it. */
  added(job: WaitingJob): void;
  /** Announces that jobs were marked CANCELLING. */
  cancelled(): void;
  /** Resolves to how many jobs its device takes before each of these jobs, or runs; jobs that are not known are left out. */
  positions(seqs: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Resolves to what jobs wait for, in a sentence, besides their turn; jobs that wait for nothing else are left out. */
  obstacles(jobs: readonly JobNeeds[]): Promise<ReadonlyMap<number, string>>;
  /** Resolves when a job is next said to have changed, or after so many milliseconds. Default: changes are not heard of. */
  changed?(seq: number, ms: number): Promise<void>;
  /** Resolves to how many jobs wait for each of these devices. */
  depths(devices: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Makes the queue of a service whose jobs run in its own process; `wake` reaches its dispatcher, which says what `changed`. */
export function createEmbeddedQueue(
  queue: FairQueue,
  wake: (about?: { isCancelling: boolean }) => void,
  changed?: NonNullable<JobQueue["changed"]>,
): JobQueue {
  return {
    added(job) {
      queue.add(job);
      wake();
    },
    cancelled: () => wake({ isCancelling: true }),
    positions: async seqs =>
      new Map(
        seqs.flatMap(seq => {
          const position = queue.position(seq);
          return position === null ? [] : [[seq, position]];
        }),
      ),
    obstacles: async () => new Map(),
    ...(changed && { changed }),
    depths: async devices => new Map(devices.map(device => [device, queue.depth(device)])),
  };
}
