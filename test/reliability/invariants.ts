import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { storePath } from "../../src/service/node/sqlite/open.ts";
import { ketbook, type ServingProcess } from "../service/process.ts";

const UNFINISHED = "select count(*) as n from jobs where ended_at is null";
const MAX_LISTED = 5;

/** Counts rows of a store that others use meanwhile. */
function count(folder: string, query: string): number {
  const database = new DatabaseSync(storePath(folder), { readOnly: true, timeout: 5000 });
  try {
    return Number(database.prepare(query).get()?.n);
  } finally {
    database.close();
  }
}

/** Waits until every job has ended; says how many have not, when none ends any more for half a minute. */
export async function untilAllEnded(folder: string): Promise<string[]> {
  let left = count(folder, UNFINISHED);
  for (let since = performance.now(); left > 0 && performance.now() - since < 30_000; await sleep(200)) {
    const now = count(folder, UNFINISHED);
    if (now < left) since = performance.now();
    left = now;
  }
  return left > 0 ? [`${left} jobs do not end`] : [];
}

/**
 * Ends the service, and says what of its store breaks a promise: pages or ledger that are wrong, jobs that were
 * accepted and are lost, jobs that were charged more than once or for nothing.
 */
export async function checkInvariants(
  service: ServingProcess,
  folder: string,
  accepted: Iterable<string> = [],
): Promise<string[]> {
  const code = service.child.exitCode ?? (await service.end());
  const checked = await ketbook("check", "--data", folder, "--json");
  const violations: string[] = JSON.parse(checked.stdout).problems;
  if (code !== 0) violations.push(`the service ended with ${code ?? "a signal"}`);
  const database = new DatabaseSync(storePath(folder), { readOnly: true });
  try {
    violations.push(...(await checkRows(async query => database.prepare(query).all(), accepted)));
  } finally {
    database.close();
  }
  return violations;
}

/** Says what of the rows of a store breaks a promise. */
export async function checkRows(
  read: (query: string) => Promise<Record<string, unknown>[]>,
  accepted: Iterable<string>,
): Promise<string[]> {
  const violations: string[] = [];
  const kept = new Set((await read("select qrn from jobs")).map(({ qrn }) => qrn));
  const lost = [...accepted].filter(qrn => !kept.has(qrn));
  if (lost.length > 0) violations.push(`${lost.length} accepted jobs are lost: ${lost.slice(0, MAX_LISTED)}`);
  for (const [query, said] of Object.entries(QUERIES)) {
    const rows = await read(query);
    const listed = rows.slice(0, MAX_LISTED).map(row => Object.values(row).join(" "));
    if (rows.length > 0) violations.push(`${rows.length} ${said}: ${listed.join(", ")}`);
  }
  return violations;
}

/** What there must be none of. */
const QUERIES: Readonly<Record<string, string>> = {
  "select source from ledger_postings where kind = 'charge' group by source having count(*) <> 2":
    "jobs were not charged once",
  "select device_qrn, status, runs from run_totals r where runs <> (select count(*) from jobs j where j.device_qrn = r.device_qrn and j.status = r.status)":
    "counts of ended jobs are not those of the jobs",
  "select job_seq from ledger_holds join jobs on seq = job_seq where state = 'pending' and ended_at is not null":
    "jobs have ended and hold credits still",
  "select qrn from jobs where ended_at is not null and status <> 'COMPLETED' and cost <> 0":
    "jobs were charged for nothing",
  "select qrn, ended_at - created_at as ms from jobs where ended_at < created_at or started_at < created_at or duration_us < 0":
    "jobs have negative times",
  "select qrn from jobs where status = 'COMPLETED' and purged_at is null and not exists (select 1 from job_documents where job_seq = seq and kind = 'results')":
    "completed jobs have no results",
  "select user_id, idempotency_key from jobs where idempotency_key is not null group by 1, 2 having count(*) > 1":
    "idempotency keys made more than one job",
  "select id from job_groups g where status = 'CANCELLED' and exists (select 1 from jobs where group_id = g.id and ended_at is null)":
    "cancelled groups have jobs that continue",
};
