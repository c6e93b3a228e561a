import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { openPostgresStore } from "../../src/service-cluster/postgres/dialect.ts";
import { createSharedKey, type SharedProcess, sharedProcess } from "../service/shared.ts";
import { startPostgres } from "../service/store/postgres/server.ts";
import { report } from "./measure.ts";

/**
 * Jobs a second that a service of several processes accepts and completes, and the processor time that each of its parts
 * takes for one: `node test/bench/shared-service.ts --jobs 4000 --organizations 1`.
 */
const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "2000" },
    clients: { type: "string", default: "64" },
    organizations: { type: "string", default: "1" },
    shapes: { type: "string", default: "1+1,2+1,2+2" },
  },
});
const [jobs, clients, organizations] = [values.jobs, values.clients, values.organizations].map(Number) as [
  number,
  number,
  number,
];

const body = JSON.stringify({
  deviceQrn: "svc:svc:sim:statevector",
  shots: 100,
  program: {
    format: "qasm3",
    data: 'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;',
  },
});

/** Milliseconds of processor time of a process and all its children, by Linux. */
function processorTime(pid: number): number {
  const pids = readdirSync("/proc").filter(name => /^\d+$/.test(name));
  const stats = pids.flatMap(name => {
    try {
      const [, rest = ""] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ");
      const fields = rest.split(" ");
      const [parent, ...ticks] = [1, 11, 12, 13, 14].map(at => Number(fields[at])) as [number, ...number[]];
      return [{ pid: Number(name), parent, ticks }];
    } catch {
      return [];
    }
  });
  const own = stats.find(each => each.pid === pid);
  if (!own) return 0;
  const children = stats.filter(each => each.parent === pid);
  const sum = (ticks: number[], count: number) => ticks.slice(0, count).reduce((a, b) => a + b, 0);
  return 10 * (sum(own.ticks, 4) + children.reduce((total, each) => total + sum(each.ticks, 2), 0));
}

const rows: string[][] = [
  ["interfaces + workers", "accepted /s", "completed /s", "interfaces", "workers", "database"],
];
await using server = await startPostgres();
for (const shape of values.shapes.split(",")) {
  const [apis = 1, workers = 1] = shape.split("+").map(Number);
  const database = await server.createDatabase();
  const keys = await Promise.all(
    Array.from({ length: organizations }, (_, at) =>
      createSharedKey(database, `org${at}`, "--tier", "local"),
    ),
  );
  const rate = ["--rate", "1000000000"];
  const serving = await Promise.all(
    Array.from({ length: apis }, () => sharedProcess("serve", database, "--workers", "0", ...rate)),
  );
  const pools = serving.map(({ url }) => new Pool(new URL(url).origin, { connections: clients }));
  const store = await openPostgresStore(database);
  const waiting = () =>
    store
      .selectFrom("jobs")
      .where("ended_at", "is", null)
      .select(eb => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
  const timesOf = (processes: SharedProcess[]) =>
    processes.reduce((sum, { child }) => sum + processorTime(child.pid!), 0);

  const submit = async (count: number) => {
    let left = count;
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        while (left > 0) {
          left -= 1;
          const answer = await pools[left % apis]!.request({
            method: "POST",
            path: "/api/v1/jobs",
            headers: { "content-type": "application/json", "x-api-key": keys[client % organizations]! },
            body,
          });
          await answer.body.dump();
          if (answer.statusCode !== 201)
            throw new Error(`A submission was answered with ${answer.statusCode}.`);
        }
      }),
    );
  };
  const drained = async () => {
    while ((await waiting()).count > 0) await sleep(50);
  };

  await submit(jobs / 4);
  const interfacesAt = timesOf(serving);
  const databaseAt = processorTime(server.pid!);
  const started = performance.now();
  await submit(jobs);
  const accepted = performance.now() - started;
  const interfaces = timesOf(serving) - interfacesAt;
  const databaseForSubmissions = processorTime(server.pid!) - databaseAt;

  const running = await Promise.all(
    Array.from({ length: workers }, () =>
      sharedProcess("worker", database, "--workers", String(Math.max(1, availableParallelism() / workers))),
    ),
  );
  await sleep(500);
  const before = (await waiting()).count;
  const workersAt = timesOf(running);
  const drainAt = processorTime(server.pid!);
  const begun = performance.now();
  await drained();
  const completed = performance.now() - begun;
  const each = (milliseconds: number, count: number) => `${(milliseconds / count).toFixed(2)} ms`;
  rows.push([
    shape,
    String(Math.round((jobs / accepted) * 1000)),
    String(Math.round((before / completed) * 1000)),
    `${each(interfaces, jobs)} a job accepted`,
    `${each(timesOf(running) - workersAt, before)} a job completed`,
    `${each(databaseForSubmissions, jobs)} accepted, ${each(processorTime(server.pid!) - drainAt, before)} completed`,
  ]);
  await Promise.all([
    ...pools.map(pool => pool.close()),
    ...[...serving, ...running].map(each => each.end()),
  ]);
  await store.destroy();
}
report(
  `${jobs} Bell jobs from ${clients} clients of ${organizations} organizations; processor time of each part`,
  rows,
);
