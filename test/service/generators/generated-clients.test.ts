import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bell, endlessOn12 as endless, type Serving, serving } from "../serving.ts";

const run = promisify(execFile);
const here = import.meta.dirname;
const bin = (name: string) => join(here, "node_modules", name);

/** Calls of a client: the operation, the name of its answer's data, and the path, query and body, as code. */
const calls: [id: string, as: string, request?: { path?: string; query?: string; body?: string }][] = [
  ["createJobGroup", "group", { body: '{ name: "mine" }' }],
  ["createJob", "job", { body: "{ deviceQrn, shots: 10, program, groupJobQrn: group.groupJobQrn }" }],
  ["getJob", "first", { path: "{ job_qrn: job.jobQrn }" }],
  ["listJobs", "jobs", { query: '{ limit: 5, statusGroup: "returned" }' }],
  ["getJobsSummary", "summary"],
  ["getJobsStatuses", "statuses"],
  ["getJobCostEstimate", "quote", { query: "{ deviceQrn, shots: 100 }" }],
  ["getJobResult", "result", { path: "{ job_qrn: job.jobQrn }" }],
  ["getJobProgram", "submitted", { path: "{ job_qrn: job.jobQrn }" }],
  ["getJobCompiledProgram", "compiled", { path: "{ job_qrn: job.jobQrn }" }],
  ["getJobProgramAscii", "drawing", { path: "{ job_qrn: job.jobQrn }" }],
  ["listJobGroups", "groups", { query: '{ status: "OPEN", page: 1 }' }],
  ["getJobGroup", "resolved", { path: "{ group_qrn: group.groupJobQrn }" }],
  ["getJobGroupJobs", "members", { path: "{ group_qrn: group.groupJobQrn }" }],
  ["createJobGroup", "other", { body: "{ maxTTL: 600 }" }],
  ["closeJobGroup", "closed", { path: "{ group_qrn: other.groupJobQrn }" }],
  ["cancelJobGroup", "cancelledGroup", { path: "{ group_qrn: other.groupJobQrn }" }],
  ["createJob", "long", { body: "{ deviceQrn, shots: 1, program: endless, tags: { a: 1, b: true } }" }],
  ["cancelJob", "cancelled", { path: "{ job_qrn: long.jobQrn }" }],
  ["deleteJob", "deleted", { path: "{ job_qrn: long.jobQrn }" }],
  ["deleteMultipleJobs", "several", { query: "{ qrns: JSON.stringify([job.jobQrn]) }" }],
  ["listDevices", "devices", { query: '{ deviceType: "QPU", sortBy: "numberQubits" }' }],
  ["getDevice", "device", { path: "{ device_qrn: deviceQrn }" }],
  ["getDeviceCalibrations", "calibration", { path: '{ device_qrn: "ibm:emulated:qpu:perth" }' }],
  ["getCreditBalance", "balance"],
  ["getCreditPricing", "pricing"],
  ["getSimulatorUsage", "usage"],
  ["getSimulatorUsageSeries", "series", { query: "{ deviceQrn, days: 7 }" }],
];

const shared = `
declare const process: { argv: string[]; stdout: { write(text: string): void } };
const [url = "", key = "", deviceQrn = ""] = process.argv.slice(2);
const program = ${JSON.stringify(bell)};
const endless = ${JSON.stringify(endless)};
function dataOf<T>(answer: { data?: { data: T } | undefined; error?: unknown }): T {
  if (!answer.data) throw new Error(JSON.stringify(answer.error));
  return answer.data.data;
}`;
const checks = `
const counts: { [outcome: string]: number } | null | undefined = Array.isArray(result)
  ? undefined
  : result.resultData.measurementCounts;
process.stdout.write(JSON.stringify({ counts, status: resolved.status, cancelled: cancelled.status }));`;

/** Returns a program that makes the calls, each written by `write`; jobs are awaited where their end matters. */
function clientOf(head: string, write: (id: string, request: string[]) => string): string {
  const lines = calls.flatMap(([id, as, request = {}]) => {
    const members = Object.entries(request).map(([name, code]) => `${name}: ${code}`);
    const call = write(id, members);
    const made = `const ${as} = dataOf(await ${call});`;
    return id === "getJob"
      ? [
          `let ${as} = dataOf(await ${call});`,
          `while (first.status !== "COMPLETED") first = dataOf(await ${call});`,
        ]
      : [made];
  });
  return [head, shared, ...lines, checks].join("\n");
}

