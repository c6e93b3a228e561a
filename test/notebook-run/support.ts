import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { newFolder } from "../folder.ts";
import { command } from "../service/process.ts";

/** A cell of a notebook file, and what it holds after an execution. */
export interface FileCell {
  id: string;
  cell_type: string;
  source: string[];
  metadata: Record<string, unknown>;
  execution_count: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at outputs of every kind.
  outputs: any[];
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Absolute path of a source file, as a string literal for a cell. */
export function sourceFile(path: string): string {
  return JSON.stringify(fileURLToPath(new URL(`../../src/${path}`, import.meta.url)));
}

/** A code cell. */
export function code(source: string, metadata: object = {}): object {
  return { cell_type: "code", metadata, source, outputs: [], execution_count: null };
}

/** A Markdown cell. */
export function prose(source: string): object {
  return { cell_type: "markdown", metadata: {}, source };
}

/** The text of a notebook file. */
export function notebookFile(...cells: object[]): string {
  return JSON.stringify({ nbformat: 4, nbformat_minor: 4, metadata: {}, cells });
}

/** Program for a cell: an object that shows itself. */
export function displayable(bundle: string): string {
  return `({ [Symbol.for("Jupyter.display")]: () => (${bundle}) })`;
}

/** A notebook in a folder of its own, ready to be run by `ketbook run`. */
export function workspace(text: string) {
  const folder = newFolder();
  const notebook = join(folder, "test.ipynb");
  const output = join(folder, "out", "done.ipynb");
  const page = join(folder, "out", "done.html");
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  writeFileSync(notebook, text);
  return {
    folder,
    start: (...options: string[]) =>
      startCli(["run", notebook, "--output", output, "--html", page, ...options], { TMPDIR: temporary }),
    run: (...options: string[]) =>
      finished(
        startCli(["run", notebook, "--output", output, "--html", page, ...options], { TMPDIR: temporary }),
      ),
    cells: () => JSON.parse(readFileSync(output, "utf8")).cells as FileCell[],
    file: () => JSON.parse(readFileSync(output, "utf8")),
    page: () => readFileSync(page, "utf8"),
    temporaryFiles: () => readdirSync(temporary),
  };
}

/** Starts Ketbook's command line as a process. */
export function startCli(args: string[], env: NodeJS.ProcessEnv = {}, cwd?: string): ChildProcess {
  return spawn(process.execPath, [...command, ...args], { env: { ...process.env, ...env }, cwd });
}

/** Waits until a process has ended, with what it wrote. */
export function finished(child: ChildProcess): Promise<Finished> {
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", data => {
    stdout += data;
  });
  child.stderr?.on("data", data => {
    stderr += data;
  });
  return new Promise(resolve => child.once("close", code => resolve({ code, stdout, stderr })));
}

/** Waits until a process has gone; false when it stays for 5 s. */
export async function hasGone(pid: number): Promise<boolean> {
  for (let waited = 0; waited < 5000; waited += 50) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await sleep(50);
  }
  return false;
}

/** Waits until a file is there, and returns what it says. */
export async function whenWritten(path: string): Promise<string> {
  for (let waited = 0; waited < 20_000; waited += 50) {
    try {
      const text = readFileSync(path, "utf8");
      if (text !== "") return text;
    } catch {
      // It is not there yet.
    }
    await sleep(50);
  }
  throw new Error(`${path} was never written`);
}
