import { sql } from "kysely";
import type { Store } from "../store/store.ts";

/** Finds jobs that lack their programs or results. Returns what is missing, in sentences. */
export async function missingDocuments(store: Store): Promise<string[]> {
  const { rows } = await sql<{ kind: string; jobs: number; first: string }>`
    select kind, count(*) as jobs, min(qrn) as first
    from jobs join (select 'programs' as kind union all select 'results') as kinds
      on kind = 'programs' or status = 'COMPLETED'
    where purged_at is null
      and not exists (select 1 from job_documents as d where d.job_seq = jobs.seq and d.kind = kinds.kind)
      and not exists (select 1 from job_document_chunks as d where d.job_seq = jobs.seq and d.kind = kinds.kind)
    group by kind order by kind`.execute(store);
  return rows.map(({ kind, jobs, first }) => `${jobs} jobs lack their ${kind}, such as ${first}`);
}
