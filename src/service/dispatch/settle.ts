import { settle } from "../billing/ledger.ts";
import { priceOf, totalOf } from "../billing/price.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import { transition } from "../jobs/lifecycle.ts";
import type { JobRow } from "../store/schema.ts";
import { type Store, transact } from "../store/store.ts";
import type { RunOutcome } from "./messages.ts";

/**
 * Writes how a run ended, and settles the job's bill in the same transaction. Whatever an older attempt, or a job
 * that was cancelled meanwhile, still brings is dropped. Says whether the job ended.
 */
export function recordOutcome(
  store: Store,
  job: JobRow,
  device: CatalogueDevice | undefined,
  outcome: RunOutcome,
  now: number,
): Promise<boolean> {
  return transact(store, async transaction => {
    const owed = { seq: job.seq, organizationId: job.organization_id };
    if (outcome.kind === "completed") {
      const usage = { programs: job.programs, shots: job.shots, microseconds: outcome.microseconds };
      const cost = device ? totalOf(priceOf(device, usage)) : 0;
      const metadata_json = withFigures(job, outcome.figures);
      const change = { cost, status_msg: null, duration_us: outcome.microseconds, metadata_json };
      if (!(await transition(transaction, job, "COMPLETED", now, change))) return false;
      await transaction
        .insertInto("job_documents")
        .values([
          { job_seq: job.seq, kind: "results", body: outcome.results },
          { job_seq: job.seq, kind: "methods", body: JSON.stringify(outcome.methods) },
        ])
        .execute();
      await settle(transaction, owed, cost, now);
      return true;
    }
    const ended =
      outcome.kind === "failed"
        ? await transition(transaction, job, "FAILED", now, {
            cost: 0,
            status_msg: outcome.message,
            duration_us: outcome.microseconds,
            metadata_json: withFigures(job, outcome.diagnostics && { diagnostics: outcome.diagnostics }),
          })
        : await transition(transaction, job, "CANCELLED", now, {
            cost: 0,
            status_msg: "Cancelled on request.",
            metadata_json: job.metadata_json,
          });
    if (!ended) return false;
    await settle(transaction, owed, 0, now);
    return true;
  });
}

function withFigures(job: JobRow, figures: object | undefined): string {
  return JSON.stringify({ ...JSON.parse(job.metadata_json), ...figures });
}
