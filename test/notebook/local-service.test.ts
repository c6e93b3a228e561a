import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SERVICE_FILE } from "../../src/contract/local.ts";
import { entry } from "../service/process.ts";
import { endService, isAlive, serviceOf } from "./own-service.ts";

const library = entry("index.ts", "index.js").href;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ketbook-local-"));
});

afterEach(async () => {
  await endService(folder);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script as a notebook's process would: one of its own, in this test's data folder. */
async function script(body: string): Promise<string> {
  const source = `import { run, job, devices, connect } from "${library}";
    const bell = 'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;';
    ${body}`;
  const env = { ...process.env, KETBOOK_DATA: folder };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", source], {
    env,
  });
  return stdout.trim();
}

test("two notebooks that start at the same moment end up with one service", async () => {
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => script("console.log((await run(bell).shots(5).submit()).qrn)")),
  );
  const service = serviceOf(folder)!;
  const found = await script(
    `for (const qrn of ${JSON.stringify(answers)}) console.log((await job(qrn)).qrn)`,
  );
  expect(found.split("\n")).toEqual(answers);
  expect(serviceOf(folder)).toEqual(service);
});

test("a job outlives the process that submitted it", async () => {
  const qrn = await script("console.log((await run(bell).shots(7).submit()).qrn); process.exit(0)");
  expect(await script(`console.log((await job("${qrn}").result()).shots)`)).toBe("7");
});

test("the service file and its folder are for their owner alone", async () => {
  await script("await devices()");
  expect(statSync(join(folder, SERVICE_FILE)).mode & 0o777).toBe(0o600);
  expect(serviceOf(folder)!.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
});

test("a service that was killed is replaced, and knows the jobs of the one before", async () => {
  const qrn = await script("console.log((await run(bell).shots(3)).job.qrn)");
  const before = serviceOf(folder)!;
  process.kill(before.pid, "SIGKILL");
  expect(await script(`console.log((await job("${qrn}").result()).shots)`)).toBe("3");
  expect(serviceOf(folder)!.pid).not.toBe(before.pid);
});

test("a notebook whose service ended in the meantime starts it again", async () => {
  const body = `await devices();
    const { pid } = JSON.parse((await import("node:fs")).readFileSync("${join(folder, SERVICE_FILE)}", "utf8"));
    process.kill(pid, "SIGKILL");
    await new Promise(gone => setTimeout(gone, 200));
    console.log((await run(bell).shots(4)).shots)`;
  expect(await script(body)).toBe("4");
});

test.each(["devices()", "run(bell)", "run(bell).submit()", "job('x').result()"])(
  "%s says at once that the service cannot start, with what that start has logged",
  async helper => {
    writeFileSync(join(folder, "ketbook.sqlite"), "this is no database, and too short to be one".repeat(100));
    writeFileSync(join(folder, "service.log"), "a line of another day\n");
    const failure = await script(`await ${helper}`).catch(String);
    expect(failure).toMatch(/did not start[\s\S]*service\.log[\s\S]*is damaged/);
    expect(failure).not.toContain("another day");
  },
);

test("a service that is stopped is said not to answer, with its process, and serves again once it is resumed", async () => {
  await script("await devices()");
  const { pid } = serviceOf(folder)!;
  process.kill(pid, "SIGSTOP");
  const started = performance.now();
  const failure = await script("await devices()").catch(String);
  expect(failure).toMatch(new RegExp(`does not answer\\. Its process ${pid} runs, but may be stopped`));
  expect(performance.now() - started).toBeLessThan(30_000);
  process.kill(pid, "SIGCONT");
  expect(await script("console.log((await devices()).length > 0)")).toBe("true");
  expect(serviceOf(folder)!.pid).toBe(pid);
}, 60_000);

test("a store of an older version is set aside, and the notebook starts with an empty one", async () => {
  const before = await script("console.log((await run(bell).shots(3)).job.qrn)");
  await endService(folder);
  const path = join(folder, "ketbook.sqlite");
  const inStore = (file: string, query: string) => {
    const database = new DatabaseSync(file);
    const row = database.prepare(query).get();
    database.close();
    return row;
  };
  inStore(path, "update store_version set version = 8");
  expect(await script("console.log((await run(bell).shots(3)).shots)")).toBe("3");
  const jobs = "select count(*) as jobs, min(qrn) as qrn from jobs";
  expect(inStore(path, jobs)?.jobs).toBe(1);
  const aside = join(folder, "version-8");
  expect(inStore(join(aside, "ketbook.sqlite"), jobs)).toEqual({ jobs: 1, qrn: before });
  expect(existsSync(join(aside, "owner.key"))).toBe(true);
  expect(readFileSync(join(folder, "service.log"), "utf8")).toContain(`It is in ${aside} now`);
});

test("SIGTERM ends the service and takes its file away", async () => {
  await script("await devices()");
  const service = serviceOf(folder)!;
  await endService(folder);
  expect(isAlive(service.pid)).toBe(false);
  expect(serviceOf(folder)).toBeUndefined();
});
