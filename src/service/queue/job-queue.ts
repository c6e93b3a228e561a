import { sql } from "kysely";
import type { JobStatus } from "../../contract/index.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { earliestStart, type SubmittedJob } from "../emulation.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { FairQueue, WaitingJob } from "./fair-queue.ts";

/**
 * Messages between processes that share a store: that a job was added, or put back; that a worker has claimed jobs,
 * or that one of them no longer runs; that jobs were put back whose worker is gone; and that jobs are to be cancelled.
 * The rows of the store make up for a lost one.
 */
export type Announcement =
  | { added: WaitingJob }
  | { claimed: number[] }
  | { ended: number }
  | "requeued"
  | "cancelled";

export function isAnnouncement(value: unknown): value is Announcement {
  if (value === "cancelled" || value === "requeued") return true;
  const { added, claimed, ended } = (value ?? {}) as {
    added?: Partial<Record<keyof WaitingJob, unknown>>;
    claimed?: unknown;
    ended?: unknown;
  };
  if (ended !== undefined) return Number.isSafeInteger(ended);
  if (claimed !== undefined) return Array.isArray(claimed) && claimed.every(Number.isSafeInteger);
  return (
    Number.isSafeInteger(added?.seq) &&
    Number.isSafeInteger(added?.userId) &&
    typeof added?.tier === "string" &&
    typeof added.device === "string" &&
    typeof added.isQpu === "boolean" &&
    [added.earliestStart, added.bytes].every(each => ["number", "undefined"].includes(typeof each))
  );
}

/**
 * Gives jobs to those who run them, and tells their positions. The rows of the store are the truth; this says
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
  obstacles(
    jobs: readonly Pick<JobRow, "seq" | "device_qrn" | "required_bytes">[],
  ): Promise<ReadonlyMap<number, string>>;
  /** Resolves when a job is next said to have changed, or after the given number of milliseconds. Default: changes are not heard of. */
  changed?(seq: number, ms: number): Promise<void>;
  /** Resolves to how many jobs wait for each of these devices. */
  depths(devices: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Makes the queue of a service whose jobs run in its own process; `wake` reaches its dispatcher, which says what `changed`. */
export function createEmbeddedQueue(
  queue: FairQueue,
  wake: (isSweep?: boolean) => void,
  changed?: NonNullable<JobQueue["changed"]>,
): JobQueue {
  return {
    added(job) {
      queue.add(job);
      wake();
    },
    cancelled: () => wake(true),
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

/** Jobs that requests may wait for at the same time; others are answered at once. */
const MAX_WAITING = 10_000;

export function createJobChanges() {
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  let isClosed = false;

  function notify(seq: number): void {
    waiting.get(seq)?.resolve();
    waiting.delete(seq);
  }

  return {
    notify,
    /** Resolves when the job is next said to have changed, or after the fewest milliseconds of all who wait for it. */
    async next(seq: number, ms: number) {
      if (isClosed || waiting.size >= MAX_WAITING) return;
      const change = waiting.get(seq) ?? Promise.withResolvers<void>();
      waiting.set(seq, change);
      const timer = setTimeout(notify, ms, seq);
      await change.promise;
      clearTimeout(timer);
    },
    /** Lets nobody wait any more. */
    close() {
      isClosed = true;
      for (const seq of waiting.keys()) notify(seq);
    },
  };
}

export const WAITING: readonly JobStatus[] = ["INITIALIZING", "QUEUED"];

/** Selects from the jobs that have one of these statuses, none of which is terminal. */
export const jobsThatAre = (store: Store, statuses: readonly JobStatus[]) =>
  store.selectFrom("jobs").where("ended_at", "is", null).where("status", "in", statuses);

/** A queue that takes longer to fill is filled less often: that is then no more than a twentieth of the time. */
const LONG_FILL_MS = 100;
const FILL_INTERVALS = 20;

/**
 * Makes the function that adds to a queue the jobs that wait in the store and are not in it, such as those that other
 * processes submitted: of each user and device the first ones, as many as the queue takes.
 */
export function createFill({ store, queue, catalogue }: FillParts) {
  let due = Number.NEGATIVE_INFINITY;
  return async (isRunning: (seq: number) => boolean): Promise<void> => {
    if (performance.now() < due || !(await hasMore(store, queue.size))) return;
    const began = performance.now();
    const rows = await firstWaiting(store, queue.maxWaiting);
    for (const { tier, ...row } of rows) if (!isRunning(row.seq)) queue.add(waitingJob(catalogue, row, tier));
    const ended = performance.now();
    due = ended + FILL_INTERVALS * Math.max(0, ended - began - LONG_FILL_MS);
  };
}

interface FillParts {
  store: Store;
  queue: FairQueue;
  catalogue: Catalogue;
}

/** Whether more than the given number of jobs wait. */
async function hasMore(store: Store, count: number): Promise<boolean> {
  const row = await jobsThatAre(store, WAITING).select("seq").limit(1).offset(count).executeTakeFirst();
  return row !== undefined;
}

/** Reads the first jobs of each user that wait for each device. */
function firstWaiting(store: Store, limit: number) {
  const waiting = jobsThatAre(store, WAITING).select([
    "seq",
    sql<number>`row_number() over (partition by user_id, device_qrn order by seq)`.as("turn"),
  ]);
  return store
    .selectFrom(waiting.as("waiting"))
    .innerJoin("jobs", "jobs.seq", "waiting.seq")
    .innerJoin("users", "users.id", "jobs.user_id")
    .select([
      "jobs.seq",
      "user_id",
      "tier",
      "device_qrn",
      "device_type",
      "options_json",
      "jobs.created_at",
      "required_bytes",
    ])
    .where("turn", "<=", Math.min(limit, Number.MAX_SAFE_INTEGER))
    .execute();
}

/** Returns a row of the store as a queue has it. */
export function waitingJob(
  catalogue: Catalogue,
  row: Pick<JobRow, "seq" | "user_id" | "device_qrn" | "device_type" | "required_bytes" | keyof SubmittedJob>,
  tier: string,
): WaitingJob {
  const { seq, user_id, device_qrn, device_type, created_at, required_bytes } = row;
  const start = earliestStart(catalogue.get(device_qrn), row);
  return {
    seq,
    userId: user_id,
    tier,
    device: device_qrn,
    isQpu: device_type === "QPU",
    ...(required_bytes === null ? {} : { bytes: required_bytes }),
    ...(start > created_at ? { earliestStart: start } : {}),
  };
}
