import { writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { attackService } from "./attacks.ts";
import { bombPrograms } from "./bombs.ts";
import { stepClock } from "./clocks.ts";
import { crowdQueue } from "./fairness.ts";
import { failWrites } from "./faults.ts";
import { fuzzRequests } from "./fuzz.ts";
import { killWhileSubmitting } from "./kills.ts";
import { raceRequests } from "./races.ts";
import { type Report, toTable } from "./report.ts";
import { cancelOnWorkers } from "./shared/cancels.ts";
import { breakSharedService } from "./shared/faults.ts";

/** Every trial, and what it is repeated by default. */
const TRIALS: Readonly<Record<string, { count: number; run(count: number): Promise<Report> }>> = {
  kills: { count: 200, run: kills => killWhileSubmitting({ kills }) },
  faults: { count: 50, run: faults => failWrites({ faults }) },
  fuzz: { count: 1_000_000, run: requests => fuzzRequests({ requests }) },
  attacks: { count: 400, run: size => attackService({ size }) },
  bombs: { count: 3, run: rounds => bombPrograms({ rounds }) },
  races: { count: 200, run: rounds => raceRequests({ rounds }) },
  fairness: { count: 5000, run: jobs => crowdQueue({ jobs }) },
  postgres: { count: 100, run: faults => breakSharedService({ faults }) },
  cancels: { count: 50, run: cancels => cancelOnWorkers({ cancels }) },
  clocks: { count: 60, run: steps => stepClock({ steps }) },
};

const options: { [name: string]: string | string[] | boolean | undefined } = parseArgs({
  options: {
    ...Object.fromEntries(Object.keys(TRIALS).map(name => [name, { type: "string" as const }])),
    only: { type: "string", multiple: true },
    write: { type: "string" },
  },
}).values;

const print = (text: string) => process.stdout.write(`${text}\n`);
const chosen = (options.only as string[] | undefined) ?? Object.keys(TRIALS);
const reports: Report[] = [];
for (const name of chosen) {
  const trial = TRIALS[name];
  if (!trial) throw new Error(`There is no trial ${name}: they are ${Object.keys(TRIALS).join(", ")}.`);
  const report = await trial.run(Number(options[name] ?? trial.count));
  reports.push(report);
  print(JSON.stringify(report));
  for (const violation of report.violations) print(`✗ ${violation}`);
}
print(toTable(reports));
if (typeof options.write === "string") writeFileSync(options.write, describe(reports));
if (reports.some(({ violations }) => violations.length > 0)) process.exitCode = 1;

function describe(reports: readonly Report[]): string {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, Node ${process.version}`;
  return `# Reliability

\`npm run test:reliability\` attacks services of its own, and counts what breaks a promise: an accepted job that is lost, a
charge that is missing, doubled or not owed, a ledger that does not sum to zero, an answer that the OpenAPI document does
not describe, a status of 500, a process that ends, a job that does not. \`--kills 20\`, \`--fuzz 10000\` and so on make
a trial shorter, \`--only fuzz\` runs one alone, and \`--write docs/reliability.md\` writes this file. Short versions of all of
them run with the other tests.

| trial | what is done |
|---|---|
| kill -9 under load | clients submit, the service is killed within 0.6 s and started again, and what was not answered is sent again under its idempotency key |
| writes that fail | a disk that is full, a store that another process has locked, a disk that takes no writes at a start |
| fuzzed requests | requests from the service's own OpenAPI document, most of them wrong in a place or two; answers are checked against it |
| attacks on connections | headers and bodies that come slowly, in crumbs, packed or half, requests ahead of their answers, on very many connections, with ten thousand headers or members of a query, answers that nobody reads, polls that are given up, headers with two readings, members by the ten thousand, groups, results and delays without measure, a process that stands still; another user's small jobs run meanwhile |
| program bombs | programs that ask for time, memory or depth without bounds; another user's small job runs after each |
| races | the same submission at once, cancelling against finishing, deleting twice, groups that close while jobs enter |
| fairness | a small job of one user behind very many of another's, and beside eight that never end |
| faults of a shared service | two interfaces behind nginx and three workers on a PostgreSQL database, on machines whose clocks are six hours apart: processes are killed, the database is ended at once and started again, ends or refuses connections, takes no writes or has a table locked, an interface or worker stands still, a worker is cut off from the database for up to three times its lease and comes back; jobs that no answer told of are counted |
| cancels on other machines | jobs that run on one of two workers are cancelled through one of two interfaces; the time is that until the job is CANCELLED |
| clock steps | the system's clock is set by −10 d to +10 d while jobs run and groups are open |

The last run, on ${machine}:

${toTable(reports)}
`;
}
