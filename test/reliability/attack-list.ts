import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { bell, bellJob, type Caller, endless } from "../service/serving.ts";

/** What is attacked. */
export interface Target {
  url: string;
  apiKey: string;
  /** The process of the service. */
  pid: number;
  attacker: Caller;
  /** How many connections or jobs an attack takes. */
  size: number;
  /** Notes a job that was accepted. */
  accept(qrn: string): void;
}

/** Attacks a service; rejects where it answers what it should not. */
type Attack = (target: Target) => Promise<unknown>;

interface ExchangeOptions {
  /** Milliseconds after which the connection is given up. Default: 1000. */
  forMs?: number;
  /** Whether the answer is read. Default: true. */
  isRead?: boolean;
  /** Sent ten times a second. Default: nothing. */
  drip?: string;
}

/** Sends a string over a connection of its own, and resolves to what came back until it ended. */
function exchange(
  { url }: Target,
  text: string,
  { forMs = 1000, isRead = true, drip = "" }: ExchangeOptions = {},
): Promise<string> {
  return new Promise(resolve => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = "";
    if (isRead) socket.on("data", data => (answer += data));
    else socket.pause();
    const dripping = drip && setInterval(() => socket.write(drip), 100);
    const timer = setTimeout(() => socket.destroy(), forMs);
    socket.on("error", () => {});
    socket.on("close", () => {
      clearInterval(dripping || undefined);
      clearTimeout(timer);
      resolve(answer);
    });
  });
}

const submission = "POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";
const withKey = ({ apiKey }: Target, head = submission) => `${head}X-API-KEY: ${apiKey}\r\n`;
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const members = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;

const close = "Connection: close\r\n";
const patient = { forMs: 60_000 };

/** Opens a connection for each unit of `size`, or for a share of them. */
const flood =
  (text: (target: Target) => string, options?: ExchangeOptions, share = 1): Attack =>
  target =>
    times(Math.ceil(target.size * share), () => exchange(target, text(target), options));

async function expectRefusal(target: Target, text: string): Promise<void> {
  const answer = await exchange(target, text, patient);
  if (!answer.startsWith("HTTP/1.1 400 ")) throw new Error(`answered: ${answer.slice(0, 100) || "nothing"}`);
}

function expectStatus({ status }: { status: number }, ...allowed: number[]): void {
  if (!allowed.includes(status)) throw new Error(`answered: ${status}`);
}

async function submit(target: Target, changes: object): Promise<string> {
  const answer = await target.attacker.call("POST", "/jobs", bellJob(changes));
  expectStatus(answer, 201);
  const { jobQrn } = answer.body.data;
  target.accept(jobQrn);
  return jobQrn;
}

const ambiguous = [
  "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd",
  "Content-Length: +4\r\n\r\nabcd",
  "Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n",
  "Transfer-Encoding: x\r\n\r\n0\r\n\r\n",
  "X-Folded:\r\n a\r\nContent-Length: 2\r\n\r\n{}",
];

