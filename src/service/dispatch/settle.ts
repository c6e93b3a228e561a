import { utf8Length } from "#host";
import { settle } from "../billing/ledger.ts";
import { programCosts } from "../billing/price.ts";
import type { Catalogue, CatalogueDevice } from "../catalogue/catalogue.ts";
import { type JobChange, transition } from "../jobs/lifecycle.ts";
import { isDivisible } from "../storage-errors.ts";
import { type BatchOptions, createBatcher } from "../store/batcher.ts";
import { type NewDocument, writeDocuments } from "../store/documents.ts";
import { forRows } from "../store/rows.ts";
import { BUDGET_COLUMNS, type JobRow } from "../store/schema.ts";
import { type Store, type StoreTransaction, transact } from "../store/store.ts";
import { addUncharged, countRuns } from "../usage/quota.ts";
import { requireStorage, type StorageDemand, toMegabytes } from "../usage/storage.ts";
import type { RunOutcome } from "../workers/messages.ts";

interface EndedRun {
  job: JobRow;
  /** The job's device; undefined where it is gone. */
  device: CatalogueDevice | undefined;
  outcome: RunOutcome;
  /** Milliseconds since 1970. */
  endedAt: number;
  /** Milliseconds that it took. Default: none. */
  computed?: number | undefined;
}

interface Ending {
  run: EndedRun;
  status: "COMPLETED" | "FAILED" | "CANCELLED";
  change: JobChange & { cost: number; duration_us: number | null };
  documents: NewDocument[];
}

/**
 * Writes how runs ended, and settles the bills of their jobs, in one transaction. Whatever an older attempt, or a job
 * that was cancelled meanwhile, still brings is dropped. Returns of each run whether its job ended. Throws a
 * `ResultsTooLargeError` for results that can't be kept.
 */
export async function recordOutcomes(
  transaction: StoreTransaction,
  runs: readonly EndedRun[],
): Promise<boolean[]> {
  const now = Math.max(...runs.map(({ endedAt }) => endedAt));
  /** Rows are locked in one order, so transactions never wait for each other in a circle. */
  const endings = runs.map(endingOf).sort((a, b) => a.run.job.seq - b.run.job.seq);
  await requireStorage(transaction, await demandsOf(transaction, endings), now, excess => {
    return new ResultsTooLargeError(excess);
  });
  const ended = new Map<EndedRun, Ending>();
  for (const ending of endings) {
    const { run, status, change } = ending;
    if (await transition(transaction, run.job, status, run.endedAt, change)) ended.set(run, ending);
  }
  const written = [...ended.values()];
  await writeDocuments(
    transaction,
    written.flatMap(({ documents }) => documents),
  );
  await countRuns(
    transaction,
    written.map(({ run, status, change }) => ({ ...run.job, status, duration_us: change.duration_us })),
  );
  const uncharged = written.filter(({ status }) => status !== "COMPLETED");
  await addUncharged(
    transaction,
    uncharged.map(({ run: { job, computed = 0, endedAt } }) => ({
      userId: job.user_id,
      milliseconds: computed,
      endedAt,
    })),
  );
  await settle(
    transaction,
    written.map(({ run: { job }, change }) => ({
      seq: job.seq,
      organizationId: job.organization_id,
      cost: change.cost,
    })),
    now,
  );
  return runs.map(run => ended.has(run));
}

function endingOf(run: EndedRun): Ending {
  const { job, device, outcome } = run;
  const ending = { run, documents: [] };
  if (outcome.kind === "cancelled") {
    const change = {
      ...notes(job),
      cost: 0,
      status_msg: "Cancelled on request.",
      duration_us: job.duration_us,
    };
    return { ...ending, status: "CANCELLED", change };
  }
  if (outcome.kind === "failed") {
    const { diagnostics, limit, message: status_msg, microseconds: duration_us } = outcome;
    const change = { ...notes(job, diagnostics, limit && { limit }), cost: 0, status_msg, duration_us };
    return { ...ending, status: "FAILED", change };
  }
  const { durations, results, methods, figures } = outcome;
  const costs = device ? programCosts(device, { shots: job.shots, durations }) : durations.map(() => 0);
  const { diagnostics, ...rest } = figures;
  const change = {
    ...notes(job, diagnostics, rest),
    cost: sum(costs),
    status_msg: null,
    duration_us: sum(durations),
  };
  const documents: NewDocument[] = [
    { jobSeq: job.seq, kind: "results", body: results },
    { jobSeq: job.seq, kind: "methods", body: JSON.stringify(methods) },
  ];
  if (job.is_batch)
    documents.push({ jobSeq: job.seq, kind: "costs", body: JSON.stringify({ costs, durations }) });
  return { run, status: "COMPLETED", change, documents };
}

