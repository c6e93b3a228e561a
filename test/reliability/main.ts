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

\`npm run test:reliability\` starts its own services, attacks them, and counts violations: a lost job, a charge that is missing,
doubled or wrong, a ledger that does not sum to zero, an answer that the OpenAPI document does not describe, a status of 500,
a crashed process, a job that never ends. Options: \`--kills 20\`, \`--fuzz 10000\` and so on set the length of a trial,
\`--only fuzz\` runs one trial, \`--write docs/reliability.md\` writes this file. CI runs a short version of each.

| trial | what happens |
|---|---|
| kill -9 under load | Clients submit jobs. The service is killed within 0.6 s and restarted. Clients repeat unanswered submissions with their idempotency keys. |
| writes that fail | The disk is full or read-only, or another process locks the store. |
| fuzzed requests | Requests are generated from the OpenAPI document, most with one or two faults. Answers are checked against the document. |
| attacks on connections | Slow, partial, compressed or oversized requests; pipelining; thousands of connections; ambiguous or ten thousand headers; unread answers; abandoned polls; huge bodies, groups, results and delays; a stopped process. Another user's small jobs run meanwhile. |
| program bombs | Programs ask for unbounded time, memory or depth. Another user's small job runs after each. |
| races | Identical submissions at the same time, cancelling against finishing, double deletes, groups that close while jobs enter. |
| fairness | A small job waits behind thousands of another user's jobs, and runs next to eight endless ones. |
| faults of a shared service | Two API servers behind nginx and three workers share a PostgreSQL database; their clocks differ by six hours. Processes are killed or stopped; the database restarts, refuses connections, rejects writes or locks a table; a worker loses the database for up to three times its lease. Jobs that no answer mentioned are counted. |
| cancels on other machines | Jobs on one of two workers are cancelled through one of two API servers. Times are until CANCELLED. |
| clock steps | The system clock jumps by −10 to +10 days while jobs run and groups are open. |

The last run, on ${machine}:

${toTable(reports)}
`;
}
