import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { RuntimeJob } from "../../src/contract/job.ts";
import { isTerminalJob } from "../../src/contract/status.ts";
import { storePath } from "../../src/service/node/sqlite/open.ts";
import { bellJob, type Caller, endless } from "../service/serving.ts";
import { checkInvariants, untilAllEnded } from "./invariants.ts";
import { quantile, type Report } from "./report.ts";
import { makeUser, startSubject, temporaryFolder } from "./subject.ts";

/** Lets one user submit many jobs, and then some without end, while another runs small ones. */
export async function crowdQueue({
  jobs,
  patienceMs = 10_000,
}: {
  jobs: number;
  /** How long a bell is waited for beside jobs without end. Default: 10000. */
  patienceMs?: number;
}): Promise<Report> {
  using place = temporaryFolder();
  const { folder } = place;
  await using service = await startSubject(folder);
  const greedy = await makeUser(service, folder, "greedy");
  const other = await makeUser(service, folder, "other");
  const violations: string[] = [];

  async function timeBell(limit: number): Promise<{ ms: number; job: RuntimeJob } | undefined> {
    const started = performance.now();
    const { jobQrn } = await other.submit();
    while (performance.now() - started < limit) {
      const job: RuntimeJob = (await other.call("GET", `/jobs/${jobQrn}`)).body.data;
      if (job.status === "COMPLETED") return { ms: performance.now() - started, job };
      if (isTerminalJob(job.status)) throw new Error(`The bell is ${job.status}.`);
      await sleep(10);
    }
    await other.call("POST", `/jobs/${jobQrn}/cancel`);
    return undefined;
  }

  const unfinished = async () => {
    const { data } = (await greedy.call("GET", "/jobs/statuses")).body;
    return Object.entries<number>(data).reduce(
      (sum, [status, n]) => sum + (isTerminalJob(status) ? 0 : n),
      0,
    );
  };

  await submitAll(greedy, jobs);
  const waiting = await unfinished();
  const behindMany = await timeBell(600_000);
  violations.push(...(await untilAllEnded(folder)));
  const overtaken = behindMany ? startedWithin(folder, behindMany.job.jobQrn) : waiting;
  if (waiting > 20 && overtaken > waiting / 2) {
    violations.push(`another user's bell waited for ${overtaken} of ${waiting} jobs`);
  }
  const blocking = [];
  for (let at = 0; at < 8; at += 1) blocking.push((await greedy.submit({ program: endless })).jobQrn);
  await sleep(500);
  const times: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    const time = await timeBell(patienceMs);
    if (time === undefined) break;
    times.push(time.ms);
  }
  if (times.length < 5) violations.push("another user's bell did not run beside jobs without end");
  for (const qrn of blocking) await greedy.call("POST", `/jobs/${qrn}/cancel`);
  violations.push(...(await untilAllEnded(folder)), ...(await checkInvariants(service, folder)));
  const figures = {
    "jobs of the greedy user": jobs,
    "unfinished at the bell": waiting,
    "started before the bell": overtaken,
    "bell behind them, ms": behindMany?.ms ?? "none",
    "bell behind 8 endless jobs, ms": times.length > 0 ? quantile(times, 0.5) : `none in ${patienceMs}`,
  };
  return { trial: "fairness", figures, violations };
}

/** How many jobs started while this one waited. */
function startedWithin(folder: string, jobQrn: string): number {
  using database = new DatabaseSync(storePath(folder), { readOnly: true });
  const row = database
    .prepare(
      `select count(*) as jobs from jobs as own join jobs as other on other.seq <> own.seq
       where own.qrn = ? and other.started_at > own.created_at and other.started_at < own.started_at`,
    )
    .get(jobQrn);
  return Number(row?.jobs);
}

async function submitAll(user: Caller, jobs: number): Promise<void> {
  let left = jobs;
  const client = async () => {
    for (; left > 0; ) {
      left -= 1;
      const { status, body } = await user.call("POST", "/jobs", bellJob());
      if (status !== 201) throw new Error(`A submission was answered with ${status} ${body.message}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
}
