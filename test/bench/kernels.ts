import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectKernel, type KernelClient } from "../../src/cli/ipynb/kernel.ts";
import { type KernelName, kernelCommand, newConnection } from "../../src/cli/ipynb/kernel-process.ts";
import { percentile, report } from "./measure.ts";

const root = join(import.meta.dirname, "../..");
const require = createRequire(import.meta.url);
const rounds = 3;
const asked = 20;
const cells = 300;
const constants = 5000;
const settleTime = 1500;
/** Time in which a kernel has to answer everything of one measurement. */
const timeLimit = 60_000;
const imports = [
  ["node:fs", "existsSync"],
  ["ketbook", "run"],
  ["effect", "Effect"],
  ["mathjs", "matrix"],
] as const;
/** Packages with many types, which no kernel knows before. They are installed outside of the repository. */
const typedPackages = ["effect@3", "mathjs@15"];

const contenders: readonly KernelName[] = ["tslab", "ketbook", "deno"];

const steps = [
  ...(["start", "first cell", "start + first", "10th cell", "200th cell", "300th cell"] as const),
  ...(["5,000 const", "first completion", "completion", "first inspection", "inspection"] as const),
  ...(["import node:fs", "import ketbook", "import effect", "import mathjs"] as const),
  ...(["memory at start", "memory after 300 cells"] as const),
] as const;
type Times = Record<(typeof steps)[number], number>;

/** Returns a folder in which typed packages are installed, beside this library. */
function installPackages(): string {
  const folder = join(tmpdir(), "ketbook-bench-packages");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...typedPackages], {
    cwd: folder,
    stdio: "ignore",
  });
  const library = join(folder, "node_modules", "ketbook");
  rmSync(library, { recursive: true, force: true });
  symlinkSync(root, library);
  return folder;
}

/**
 * How long the kernels take to start, to run cells, and to answer what an editor asks, and what memory they hold. A kernel
 * that does not answer in time is measured no further.
 */
export async function benchKernels(): Promise<void> {
  const folder = installPackages();
  const times = new Map(contenders.map(name => [name, [] as Partial<Times>[]]));
  const silent = new Set<KernelName>();
  for (let round = -1; round < rounds; round += 1) {
    for (const name of contenders) {
      if (silent.has(name)) continue;
      const measured: Partial<Times> = {};
      const measure = async (what: string, use: () => Promise<Partial<Times>>) => {
        if (silent.has(name)) return;
        try {
          Object.assign(measured, await use());
        } catch (error) {
          silent.add(name);
          process.stdout.write(`${name}, ${what}: ${(error as Error).message}\n`);
        }
      };
      await measure("session", () => withKernel(name, folder, session));
      for (const [module, value] of imports)
        await measure(`import ${module}`, async () => ({
          [`import ${module}`]: await withKernel(name, folder, firstImport(module, value)),
        }));
      if (round >= 0) times.get(name)!.push(measured);
    }
  }
  const shown = (name: KernelName, step: keyof Times) => {
    const known = times.get(name)!.flatMap(each => each[step] ?? []);
    const unit = step.startsWith("memory") ? "MB" : "ms";
    return known.length === 0 ? "–" : `${percentile(known, 0.5).toFixed(1)} ${unit}`;
  };
  report(`Notebook kernels, medians of ${rounds} interleaved`, [
    ["", ...contenders],
    ...steps.map(step => [step, ...contenders.map(name => shown(name, step))]),
  ]);
}

const since = (moment: number) => performance.now() - moment;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const moment = performance.now();
  await work();
  return since(moment);
}

/** The first cell of a kernel that has started, and imports something. */
function firstImport(module: string, name: string) {
  return async (client: KernelClient): Promise<number> => {
    await client.ready();
    await new Promise(done => setTimeout(done, settleTime));
    return timed(() => client.execute(`import { ${name} } from "${module}";\ntypeof ${name}`).done);
  };
}

async function session(client: KernelClient, started: number, pid: number): Promise<Partial<Times>> {
  await client.ready();
  const start = since(started);
  const run = (code: string) => timed(() => client.execute(code).done);
  const first = await run("const base = 41;\nconsole.log(base + 1);");
  await new Promise(done => setTimeout(done, settleTime));
  const memoryAtStart = memoryOf(pid);
  const later: number[] = [];
  for (let index = 0; index < cells; index += 1)
    later.push(await run(`const value${index} = base + ${index};\nconsole.log(value${index});`));
  const around = (at: number) => percentile(later.slice(at - 10, at + 10), 0.5);
  const code = "value1.toFix";
  const ask = async (type: string, cursor_pos: number) => {
    const moments: number[] = [];
    for (let index = 0; index <= asked; index += 1)
      moments.push(await timed(() => client.ask(type, { code, cursor_pos, detail_level: 0 })));
    return { first: moments[0]!, later: percentile(moments.slice(1), 0.5) };
  };
  const completion = await ask("complete_request", code.length);
  const inspection = await ask("inspect_request", 3);
  await new Promise(done => setTimeout(done, settleTime));
  const memoryAtEnd = memoryOf(pid);
  const long = Array.from({ length: constants }, (_, index) => `const c${index} = ${index};`).join("\n");
  return {
    start,
    "first cell": first,
    "start + first": start + first,
    "10th cell": around(10),
    "200th cell": around(200),
    "300th cell": around(290),
    "5,000 const": await run(long),
    "first completion": completion.first,
    completion: completion.later,
    "first inspection": inspection.first,
    inspection: inspection.later,
    "memory at start": memoryAtStart,
    "memory after 300 cells": memoryAtEnd,
  };
}

/** The resident memory of a process and of all that it has started, in megabytes. */
function memoryOf(pid: number): number {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,rss="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map(row => row.trim().split(/\s+/).map(Number) as [pid: number, parent: number, kilobytes: number]);
  const sum = (of: number): number =>
    rows.reduce(
      (total, [each, parent, kilobytes]) =>
        total + (each === of ? kilobytes : 0) + (parent === of ? sum(each) : 0),
      0,
    );
  return sum(pid) / 1024;
}

async function withKernel<T>(
  name: KernelName,
  home: string,
  use: (client: KernelClient, started: number, pid: number) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "ketbook-bench-"));
  const file = join(folder, "connection.json");
  const connection = await newConnection();
  writeFileSync(file, JSON.stringify({ ...connection, kernel_name: "bench" }));
  const [command = "", ...args] =
    name === "ketbook"
      ? [process.execPath, join(root, "dist/kernel.js"), "--connection", file]
      : kernelCommand(name, { connectionFile: file, folder: root });
  const started = performance.now();
  const kernel = spawn(command, args, {
    cwd: home,
    stdio: "ignore",
    detached: true,
  });
  const ended = once(kernel, "exit");
  const client = connectKernel(require("zeromq"), connection, () => undefined);
  const late = AbortSignal.timeout(timeLimit);
  try {
    return await Promise.race([
      use(client, started, kernel.pid!),
      once(late, "abort").then(() => Promise.reject(new Error(`no answer in ${timeLimit / 1000} s`))),
    ]);
  } finally {
    client.shutdown();
    await Promise.race([ended, new Promise(done => setTimeout(done, 1500))]);
    client.close();
    end(kernel);
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

function end(kernel: ChildProcess): void {
  try {
    process.kill(-kernel.pid!, "SIGKILL");
  } catch {
    // It has ended, with everything that it had started.
  }
}
