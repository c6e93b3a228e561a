import { sql } from "kysely";
import type { Store } from "../../../../src/service/store/store.ts";

const DEVICES =
  "array['svc:svc:sim:statevector', 'svc:svc:sim:stabilizer', 'ibm:emulated:qpu:perth', 'svc:svc:sim:sparse']";
const DAY_MS = 86_400_000;

/**
 * Writes jobs as if they had been run: half of them are the first user's, one in fifty failed, one in a hundred is
 * deleted, one in ten has tags and words, and the last `waiting` wait. The tables' statistics are brought up to date.
 */
export async function writeJobs(
  store: Store,
  { count, waiting, now }: { count: number; waiting: number; now: number },
): Promise<void> {
  await store.connection().execute(async connection => {
    const run = (statement: string) => sql.raw(statement).execute(connection);
    await run("set statement_timeout = 0");
    await run("set session_replication_role = replica");
    const step = Math.max(1, Math.floor((90 * DAY_MS) / count));
    await run(`
      insert into jobs (qrn, user_id, organization_id, device_qrn, vendor, provider, device_type, experiment_type, name,
        shots, programs, is_batch, status, attempt, crashes, estimate, cost, tags_json, options_json, created_at,
        updated_at, started_at, ended_at, duration_us, deleted_at)
      select device || '-0000-qjob-' || lpad(to_hex(n), 24, '0'), user_id, organization_id, device, split_part(device, ':', 1),
        split_part(device, ':', 2), case when device like '%:qpu:%' then 'QPU' else 'SIMULATOR' end, 'gate_model', null,
        100, 1, 0, case when n > ${count - waiting} then 'QUEUED' when n % 50 = 0 then 'FAILED' else 'COMPLETED' end, 1, 0,
        375000, case when n > ${count - waiting} then null else 375000 end, '{}', '{}', time, time,
        case when n > ${count - waiting} then null else time + 20 end,
        case when n > ${count - waiting} then null else time + 40 end, 20000,
        case when n % 100 = 1 then time + 1000 end
      from (
        select n, ${now - 90 * DAY_MS} + n::bigint * ${step} as time, (${DEVICES})[1 + n % 4] as device,
          case when n % 2 = 0 then 1 else 2 + n % (select count(*) - 1 from users) end as chosen
        from generate_series(1, ${count}) n
      ) made
      join (select id as user_id, organization_id, row_number() over (order by id) as place from users) u on place = chosen`);
    await run(`
      insert into job_counts (user_id, vendor, provider, experiment_type, device_type, status, jobs, settled, cost, shots)
      select user_id, vendor, provider, experiment_type, device_type, status, count(*), count(cost), sum(cost), sum(shots)
      from jobs where ended_at is not null and deleted_at is null
      group by user_id, vendor, provider, experiment_type, device_type, status`);
    await run(`
      insert into job_documents (job_seq, kind, part, body)
      select seq, kind, 0, '[]' from jobs, unnest(array['programs', 'results']) kind where seq % ${Math.ceil(count / 1e5)} = 0`);
    await run(`
      insert into job_tags (user_id, key, type, value, job_seq)
      select user_id, 'lab', 'string', 'l' || seq % 10, seq from jobs where seq % 10 = 0`);
    await run(
      "insert into job_words (user_id, job_seq, text) select user_id, seq, qrn from jobs where seq % 10 = 0",
    );
    await run(
      `insert into ledger_holds (job_seq, amount, state, account_id) select seq, 375000,
        case when ended_at is null then 'pending' else 'posted' end, 'organization:' || organization_id from jobs`,
    );
    await run("set session_replication_role = origin");
    await run("reset statement_timeout");
    for (const table of ["jobs", "job_documents", "job_tags", "job_words", "ledger_holds", "job_counts"])
      await run(`vacuum analyze ${table}`);
  });
}
