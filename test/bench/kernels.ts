import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectKernel, type KernelClient } from "../../src/cli/ipynb/kernel-client.ts";
import { newConnection } from "../../src/cli/ipynb/kernel-process.ts";
import { type KernelName, kernelCommand } from "../../src/cli/ipynb/kernels.ts";
import { percentile, report } from "./measure.ts";

const root = join(import.meta.dirname, "../..");
const require = createRequire(import.meta.url);
const rounds = 7;
const laterCells = 20;

const contenders: readonly KernelName[] = ["tslab", "ketbook", "deno"];

const steps = ["start", "first cell", "start + first", "later cell", "completion", "inspection"] as const;
type Times = Record<(typeof steps)[number], number>;

/** How long the kernels take to start, to run cells, and to answer what an editor asks. */
export async function benchKernels(): Promise<void> {
  const times = new Map(contenders.map(name => [name, [] as Times[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const name of contenders) {
      const measured = await withKernel(name, session);
      if (round >= 0) times.get(name)!.push(measured);
    }
  }
  const median = (name: KernelName, step: keyof Times) =>
    percentile(
      times.get(name)!.map(each => each[step]),
      0.5,
    );
  report(`Notebook kernels, medians of ${rounds} in turn`, [
    ["", ...contenders],
    ...steps.map(step => [step, ...contenders.map(name => `${median(name, step).toFixed(1)} ms`)]),
  ]);
}

async function session(client: KernelClient, started: number): Promise<Times> {
  const since = (moment: number) => performance.now() - moment;
  await client.ready();
  const start = since(started);
  const timed = async (work: () => Promise<unknown>) => {
    const moment = performance.now();
    await work();
    return since(moment);
  };
  const run = (code: string) => timed(() => client.execute(code).done);
  const first = await run("const base = 41;\nconsole.log(base + 1);");
  const cells: number[] = [];
  for (let index = 0; index < laterCells; index += 1)
    cells.push(await run(`const value${index} = base + ${index};\nconsole.log(value${index});`));
  const code = "value1.toFix";
  const asked = async (type: string, cursor_pos: number) => {
    const moments: number[] = [];
    for (let index = 0; index < laterCells; index += 1)
      moments.push(await timed(() => client.ask(type, { code, cursor_pos, detail_level: 0 })));
    return percentile(moments, 0.5);
  };
  return {
    start,
    "first cell": first,
    "start + first": start + first,
    "later cell": percentile(cells, 0.5),
    completion: await asked("complete_request", code.length),
    inspection: await asked("inspect_request", 3),
  };
}

async function withKernel<T>(
  name: KernelName,
  use: (client: KernelClient, started: number) => Promise<T>,
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
    cwd: join(root, "notebooks"),
    stdio: "ignore",
    detached: true,
  });
  const ended = once(kernel, "exit");
  const client = connectKernel(require("zeromq"), connection, () => undefined);
  try {
    return await use(client, started);
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
