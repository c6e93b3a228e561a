import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, describe, expect, test, vi } from "vitest";
import { openClient } from "../../src/client/client.ts";
import { SERVICE_FILE } from "../../src/contract/local.ts";
import { localEndpoint } from "../../src/notebook/connection/local-service.ts";
import { entry } from "../service/process.ts";
import { endService, isAlive, serviceOf } from "./own-service.ts";

// Processes start at the same time, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const library = entry("index.ts", "index.js").href;
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) {
    await endService(folder);
    rmSync(folder, { recursive: true, force: true });
  }
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-local-"));
  folders.push(folder);
  return folder;
}

/** Runs a script as a notebook's process would: one of its own, in a data folder. */
async function scriptIn(folder: string, body: string): Promise<string> {
  const source = `import { run, job, devices, connect } from "${library}";
    const bell = 'OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;';
    ${body}`;
  const env = { ...process.env, KETBOOK_DATA: folder };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", source], {
    env,
  });
  return stdout.trim();
}

test.concurrent("two notebooks that start at the same moment end up with one service", async () => {
  const folder = newFolder();
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => scriptIn(folder, "console.log((await run(bell).shots(5).submit()).qrn)")),
  );
  const service = serviceOf(folder)!;
  const { jobs } = openClient(service);
  for (const qrn of answers) expect((await jobs.get(qrn)).jobQrn).toBe(qrn);
  expect(serviceOf(folder)).toEqual(service);
});

test.concurrent("helpers say at once that the service cannot start, with what that start has logged", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "ketbook.sqlite"), "this is no database, and too short to be one".repeat(100));
  writeFileSync(join(folder, "service.log"), "a line of another day\n");
  const helpers = ["devices()", "run(bell)", "run(bell).submit()", "job('x').result()"];
  const failures: string[] = JSON.parse(
    await scriptIn(
      folder,
      `const failing = [${helpers.map(helper => `${helper}.then(() => "done", String)`).join()}];
      console.log(JSON.stringify(await Promise.all(failing)))`,
    ),
  );
  expect(failures).toHaveLength(helpers.length);
  for (const [at, failure] of failures.entries()) {
    expect(failure, helpers[at]).toMatch(/did not start[\s\S]*service\.log[\s\S]*is damaged/);
    expect(failure, helpers[at]).not.toContain("another day");
  }
});

// Each test goes on with the service of the one before, if there is one, and with its jobs.
describe.concurrent("a local service in its life", () => {
  const folder = newFolder();
  const script = (body: string) => scriptIn(folder, body);
  const oneByOne = { concurrent: false };
  let qrn: string;

  test("a job outlives the process that submitted it", oneByOne, async () => {
    qrn = await script("console.log((await run(bell).shots(7).submit()).qrn); process.exit(0)");
    expect(await script(`console.log((await job("${qrn}").result()).shots)`)).toBe("7");
  });

  test("the service file and its folder are for their owner alone", oneByOne, async () => {
    await localEndpoint(folder);
    expect(statSync(join(folder, SERVICE_FILE)).mode & 0o777).toBe(0o600);
    expect(serviceOf(folder)!.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
  });

  test("a service that was killed is replaced, and knows the jobs of the one before", oneByOne, async () => {
    const before = serviceOf(folder)!;
    process.kill(before.pid, "SIGKILL");
    expect(await script(`console.log((await job("${qrn}").result()).shots)`)).toBe("7");
    expect(serviceOf(folder)!.pid).not.toBe(before.pid);
  });

  test("a notebook whose service ended in the meantime starts it again", oneByOne, async () => {
    const body = `await devices();
      const { pid } = JSON.parse((await import("node:fs")).readFileSync("${join(folder, SERVICE_FILE)}", "utf8"));
      process.kill(pid, "SIGKILL");
      await new Promise(gone => setTimeout(gone, 200));
      console.log((await run(bell).shots(4)).shots)`;
    expect(await script(body)).toBe("4");
  });

  test(
    "a service that is stopped is said not to answer, with its process, and serves again once it is resumed",
    oneByOne,
    async () => {
      await localEndpoint(folder);
      const { pid } = serviceOf(folder)!;
      process.kill(pid, "SIGSTOP");
      const started = performance.now();
      const failure = await script("await devices()").catch(String);
      expect(failure).toMatch(new RegExp(`does not answer\\. Its process ${pid} runs, but may be stopped`));
      expect(performance.now() - started).toBeLessThan(30_000);
      process.kill(pid, "SIGCONT");
      const client = openClient(await localEndpoint(folder));
      expect((await client.devices.list()).rows.length).toBeGreaterThan(0);
      expect(serviceOf(folder)!.pid).toBe(pid);
    },
  );

  test("SIGTERM ends the service and takes its file away", oneByOne, async () => {
    await localEndpoint(folder);
    const service = serviceOf(folder)!;
    await endService(folder);
    expect(isAlive(service.pid)).toBe(false);
    expect(serviceOf(folder)).toBeUndefined();
  });

  test(
    "a store of an older version is set aside, and the notebook starts with an empty one",
    oneByOne,
    async () => {
      const path = join(folder, "ketbook.sqlite");
      const inStore = (file: string, query: string) => {
        const database = new DatabaseSync(file);
        const row = database.prepare(query).get();
        database.close();
        return row;
      };
      const jobs = "select count(*) as jobs, min(qrn) as qrn from jobs";
      const before = inStore(path, jobs);
      expect(before?.jobs).toBe(2);
      inStore(path, "update store_version set version = 8");
      expect(await script("console.log((await run(bell).shots(3)).shots)")).toBe("3");
      expect(inStore(path, jobs)?.jobs).toBe(1);
      const aside = join(folder, "version-8");
      expect(inStore(join(aside, "ketbook.sqlite"), jobs)).toEqual(before);
      expect(existsSync(join(aside, "owner.key"))).toBe(true);
      expect(readFileSync(join(folder, "service.log"), "utf8")).toContain(`It is in ${aside} now`);
    },
  );
});
