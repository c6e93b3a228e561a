import { utf8Length } from "#host/bytes";
import { settle } from "../billing/ledger.ts";
import { programCosts } from "../billing/program-costs.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import { type JobChange, transition } from "../jobs/lifecycle.ts";
import { addStoredBytes } from "../retention/stored-bytes.ts";
import { writeDocuments } from "../store/documents.ts";
import type { DocumentKind, JobRow } from "../store/schema.ts";
import { type Store, type StoreTransaction, transact } from "../store/store.ts";
import { countRun } from "../usage/run-totals.ts";
import { storageProblemOf } from "../usage/storage.ts";
import { addUncharged } from "../usage/uncharged.ts";
import type { RunOutcome } from "../workers/messages.ts";

/**
 * Writes how a run ended, and settles the job's bill in the same transaction. Whatever an older attempt, or a job
 * that was cancelled meanwhile, still brings is dropped. `computed` is how many milliseconds the run took, by
 * default none. Returns whether the job ended.
 */
export function recordOutcome(
  store: Store,
  job: JobRow,
  device: CatalogueDevice | undefined,
  ran: RunOutcome,
  now: number,
  computed = 0,
): Promise<boolean> {
  return transact(
    store,
    async transaction => {
      const outcome = await withinStorage(transaction, job, ran, now);
      const holder = { seq: job.seq, organizationId: job.organization_id };
      if (outcome.kind === "completed") {
        const { durations, results, methods, figures } = outcome;
        const costs = device ? programCosts(device, { shots: job.shots, durations }) : durations.map(() => 0);
        const cost = sum(costs);
        const { diagnostics, ...rest } = figures;
        const change = {
          ...notes(job, diagnostics, rest),
          cost,
          status_msg: null,
          duration_us: sum(durations),
        };
        if (!(await transition(transaction, job, "COMPLETED", now, change))) return false;
        const documents: [DocumentKind, string][] = [
          ["results", results],
          ["methods", JSON.stringify(methods)],
        ];
        if (job.is_batch) documents.push(["costs", JSON.stringify({ costs, durations })]);
        const bytes = await writeDocuments(
          transaction,
          documents.map(([kind, body]) => ({ jobSeq: job.seq, kind, body })),
        );
        await addStoredBytes(transaction, job.organization_id, bytes);
        await countRun(transaction, { ...job, status: "COMPLETED", duration_us: change.duration_us });
        await settle(transaction, holder, cost, now);
        return true;
      }
      const ended =
        outcome.kind === "failed"
          ? await transition(transaction, job, "FAILED", now, {
              ...notes(job, outcome.diagnostics, outcome.limit && { limit: outcome.limit }),
              cost: 0,
              status_msg: outcome.message,
              duration_us: outcome.microseconds,
            })
          : await transition(transaction, job, "CANCELLED", now, {
              ...notes(job),
              cost: 0,
              status_msg: "Cancelled on request.",
            });
      if (!ended) return false;
      const status = outcome.kind === "failed" ? "FAILED" : "CANCELLED";
      await countRun(transaction, {
        ...job,
        status,
        duration_us: outcome.kind === "failed" ? outcome.microseconds : null,
      });
      await addUncharged(transaction, job.user_id, computed, now);
      await settle(transaction, holder, 0, now);
      return true;
    },
    { isUrgent: true },
  );
}

/** Fails a run whose results are more than its organization may keep. */
async function withinStorage(
  transaction: StoreTransaction,
  job: JobRow,
  outcome: RunOutcome,
  now: number,
): Promise<RunOutcome> {
  if (outcome.kind !== "completed") return outcome;
  const message = await storageProblemOf(transaction, job, utf8Length(outcome.results), now);
  if (message === undefined) return outcome;
  return { kind: "failed", message, microseconds: sum(outcome.durations), limit: "storage" };
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