/** Every attack, by what is done. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  "headers that come slowly": flood(() => submission, { drip: "X-A: a\r\n" }),
  "bodies that come slowly": flood(target => `${withKey(target)}Content-Length: 1000000\r\n\r\n{"a":[`, {
    drip: "1,",
  }),
  "connections that end half way": flood(target => `${withKey(target)}Content-Length: 100\r\n\r\n{`, {
    forMs: 50,
  }),
  "tiny requests, all that a connection takes at once": flood(
    () => "GET / HTTP/1.1\r\n\r\n".repeat(3600),
    {},
    1 / 5,
  ),
  "connections that each bring a request": target =>
    times(5 * target.size, async () => {
      const answer = await exchange(
        target,
        `${withKey(target, get("/api/v1/devices"))}${close}\r\n`,
        patient,
      );
      if (!answer.startsWith("HTTP/1.1 200 ")) throw new Error(`answered: ${answer.slice(0, 100)}`);
    }),
  "headers by the ten thousand": flood(() => `${get("/healthz")}${"a:\r\n".repeat(20_000)}${close}\r\n`),
  "queries of ten thousand members": target => {
    const query = Array.from({ length: 10_000 }, (_, index) => `${index}=`).join("&");
    const text = `${withKey(target, get(`/api/v1/jobs?${query}`))}${close}\r\n`;
    return times(Math.ceil(target.size / 8), () => exchange(target, text, patient));
  },
  "requests ahead of their answers": flood(() => `${get("/healthz")}\r\n`.repeat(20_000), {}, 1 / 20),
  "answers that nobody reads": flood(() => `${get("/api/v1/openapi.json")}\r\n`.repeat(8), { isRead: false }),
  "bodies in crumbs": target =>
    times(Math.ceil(target.size / 20), () =>
      expectRefusal(
        target,
        `${withKey(target)}Transfer-Encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(50_000)}`,
      ),
    ),
  "headers that can be read in two ways": target =>
    times(ambiguous.length, index => expectRefusal(target, withKey(target) + ambiguous[index]!)),
  "a packed body": async ({ url, apiKey }) => {
    const body = gzipSync(Buffer.alloc(50e6, " "));
    const headers = {
      "x-api-key": apiKey,
      "content-type": "application/json",
      "content-encoding": "gzip",
    };
    expectStatus(await fetch(`${url}/jobs`, { method: "POST", headers, body }), 400);
  },
  "members by the ten thousand": ({ attacker, size }) =>
    times(Math.ceil(size / 20), async index => {
      const many = members(24_000, null);
      const changes = [{ tags: many }, { runtimeOptions: { inputs: many } }, { runtimeOptions: many }][
        index % 3
      ];
      expectStatus(await attacker.call("POST", "/jobs", bellJob(changes)), 400);
    }),
  "one idempotency key for many bodies": async target => {
    const { attacker, size } = target;
    const key = { "idempotency-key": `shared by ${size}` };
    const answers = await times(size, index =>
      attacker.call("POST", "/jobs", bellJob({ shots: index % 3 }), key),
    );
    const made = answers.filter(({ status }) => status === 201);
    if (new Set(made.map(({ body }) => body.data.jobQrn)).size !== 1)
      throw new Error("it made more than one job");
    target.accept(made[0]!.body.data.jobQrn);
  },
  "polls that wait, and are given up": async target => {
    const qrn = await submit(target, { program: endless });
    const head = `${withKey(target, get(`/api/v1/jobs/${qrn}`))}Prefer: wait=30\r\n\r\n`;
    await times(target.size, () => exchange(target, head, { forMs: 500 }));
    await target.attacker.call("POST", `/jobs/${qrn}/cancel`);
  },
  "a group that is cancelled while its jobs run": async target => {
    const { attacker, size } = target;
    const { groupJobQrn } = (await attacker.call("POST", "/jobs/group")).body.data;
    await times(size, index => submit(target, { groupJobQrn, program: index % 20 === 0 ? endless : bell }));
    expectStatus(await attacker.call("POST", `/jobs/group/${groupJobQrn}/cancel`), 200, 409);
  },
  "jobs that are cancelled, deleted and read at once": target =>
    times(target.size, async () => {
      const qrn = await submit(target, {});
      const paths = [
        ["POST", `/jobs/${qrn}/cancel`],
        ["DELETE", `/jobs/${qrn}`],
        ["GET", `/jobs/${qrn}/result`],
      ] as const;
      const call = ([method, path]: (typeof paths)[number]) => target.attacker.call(method, path);
      const statuses = (await Promise.all(paths.map(call))).map(({ status }) => status);
      if (statuses.some(status => status >= 500)) throw new Error(`answered: ${statuses}`);
    }),
  "a large result that nobody reads": async target => {
    const wide = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[200] q;\nbit[200] c;\nh q;\nc = measure q;';
    const qrn = await submit(target, {
      deviceQrn: "svc:svc:sim:stabilizer",
      shots: target.size < 100 ? 20_000 : 100_000,
      program: { format: "qasm3", data: wide },
      runtimeOptions: { memory: true },
    });
    await target.attacker.ended(qrn, "COMPLETED");
    await exchange(target, `${withKey(target, get(`/api/v1/jobs/${qrn}/result`))}\r\n`, { isRead: false });
  },
  "delays without end": async target => {
    const data = bell.data.replace("h q[0];", "h q[0]; delay[1e30s] q[0];");
    await submit(target, { deviceQrn: "aws:emulated:qpu:garnet", program: { format: "qasm3", data } });
  },
  "a process that stands still for a second": async ({ pid }) => {
    process.kill(pid, "SIGSTOP");
    await sleep(1000).finally(() => process.kill(pid, "SIGCONT"));
  },
};