/** Thrown for a run whose results are more than its user or organization may keep. */
class ResultsTooLargeError extends Error {
  override name = "ResultsTooLargeError";
  constructor({ bytes, excess, limit, isOwn }: Parameters<Parameters<typeof requireStorage>[3]>[0]) {
    const whose = isOwn ? "your own budget allows" : "your organization may keep";
    super(
      `The results take ${toMegabytes(bytes)}, ${toMegabytes(excess)} more than is left of the ${toMegabytes(limit)} that ${whose}. Delete jobs that you no longer need, and submit this one again.`,
    );
  }
}

const findOwners = forRows((store, ids: number[]) =>
  store
    .selectFrom("users")
    .select(["id", "tier", ...BUDGET_COLUMNS])
    .where("id", "in", ids),
);

/** Returns the storage that documents of runs take from the quota of their organizations. */
async function demandsOf(
  transaction: StoreTransaction,
  endings: readonly Ending[],
): Promise<StorageDemand[]> {
  const completed = endings.filter(({ documents }) => documents.length > 0);
  const users = new Set(completed.map(({ run }) => run.job.user_id));
  const rows = await findOwners(transaction, [...users]);
  const owners = new Map(rows.map(row => [row.id, row]));
  return completed.map(ending => {
    const { user_id, organization_id } = ending.run.job;
    const owner = owners.get(user_id)!;
    return {
      caller: { userId: user_id, organizationId: organization_id, tier: owner.tier, budget: owner },
      bytes: ending.documents.reduce((total, { body }) => total + utf8Length(body), 0),
    };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The columns that say what a job ran under, what is wrong or worth a note, and its figures. */
function notes({ provenance_json }: JobRow, diagnostics?: readonly object[], figures?: object): JobChange {
  return {
    provenance_json,
    diagnostics_json: diagnostics ? JSON.stringify(diagnostics) : null,
    figures_json: figures ? JSON.stringify(figures) : null,
  };
}

interface OutcomeWriterParts {
  store: Store;
  catalogue: Catalogue;
  clock: () => number;
  onChange(seq: number): void;
}

export interface OutcomeWriter {
  /** Writes an outcome, and settles the job's bill. Returns whether the job ended by it. */
  write(
    job: JobRow,
    outcome: RunOutcome,
    ended?: Partial<Pick<EndedRun, "endedAt" | "computed">>,
  ): Promise<boolean>;
  fail(job: JobRow, message: string): Promise<boolean>;
}

/** Runs that have ended are written together: while one transaction is under way, the next ones wait. */
const ENDS: BatchOptions<EndedRun> = {
  maxItems: 32,
  maxRunning: 1,
  sizeOf: ({ outcome }) => (outcome.kind === "completed" ? outcome.results.length : 0),
  isDivisible,
};

export function createOutcomeWriter({
  store,
  catalogue,
  clock,
  onChange,
}: OutcomeWriterParts): OutcomeWriter {
  const recordTogether = createBatcher(
    (runs: readonly EndedRun[]) =>
      transact(store, transaction => recordOutcomes(transaction, runs), { isUrgent: true }),
    ENDS,
  );

  const write: OutcomeWriter["write"] = async (job, outcome, { endedAt = clock(), computed } = {}) => {
    const device = catalogue.get(job.device_qrn);
    const run = { job, device, outcome, endedAt, computed };
    const hasEnded = await recordTogether(run).catch(error => {
      if (!(error instanceof ResultsTooLargeError) || outcome.kind !== "completed") throw error;
      const failed = {
        message: error.message,
        limit: "storage",
        microseconds: sum(outcome.durations),
      } as const;
      return recordTogether({ ...run, outcome: { kind: "failed", ...failed } });
    });
    onChange(job.seq);
    return hasEnded;
  };

  return {
    write,
    fail: (job, message) => write(job, { kind: "failed", message, microseconds: null }),
  };
}
