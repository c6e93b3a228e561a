import type { Catalogue } from "../catalogue/catalogue.ts";
import { isDivisible } from "../storage-errors.ts";
import { type BatchOptions, createBatcher } from "../store/batcher.ts";
import type { JobRow } from "../store/schema.ts";
import { type Store, transact } from "../store/store.ts";
import type { RunOutcome } from "../workers/messages.ts";
import { type EndedRun, recordOutcomes } from "./settle.ts";

/** Dependencies of the outcome writer. */
export interface OutcomeWriterParts {
  store: Store;
  catalogue: Catalogue;
  clock: () => number;
  /** Whether jobs wait for the slots of those that run: others are about to end. */
  hasBacklog(): boolean;
  /** Called with each job whose outcome was written. */
  onChange(seq: number): void;
}

/** Writes how jobs ended. */
export interface OutcomeWriter {
  /** Writes an outcome, and settles the job's bill. Returns whether the job ended by it. */
  write(
    job: JobRow,
    outcome: RunOutcome,
    ended?: Partial<Pick<EndedRun, "endedAt" | "computed">>,
  ): Promise<boolean>;
  /** Fails a job. Returns whether it ended by that. */
  fail(job: JobRow, message: string): Promise<boolean>;
}

/**
 * Runs that have ended are written together: while one transaction is under way, the next ones wait, and for a moment also
 * while more are about to end.
 */
const ENDS: BatchOptions<EndedRun> = {
  maxItems: 32,
  maxRunning: 1,
  sizeOf: ({ outcome }) => (outcome.kind === "completed" ? outcome.results.length : 0),
  isDivisible,
};
const GATHERING = { items: 8, milliseconds: 8 };

/** Makes the writer of a dispatcher's outcomes. */
export function createOutcomeWriter({
  store,
  catalogue,
  clock,
  hasBacklog,
  onChange,
}: OutcomeWriterParts): OutcomeWriter {
  const recordTogether = createBatcher(
    (runs: readonly EndedRun[]) =>
      transact(store, transaction => recordOutcomes(transaction, runs), { isUrgent: true }),
    { ...ENDS, gathering: { ...GATHERING, isMoreToCome: hasBacklog } },
  );

  const write: OutcomeWriter["write"] = async (job, outcome, { endedAt = clock(), computed } = {}) => {
    const device = catalogue.get(job.device_qrn);
    const hasEnded = await recordTogether({ job, device, outcome, endedAt, computed });
    onChange(job.seq);
    return hasEnded;
  };

  return {
    write,
    fail: (job, message) => write(job, { kind: "failed", message, microseconds: null }),
  };
}
