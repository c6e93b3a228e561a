import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RuntimeJob, Timing } from "../../src/contract/job.ts";
import { isTerminalJob } from "../../src/contract/status.ts";
import { createKey, type KeyRequest } from "../../src/service/accounts/members.ts";
import { toMicro } from "../../src/service/billing/price.ts";
import type { RequestLimits } from "../../src/service/http/app.ts";
import { type RunningService, startService } from "../../src/service/node/service.ts";
import { openPool } from "../../src/service/node/threads.ts";
import type { WorkerPool } from "../../src/service/pool.ts";
import type { Store } from "../../src/service/store/store.ts";

/** A program that makes a Bell pair. */
export const bell = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;',
};

/** A program that runs for many seconds. */
export const endless = {
  format: "qasm3",
  data: 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[22] q;\nbit c;\nfor int i in [0:100000] { h q; t q; cz q[0:16], q[1:17]; }\nc = measure q[0];',
};

/** A program that runs for many seconds in a single thread, and takes little memory. */
export const endlessOn12 = {
  ...endless,
  data: endless.data.replace("[22]", "[12]").replace("q[0:16], q[1:17]", "q[0:10], q[1:11]"),
};

export const statevector = "svc:svc:sim:statevector";

/** A submission of the Bell program, with what differs. */
export const bellJob = (changes: object = {}) => ({
  deviceQrn: statevector,
  shots: 100,
  program: bell,
  ...changes,
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Body = any;

/** What the service answered. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

/** Speaks to a service with one key. */
export interface Caller {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  submit(changes?: object): Promise<RuntimeJob>;
  /** Waits until the job's status is terminal, or the one given. */
  ended(qrn: string, status?: string): Promise<RuntimeJob>;
}

/** A service on a data folder of its own, in this process. */
export interface Serving extends Caller, AsyncDisposable {
  service: RunningService;
  folder: string;
  store: Store;
  /** Moves the service's clock, in milliseconds. */
  pass(milliseconds: number): void;
  /** Makes a user, and speaks for that one. */
  user(request?: Partial<KeyRequest>): Promise<Caller & { key: string; userId: number }>;
  logged: { event: string; fields: Record<string, unknown> }[];
}

/** Threads that the services of this process share, since starting one takes longer than most tests. */
let pool: WorkerPool | undefined;

/** Starts a service in this process. */
export async function serving(
  options: {
    catalogue?: string;
    folder?: string;
    shift?: number;
    limits?: RequestLimits;
    timing?: Timing;
    vendor?: string;
    version?: string;
  } = {},
): Promise<Serving> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "ketbook-service-"));
  let { shift = 0 } = options;
  pool ??= openPool();
  const logged: Serving["logged"] = [];
  const service = await startService({
    folder,
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    catalogue: options.catalogue,
    timing: options.timing ?? "instant",
    vendor: options.vendor,
    version: options.version ?? "0.0.0",
    pool,
    grace: 50,
    ...(options.limits ? { limits: options.limits } : {}),
    log: (_level, event, fields = {}) => logged.push({ event, fields }),
    clock: () => Date.now() + shift,
  });
  const { store } = service;
  let users = 0;
  return {
    ...caller(service.url, service.apiKey),
    service,
    folder,
    store,
    logged,
    pass: milliseconds => {
      shift += milliseconds;
    },
    async user(request = {}) {
      users += 1;
      const named = { organization: `org${users}`, user: `user${users}`, grant: toMicro(1000) };
      const made = await createKey(
        store,
        { ...named, tier: undefined, allow: undefined, ...request },
        Date.now() + shift,
      );
      return { ...caller(service.url, made.apiKey), key: made.apiKey, userId: made.userId };
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      if (!options.folder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Speaks to the service at this address with this key. */
export function caller(url: string, key: string): Caller {
  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        "x-api-key": key,
        ...(text === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body };
  }

  return {
    call,
    async submit(changes) {
      const { status, body } = await call("POST", "/jobs", bellJob(changes));
      if (status !== 201) throw new Error(`The submission was refused: ${JSON.stringify(body)}`);
      return body.data;
    },
    async ended(qrn, status) {
      // A status that passes is asked for often; a service that hears of changes is asked to wait for the end of a job.
      const isLast = !status || isTerminalJob(status as RuntimeJob["status"]);
      let headers: Record<string, string> = {};
      let pause = 5;
      for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(pause)) {
        const job: RuntimeJob = (await call("GET", `/jobs/${qrn}`, undefined, headers)).body.data;
        if (isLast) headers = { prefer: "wait=1" };
        const terminal = isTerminalJob(job.status);
        if (status ? job.status === status : terminal) return job;
        if (terminal) throw new Error(`${qrn} is ${job.status}: ${job.statusMsg}`);
        if (isLast) pause = Math.min(50, 1.3 * pause);
      }
      throw new Error(`${qrn} did not come to ${status ?? "its end"}.`);
    },
  };
}
