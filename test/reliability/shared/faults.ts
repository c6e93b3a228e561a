import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isNginxMissing, startBalancer } from "../../service/balancer.ts";
import { bell, bellJob, caller } from "../../service/serving.ts";
import { createSharedKey, type SharedProcess, sharedProcessAt } from "../../service/shared.ts";
import { freePort, startPostgres } from "../../service/store/postgres/server.ts";
import { createRandom } from "../random.ts";
import type { Report } from "../report.ts";
import { startProxy } from "./proxy.ts";
import { checkDatabase } from "./subject.ts";

const slow = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[16] q;\nbit c;\nfor int i in [0:20] { h q; }\nc = measure q[0];',
};

const CLIENTS = 4;
const MAX_PAUSE_MS = 600;
/** A worker that is cut off for so long has lost its jobs to others. */
const LEASE_MS = 3000;
const MAX_CUT_MS = 9000;
const THREE_HOURS_MS = 10_800_000;

/**
 * Breaks what a shared service stands on, at random and under load: processes are ended by `kill -9` and started again,
 * so is the database, whose connections also end, which takes no writes or few connections, or has a table locked; a worker
 * is cut off from it; a process stands still. A client that is told that nothing was changed submits under a new key, so
 * every job that nobody was told of shows. Machines have clocks that are six hours apart. Requests go through nginx as it
 * is documented, where it is installed.
 */
