import { utf8Length } from "#host";
import { settle } from "../billing/ledger.ts";
import { programCosts } from "../billing/price.ts";
import type { Catalogue, CatalogueDevice } from "../catalogue/catalogue.ts";
import { type JobChange, transition } from "../jobs/lifecycle.ts";
import { type NewDocument, writeDocument } from "../store/documents.ts";
import { BUDGET_COLUMNS, type JobRow } from "../store/schema.ts";
import { type Store, type StoreTransaction, transact } from "../store/store.ts";
import { addUncharged, countRun } from "../usage/quota.ts";
import { requireStorage, toMegabytes } from "../usage/storage.ts";
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
  status: "COMPLETED" | "FAILED" | "CANCELLED";
  change: JobChange & { cost: number; duration_us: number | null };
  documents: NewDocument[];
}

/**
 * Writes how a run ended, and settles the bill of its job, in one transaction. Returns whether the job ended by it: what an
 * older attempt, or a job that was cancelled meanwhile, still brings is dropped. Throws a `ResultsTooLargeError` for
 * results that can't be kept.
 */
export async function recordOutcome(transaction: StoreTransaction, run: EndedRun): Promise<boolean> {
  const { job, computed = 0, endedAt } = run;
  const { seq, user_id: userId, organization_id: organizationId } = job;
  const { status, change, documents } = endingOf(run);
  if (documents.length > 0) {
    const owner = await transaction
      .selectFrom("users")
      .select(["tier", ...BUDGET_COLUMNS])
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    const caller = { userId, organizationId, tier: owner.tier, budget: owner };
    const bytes = sum(documents.map(({ body }) => utf8Length(body)));
    await requireStorage(transaction, { caller, bytes }, endedAt, excess => new ResultsTooLargeError(excess));
  }
  if (!(await transition(transaction, job, status, endedAt, change))) return false;
  for (const each of documents) await writeDocument(transaction, each);
  await countRun(transaction, { ...job, status, duration_us: change.duration_us });
  if (status !== "COMPLETED") await addUncharged(transaction, userId, computed, endedAt);
  await settle(transaction, { seq, organizationId, cost: change.cost }, endedAt);
  return true;
}

function endingOf({ job, device, outcome }: EndedRun): Ending {
  if (outcome.kind === "cancelled") {
    const change = {
      ...notes(job),
      cost: 0,
      status_msg: "Cancelled on request.",
      duration_us: job.duration_us,
    };
    return { status: "CANCELLED", change, documents: [] };
  }
  if (outcome.kind === "failed") {
    const { diagnostics, limit, message: status_msg, microseconds: duration_us } = outcome;
    const change = { ...notes(job, diagnostics, limit && { limit }), cost: 0, status_msg, duration_us };
    return { status: "FAILED", change, documents: [] };
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
  return { status: "COMPLETED", change, documents };
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

/** Writes outcomes of jobs to the store. */
export type OutcomeWriter = ReturnType<typeof createOutcomeWriter>;

interface OutcomeWriterParts {
  store: Store;
  catalogue: Catalogue;
  clock: () => number;
  onChange(seq: number): void;
}

export function createOutcomeWriter({ store, catalogue, clock, onChange }: OutcomeWriterParts) {
  const record = (run: EndedRun) =>
    transact(store, transaction => recordOutcome(transaction, run), { isUrgent: true });

  /** Writes an outcome, and settles the job's bill. Returns whether the job ended by it. */
  async function write(
    job: JobRow,
    outcome: RunOutcome,
    { endedAt = clock(), computed }: Partial<Pick<EndedRun, "endedAt" | "computed">> = {},
  ): Promise<boolean> {
    const device = catalogue.get(job.device_qrn);
    const run = { job, device, outcome, endedAt, computed };
    const hasEnded = await record(run).catch(error => {
      if (!(error instanceof ResultsTooLargeError) || outcome.kind !== "completed") throw error;
      const failed = {
        message: error.message,
        limit: "storage",
        microseconds: sum(outcome.durations),
      } as const;
      return record({ ...run, outcome: { kind: "failed", ...failed } });
    });
    onChange(job.seq);
    return hasEnded;
  }

  return {
    write,
    fail: (job: JobRow, message: string) => write(job, { kind: "failed", message, microseconds: null }),
  };
}
