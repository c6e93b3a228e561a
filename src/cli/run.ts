import { mkdirSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { notebookText } from "../ipynb/index.ts";
import { explained } from "./explained.ts";
import { executeNotebook, firstLine, reportProgress } from "./ipynb/execute.ts";
import { KERNEL_NAMES, type KernelName } from "./ipynb/kernel-process.ts";
import { readNotebook, writeWhole } from "./ipynb/notebook-file.ts";

interface RunOptions {
  kernel: KernelName;
  output?: string;
  html?: string;
  timeout: number;
  allowErrors?: boolean;
}

const STOP_SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export function runCommand(): Command {
  return new Command("run")
    .description("execute a notebook, without Python or Jupyter")
    .argument("<notebook>", "the .ipynb file to execute")
    .option("-o, --output <file>", "executed notebook (default: NAME.executed.ipynb in the same folder)")
    .option("--html <file>", "write a self-contained HTML page too")
    .option("--timeout <seconds>", "longest time for one cell", seconds, 120)
    .option("--allow-errors", "continue after a cell that fails")
    .addOption(
      new Option("--kernel <name>", "the kernel to run it in").choices(KERNEL_NAMES).default("ketbook"),
    )
    .action((notebook: string, options: RunOptions) =>
      explained("run", async () => {
        process.exitCode = await run(notebook, options);
      }),
    );
}

async function run(path: string, options: RunOptions): Promise<number> {
  const notebook = readNotebook(path);
  const output = options.output ?? join(dirname(path), `${basename(path, extname(path))}.executed.ipynb`);
  for (const file of [output, options.html]) if (file) mkdirSync(dirname(file), { recursive: true });
  const started = performance.now();
  const stop = onStopSignal();
  const failure = await executeNotebook(notebook, {
    kernel: options.kernel,
    folder: resolve(dirname(path)),
    timeout: options.timeout * 1000,
    allowErrors: options.allowErrors ?? false,
    signal: stop.signal,
    progress: reportProgress(notebook),
  }).finally(stop.release);

  writeWhole(output, notebookText(notebook));
  if (options.html) {
    const { notebookPage } = await import("./ipynb/page.ts");
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const date = new Date().toISOString().slice(0, 16).replace("T", " ");
    const note = `${basename(path)} · executed ${date} UTC in ${seconds} s by Ketbook`;
    writeWhole(options.html, notebookPage(notebook, { name: basename(path), note }));
  }
  if (failure) {
    const { number, cell, error } = failure;
    process.stderr.write(`Cell ${number} failed (${firstLine(cell)})\n${error.ename}: ${error.evalue}\n`);
  }
  process.stdout.write(`Notebook: ${shortPath(output)}\n`);
  if (options.html) process.stdout.write(`Page:     ${shortPath(options.html)}\n`);
  return stop.exitCode() ?? (failure ? 1 : 0);
}

function shortPath(path: string): string {
  const fromHere = relative("", path);
  return fromHere.startsWith("..") ? resolve(path) : fromHere;
}

function onStopSignal(): { signal: AbortSignal; release(): void; exitCode(): number | undefined } {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const names = Object.keys(STOP_SIGNALS) as (keyof typeof STOP_SIGNALS)[];
  const stop = (name: keyof typeof STOP_SIGNALS) => {
    exitCode = STOP_SIGNALS[name];
    controller.abort(`The execution was ended by ${name}.`);
  };
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    release() {
      for (const name of names) process.off(name, stop);
    },
  };
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 86_400))
    throw new InvalidArgumentError("Give seconds, more than 0 and at most 86400.");
  return value;
}