export async function breakSharedService({
  faults,
  seed = 5,
}: {
  faults: number;
  seed?: number;
}): Promise<Report> {
  await using server = await startPostgres();
  const owned = new URL(await server.createDatabase());
  const [administered, name] = [owned.href, owned.pathname.slice(1)];
  await askServer(administered, `create role ketbook login; alter database ${name} owner to ketbook`);
  owned.username = "ketbook";
  const database = owned.href;
  await using proxy = await startProxy(database);
  const key = await createSharedKey(database, "first", "--tier", "local");
  const limits = ["--rate", "1000000000", "--anonymous-rate", "1000000000"];
  const timing = ["--timing", "instant"];
  const ports = [await freePort(), await freePort()] as const;
  await using balancer = isNginxMissing ? undefined : await startBalancer(ports);
  const serve = (clockShift: number, port: number) => () =>
    sharedProcessAt(
      clockShift,
      "serve",
      database,
      "--workers",
      "0",
      "--port",
      String(port),
      ...timing,
      ...limits,
    );
  const work = (clockShift: number, address: string) => () =>
    sharedProcessAt(clockShift, "worker", address, "--workers", "1", "--lease", "3s", ...timing);
  const starts = [
    serve(THREE_HOURS_MS, ports[0]),
    serve(-THREE_HOURS_MS, ports[1]),
    work(THREE_HOURS_MS, database),
    work(-THREE_HOURS_MS, database),
    work(0, proxy.through(database)),
  ];
  const processes = await Promise.all(starts.map(start => start()));
  const random = createRandom(seed);
  const accepted = new Set<string>();
  const violations: string[] = [];
  const figures: Record<string, number> = { faults, "jobs accepted": 0, "sent again": 0 };
  let isOver = false;

  /** Kills a process and starts it again. */
  async function restart(at: number): Promise<void> {
    await processes[at]!.end("SIGKILL");
    processes[at] = await startAgain(starts[at]!);
  }

  /** What may be done to the service. */
  const FAULTS: Readonly<Record<string, () => Promise<unknown>>> = {
    "API servers killed": () => restart(random.below(2)),
    "workers killed": () => restart(2 + random.below(3)),
    "database restarts": () => server.restart(),
    "workers cut off": async () => {
      proxy.cut();
      await sleep(random.pick([500, LEASE_MS, MAX_CUT_MS]));
      proxy.restore();
    },
    "API servers stopped": async () => {
      const { pid } = processes[random.below(2)]!.child;
      process.kill(pid!, "SIGSTOP");
      await sleep(random.pick([500, LEASE_MS])).finally(() => process.kill(pid!, "SIGCONT"));
    },
    "connections refused": async () => {
      await askServer(
        administered,
        `alter database ${name} connection limit ${random.pick([0, 5])}; ${END_ALL}`,
      );
      await sleep(random.pick([500, LEASE_MS]));
      await askServer(administered, `alter database ${name} connection limit -1`);
    },
    "connections ended": () => askServer(administered, END_HALF),
    "writes refused": async () => {
      await askServer(
        administered,
        `alter database ${name} set default_transaction_read_only = on; ${END_ALL}`,
      );
      await sleep(random.pick([500, MAX_PAUSE_MS]));
      await askServer(administered, `alter database ${name} reset default_transaction_read_only; ${END_ALL}`);
    },
    "workers stopped": async () => {
      const { pid } = processes[2 + random.below(3)]!.child;
      process.kill(pid!, "SIGSTOP");
      await sleep(random.pick([500, LEASE_MS, MAX_CUT_MS])).finally(() => process.kill(pid!, "SIGCONT"));
    },
    "tables locked": () =>
      askServer(administered, `begin; lock table jobs; select pg_sleep(${random.pick([0.5, 6])}); commit`),
  };

  async function submitUntilOver(client: number): Promise<void> {
    for (let at = 0; !isOver; at += 1) {
      const job = bellJob({ program: random.pick([bell, slow, [bell, bell]]) });
      let idempotencyKey = `client${client}-${at}`;
      let isUnsure = false;
      const answers = new Set<string>();
      for (let attempt = client; answers.size === 0; attempt += 1) {
        const headers = { "idempotency-key": idempotencyKey };
        const { call } = caller(balancer ? `${balancer.url}/api/v1` : processes[attempt % 2]!.url, key);
        const answer = await call("POST", "/jobs", job, headers).catch(error => {
          if (balancer) violations.push(`a submission was not answered in JSON: ${error}`);
        });
        if (answer?.status === 201) answers.add(answer.body.data.jobQrn);
        else if (answer && answer.status !== 503 && answer.status !== 502)
          violations.push(`a submission was answered with ${answer.status} ${answer.body.error?.code}`);
        isUnsure ||= !/Nothing was changed/.test(answer?.body.message);
        if (!isUnsure) idempotencyKey = `client${client}-${at}-${attempt}`;
        if (answers.size === 0) {
          figures["sent again"]! += 1;
          await sleep(50);
        }
      }
      for (const qrn of answers) accepted.add(qrn);
      await sleep(random.below(100));
    }
  }

  const clients = Array.from({ length: CLIENTS }, (_, client) => submitUntilOver(client));
  try {
    for (let at = 0; at < faults; at += 1) {
      await sleep(random.below(MAX_PAUSE_MS));
      const names = Object.keys(FAULTS);
      const name = at < names.length ? names[at]! : random.pick(names);
      figures[name] = (figures[name] ?? 0) + 1;
      await FAULTS[name]!();
    }
    isOver = true;
    await Promise.all(clients);
    figures["jobs accepted"] = accepted.size;
    violations.push(...(await checkDatabase(database, accepted)));
    const { rows } = await askServer(administered, "select qrn from jobs");
    const untold = rows.filter(({ qrn }) => !accepted.has(qrn));
    if (untold.length > 0) violations.push(`nobody was told of ${untold.length} jobs`);
    for (const each of processes) {
      const { exitCode, signalCode } = each.child;
      if (exitCode !== null || signalCode !== null)
        violations.push(`a process ended with ${exitCode ?? signalCode}`);
    }
  } finally {
    isOver = true;
    await Promise.all(processes.map(each => each.end()));
  }
  violations.push(...(await checkDatabase(database, accepted)));
  return { trial: "faults of a shared service", figures, violations };
}

const END_ALL = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ketbook'";
const END_HALF = `${END_ALL} and random() < 0.5`;

/** Asks the server of a database, which may take no writes. */
async function askServer(database: string, statements: string): Promise<{ rows: { qrn: string }[] }> {
  const options = "-c default_transaction_read_only=off";
  const client = new pg.Client({ connectionString: database, options });
  await client.connect();
  return client.query(statements).finally(() => client.end());
}

/** Starts a process, again where the database is not there yet. */
async function startAgain(start: () => Promise<SharedProcess>): Promise<SharedProcess> {
  for (let left = 20; ; left -= 1) {
    try {
      return await start();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(250);
    }
  }
}
