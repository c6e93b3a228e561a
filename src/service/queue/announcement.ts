import type { WaitingJob } from "./fair-queue.ts";

/**
 * What processes that share a store tell each other: that a job was added, that jobs are to be cancelled, or that a QPU
 * is free. Where one is lost, the rows of the store make up for it.
 */
export type Announcement = { added: WaitingJob } | "cancelled" | "freed";

/** Whether a value that was received is an announcement. */
export function isAnnouncement(value: unknown): value is Announcement {
  if (value === "cancelled" || value === "freed") return true;
  const { added } = (value ?? {}) as { added?: Partial<Record<keyof WaitingJob, unknown>> };
  return (
    Number.isSafeInteger(added?.seq) &&
    Number.isSafeInteger(added?.userId) &&
    typeof added?.tier === "string" &&
    typeof added.device === "string" &&
    typeof added.isQpu === "boolean" &&
    ["number", "undefined"].includes(typeof added.earliestStart)
  );
}
