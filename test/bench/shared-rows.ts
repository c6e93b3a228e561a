import { parseArgs } from "node:util";
import { sql } from "kysely";
import { createKey } from "../../src/service/accounts/members.ts";
import { loadCatalogue } from "../../src/service/catalogue/catalogue.ts";
import { claimJobs, findCancelling, findInterrupted, leaseOf } from "../../src/service/dispatch/claim.ts";
import { countStatuses, listJobs, summarize } from "../../src/service/jobs/list.ts";
import { createFairQueue } from "../../src/service/queue/fair-queue.ts";
import { createFill } from "../../src/service/queue/job-queue.ts";
import { readSeries } from "../../src/service/usage/usage.ts";
import { openPostgresStore } from "../../src/service-cluster/postgres/dialect.ts";
import { createSharedQueue } from "../../src/service-cluster/shared-queue.ts";
import { writeJobs } from "../service/store/postgres/rows.ts";
import { startPostgres } from "../service/store/postgres/server.ts";
import { percentile, report } from "./measure.ts";

/** What reads of a store in PostgreSQL cost by its number of jobs: `node test/bench/shared-rows.ts --rows 10000,1000000`. */
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "10000,100000,1000000" },
    waiting: { type: "string", default: "1000" },
  },
});

const table: string[][] = [];
for (const count of values.rows.split(",").map(Number)) {
  await using server = await startPostgres();
  const store = await openPostgresStore(await server.createDatabase(), { isPatient: true });
  const now = Date.now();
  const members = [];
  for (let at = 0; at < 20; at += 1)
    members.push(
      await createKey(
        store,
        { organization: `org${at}`, user: "user", grant: 1e12, tier: "local", allow: undefined },
        now,
      ),
    );
  const began = performance.now();
  await writeJobs(store, { count, waiting: Number(values.waiting), now });
  const wrote = performance.now() - began;
  const catalogue = loadCatalogue(undefined, "instant");
  const context = {
    store,
    catalogue,
    clock: () => now,
    queue: createSharedQueue({ store, catalogue, clock: () => now, announce: () => {} }),
  };
  const { userId } = members[0]!;
  const { organization_id: organizationId } = await store
    .selectFrom("users")
    .select("organization_id")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const caller = {
    userId,
    organizationId,
    tier: "local",
    keyId: "",
    scope: "admin",
    allow: undefined,
  } as const;
  const worker = { id: "worker", isAlone: false };
  const page =
    (filter: object = {}) =>
    () =>
      listJobs(context, caller, { page: 1, limit: 50, ...filter });
  let next = count - Number(values.waiting);
  const works: Record<string, () => Promise<unknown>> = {
    "a page of the newest": page(),
    "page 1,000": page({ page: Math.min(1000, Math.floor(count / 200)) }),
    "those that failed": page({ status: "FAILED" }),
    "those pending": page({ statusGroup: "pending" }),
    "by vendor": page({ vendor: "ibm" }),
    "by tag": page({ tags: { lab: "l0" } }),
    "by word": page({ search: "qjob-0000" }),
    summary: () => summarize(store, caller),
    statuses: () => countStatuses(store, caller),
    "series of 30 days": () =>
      readSeries(context, caller, { deviceQrn: "svc:svc:sim:statevector", days: 30, timezone: "UTC" }),
    depths: () => context.queue.depths([...catalogue.keys()]),
    "a sweep": async () => {
      await findInterrupted(store, worker, now);
      await findCancelling(store, worker, now, 100);
      await createFill({ store, queue: createFairQueue(), catalogue })(() => false);
    },
    "a claim": () => {
      next += 1;
      const wanted = new Map([[next, { userId, tier: "local", isExpress: false }]]);
      return claimJobs(store, { wanted, lease: leaseOf(worker, now) }, now);
    },
  };
  const { rows } = await sql<{ bytes: number; indexes: number }>`
    select pg_relation_size('jobs') as bytes, pg_indexes_size('jobs') as indexes`.execute(store);
  const perJob = (bytes = 0) => `${Math.round(bytes / count)} B`;
  const sizes = [perJob(rows[0]?.bytes), perJob(rows[0]?.indexes)];
  const column = [count.toLocaleString("en-US"), `${(wrote / 1000).toFixed(0)} s`, ...sizes];
  for (const work of Object.values(works)) {
    const times: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      const started = performance.now();
      await work();
      times.push(performance.now() - started);
    }
    column.push(`${percentile(times, 0.5).toFixed(1)} ms, least ${Math.min(...times).toFixed(1)}`);
  }
  if (table.length === 0)
    table.push(["jobs", "written in", "row of a job", "its index entries", ...Object.keys(works)]);
  table.push(column);
  await store.destroy();
}
const transposed = table[0]!.map((_, row) => table.map(column => column[row]!));
report("Median and least times at so many jobs, half of them one user's", transposed);
