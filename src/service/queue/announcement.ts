import type { WaitingJob } from "./waiting-job.ts";

/**
 * What processes that share a store tell each other: that a job was added, or put back; that a worker has claimed jobs,
 * or that one of them no longer runs; that jobs were put back whose worker is gone; and that jobs are to be cancelled.
 * Where one is lost, the rows of the store make up for it.
 */
export type Announcement =
  | { added: WaitingJob }
  | { claimed: number[] }
  | { ended: number }
  | "requeued"
  | "cancelled";

/** Whether a value that was received is an announcement. */
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