describe("clients that others generate from the OpenAPI document", { timeout: 240_000 }, () => {
  let service: Serving;
  let folder: string;
  let paths: Record<string, Record<string, { operationId: string }>>;
  beforeAll(async () => {
    service = await serving({ vendor: "lab" });
    mkdirSync(join(here, "out"), { recursive: true });
    folder = mkdtempSync(join(here, "out", "client-"));
    const { body } = await service.call("GET", "/openapi.json");
    paths = body.paths;
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(body));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service[Symbol.asyncDispose]();
  });

  /** Writes a client's program to its folder, and runs the generator there on the document. */
  async function generate(name: string, source: string, generator: string[]): Promise<void> {
    const place = join(folder, name);
    mkdirSync(place);
    writeFileSync(join(place, "client.ts"), source);
    await run(process.execPath, generator, { cwd: place });
  }

  /** Checks the types of all clients, and those of their libraries but TypeScript's own, and translates them. */
  async function compile(): Promise<string> {
    const options =
      "--strict --skipLibCheck false --skipDefaultLibCheck --module nodenext --target es2023 --lib es2023,dom,dom.iterable,dom.asynciterable";
    const types = ["--typeRoots", join(folder, "none")];
    const clients = ["fetch", "hey"].map(name => join(folder, name, "client.ts"));
    const compiler = [bin("typescript/bin/tsc"), ...options.split(" "), ...types];
    return await run(process.execPath, [...compiler, "--outDir", join(folder, "js"), ...clients])
      .then(({ stdout }) => stdout)
      .catch(error => String(error.stdout));
  }

  async function runClient(name: string): Promise<void> {
    const { url, apiKey } = service.service;
    const client = join(folder, "js", name, "client.js");
    const { stdout } = await run(process.execPath, [client, url, apiKey, "lab:lab:sim:statevector"]);
    const { counts, ...ended } = JSON.parse(stdout);
    expect(Object.keys(counts).every(outcome => outcome === "00" || outcome === "11")).toBe(true);
    expect(ended).toEqual({ status: "COMPLETED", cancelled: "CANCELLING" });
  }

  test("call every operation", () => {
    const described = Object.values(paths).flatMap(path =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    const called = new Set(calls.map(([id]) => id));
    expect(described.filter(id => !called.has(id))).toEqual(["verifyUser"]);
    expect(called.size).toBe(26);
  });

  test("openapi-typescript with openapi-fetch and @hey-api/openapi-ts: their types are right, and all operations run", async () => {
    const document = join(folder, "openapi.json");
    await Promise.all([
      generate("fetch", fetchClient(), [
        bin("openapi-typescript/bin/cli.js"),
        document,
        "--output",
        "service.ts",
      ]),
      generate("hey", heyClient(), [bin("@hey-api/openapi-ts/bin/run.js"), "-i", document, "-o", "service"]),
    ]);
    expect(await compile()).toBe("");
    await runClient("fetch");
    await runClient("hey");
  });

  function fetchClient(): string {
    const routes = new Map(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(
          ([method, { operationId }]) => [operationId, [method.toUpperCase(), path]] as const,
        ),
      ),
    );
    const head = 'import createClient from "openapi-fetch";\nimport type { paths } from "./service.js";';
    const client =
      '\nconst client = createClient<paths>({ baseUrl: process.argv[2]!, headers: { "X-API-KEY": process.argv[3]! } });';
    return clientOf(head + client, (id, members) => {
      const [method, path] = routes.get(id)!;
      const body = members.filter(member => member.startsWith("body"));
      const params = members.filter(member => !member.startsWith("body"));
      const options = [...body, ...(params.length > 0 ? [`params: { ${params.join(", ")} }`] : [])];
      return `client.${method}("${path}", { ${options.join(", ")} })`;
    });
  }

  function heyClient(): string {
    const names = [...new Set(calls.map(([id]) => id))];
    const head = `import { ${names.join(", ")} } from "./service/index.js";\nimport { createClient } from "./service/client/index.js";`;
    const client =
      "\nconst client = createClient({ baseUrl: process.argv[2]!, auth: () => process.argv[3]! });";
    return clientOf(head + client, (id, members) => `${id}({ ${["client", ...members].join(", ")} })`);
  }
});
