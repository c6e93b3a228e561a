import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { ILanguageInfoMetadata, INotebookMetadata } from "@jupyterlab/nbformat";
import { clip } from "../../display/index.ts";
import {
  type CellOutputs,
  type CodeCell,
  collectOutputs,
  type ErrorOutput,
  isJavaScript,
  type Notebook,
  type Outputs,
} from "../../ipynb/index.ts";
import { eraseLine, rewriteLine } from "../../kernels/index.ts";
import { type Kernel, startKernel } from "./kernel.ts";
import type { KernelName } from "./kernel-process.ts";

interface ExecuteOptions {
  /** Default Ketbook's own. */
  kernel?: KernelName | undefined;
  /** The folder that the cells work in. */
  folder: string;
  /** Longest time for one cell, in milliseconds. Default 120,000. */
  timeout?: number;
  /** Continues after a cell that fails, as it does for one cell with the tag `raises-exception`. Default false. */
  allowErrors?: boolean;
  /** Ends the execution early; its reason says why. */
  signal?: AbortSignal;
  progress?: Progress;
}

/** Hears how far an execution has come. Cells are counted from 1, those without program left out. */
interface Progress {
  begin(cell: CodeCell, number: number, total: number): void;
  end(cell: CodeCell, failed: boolean): void;
}

interface Failure {
  /** Number of the cell, counted as in {@link Progress}. */
  number: number;
  cell: CodeCell;
  error: ErrorOutput;
}

const MAX_CELL_BYTES = 20_000_000;
const PENDING_TIMEOUT_MS = 10_000;
const LATE_OUTPUT_TIMEOUT_MS = 1_000;
const QUIET_PERIOD_MS = 100;
const MAX_ABORT_RETRIES = 20;

/**
 * Executes a notebook's cells in order through a kernel and fills in their outputs in place. Returns the
 * cell that ended it, if one did; the cells before it are complete then, and those after it untouched.
 */
export async function executeNotebook(
  notebook: Notebook,
  { kernel: name, folder, timeout = 120_000, allowErrors = false, signal, progress }: ExecuteOptions,
): Promise<Failure | undefined> {
  const outputs = collectOutputs(MAX_CELL_BYTES);
  let lastHeard = performance.now();
  const kernel = await startKernel({
    kernel: name,
    folder,
    javascript: isJavaScript(notebook),
    signal,
    onOutput(message) {
      lastHeard = performance.now();
      outputs.take(message);
    },
  });
  try {
    notebook.metadata = { ...notebook.metadata, ...languageMetadata(notebook, kernel) };
    const code = notebook.cells.filter(cell => cell.cell_type === "code");
    const cells = code.filter(({ source }) => source.trim() !== "");
    for (const [index, cell] of cells.entries()) {
      progress?.begin(cell, index + 1, cells.length);
      const { error, final } = await executeCell(kernel, outputs, cell, { timeout, signal });
      progress?.end(cell, error !== undefined);
      if (error === undefined || (!final && (allowErrors || allowsErrors(cell)))) continue;
      return { number: index + 1, cell, error };
    }
    return undefined;
  } finally {
    await lateOutputs(kernel, outputs, () => performance.now() - lastHeard, signal);
    await kernel.stop();
    outputs.finish();
  }
}

/** Executes a cell. `final` says that the execution itself is over, whatever may be tolerated. */
async function executeCell(
  kernel: Kernel,
  outputs: Outputs,
  cell: CodeCell,
  limits: { timeout: number; signal: AbortSignal | undefined },
): Promise<{ error?: ErrorOutput; final?: boolean }> {
  const done = new AbortController();
  const stopped = untilStopped(kernel, limits, done.signal);
  try {
    for (let attempt = 0; ; attempt += 1) {
      const request = kernel.execute(cell.source);
      const collected = outputs.open(request.id);
      cell.outputs = collected.outputs;
      const reply = await Promise.race([request.done, stopped]);
      if (reply instanceof Stop) {
        cell.outputs.push(reply.error);
        kernel.kill();
        return { error: reply.error, final: true };
      }
      if (reply.status === "abort" && attempt < MAX_ABORT_RETRIES) {
        await sleep(50);
        continue;
      }
      cell.execution_count = typeof reply.execution_count === "number" ? reply.execution_count : null;
      return reply.status === "ok" ? {} : { error: takeFailure(collected) };
    }
  } finally {
    done.abort();
  }
}

class Stop {
  readonly error: ErrorOutput;

  constructor(ename: string, evalue: string) {
    this.error = { output_type: "error", ename, evalue, traceback: [`${ename}: ${evalue}`] };
  }
}

function untilStopped(
  kernel: Kernel,
  { timeout, signal }: { timeout: number; signal: AbortSignal | undefined },
  done: AbortSignal,
): Promise<Stop> {
  return new Promise(resolve => {
    const late = `The cell ran longer than ${timeout / 1000} s and was ended.`;
    const timer = setTimeout(() => resolve(new Stop("CellTimeout", late)), timeout);
    const interrupt = () => resolve(new Stop("Interrupted", String(signal?.reason)));
    done.addEventListener("abort", () => clearTimeout(timer));
    signal?.addEventListener("abort", interrupt, { signal: done });
    if (signal?.aborted) interrupt();
    void kernel.ended.then(how =>
      resolve(new Stop("KernelEnded", `The kernel ended while this cell ran (${how}).`)),
    );
  });
}

async function lateOutputs(
  kernel: Kernel,
  outputs: Outputs,
  silence: () => number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const since = performance.now();
  let ended = false;
  void kernel.ended.then(() => {
    ended = true;
  });
  for (;;) {
    await sleep(20);
    const waited = performance.now() - since;
    const expected = outputs.pending()
      ? waited < PENDING_TIMEOUT_MS
      : silence() < QUIET_PERIOD_MS && waited < LATE_OUTPUT_TIMEOUT_MS;
    if (ended || signal?.aborted || !expected) return;
  }
}

function allowsErrors(cell: CodeCell): boolean {
  return Array.isArray(cell.metadata.tags) && cell.metadata.tags.includes("raises-exception");
}

function languageMetadata(notebook: Notebook, kernel: Kernel): INotebookMetadata {
  const javascript = isJavaScript(notebook);
  const kernelspec = javascript
    ? { name: "ketbook-js", display_name: "JavaScript (Ketbook)", language: "javascript" }
    : { name: "ketbook", display_name: "TypeScript (Ketbook)", language: "typescript" };
  return {
    kernelspec: notebook.metadata.kernelspec ?? kernelspec,
    language_info: notebook.metadata.language_info ?? (kernel.info.language_info as ILanguageInfoMetadata),
  };
}

const DIAGNOSTIC = /^(?:\S+ )?\d+:\d+ - /;
const KERNEL_FRAME =
  /\((?:node:[^)]*|[^)]*[\\/]tslab[\\/]dist[\\/][^)]*)\)|^\s*at (?:async )?(?:node:|[^( ]*[\\/]tslab[\\/]dist[\\/])/;
const SOURCE_EXCERPT =
  /^(?:evalmachine\.<anonymous>|<anonymous_script>|node:[\w/]+|(?:file:\/\/|\/|[A-Z]:\\)[^\n]*):\d+\n[\s\S]*?\n\n(?=\S)/;
const FRAME = /^\s+at /;
const CELL_POSITION = /evalmachine\.<anonymous>:\d+:\d+/g;
const HEADING = /^(?:Uncaught )?([A-Za-z_$][\w$]*(?: \[[\w$]+\])?)(?:: ([\s\S]*))?$/;

/**
 * Turns the text that tslab prints for a failing cell into an error, and takes that text out of the cell's
 * outputs. tslab sends no error message: the last lines of its standard error describe the failure.
 */
function takeFailure(cell: CellOutputs): ErrorOutput {
  const sent = cell.outputs.findLast(output => output.output_type === "error");
  if (sent) return sent;
  const diagnostics = trailingDiagnostics(cell.errorTexts);
  const texts = diagnostics.length > 0 ? diagnostics : cell.errorTexts.slice(-1);
  removeFromEnd(cell, texts.join(""));
  const error = diagnostics.length > 0 ? compileError(diagnostics) : thrownError(texts[0] ?? "");
  cell.outputs.push(error);
  return error;
}

function trailingDiagnostics(texts: readonly string[]): string[] {
  const start = texts.findLastIndex(text => !DIAGNOSTIC.test(text)) + 1;
  return texts.slice(start);
}

function removeFromEnd(cell: CellOutputs, text: string): void {
  const index = cell.outputs.findLastIndex(
    output => output.output_type === "stream" && output.name === "stderr",
  );
  const output = cell.outputs[index];
  if (output?.output_type !== "stream" || !output.text.endsWith(text)) return;
  output.text = output.text.slice(0, output.text.length - text.length);
  if (output.text === "") cell.outputs.splice(index, 1);
}

function compileError(diagnostics: string[]): ErrorOutput {
  const traceback = diagnostics.map(text => `line ${text.trimEnd()}`);
  const more = traceback.length > 1 ? ` (and ${traceback.length - 1} more)` : "";
  return { output_type: "error", ename: "TypeScriptError", evalue: `${traceback[0]}${more}`, traceback };
}

function thrownError(printed: string): ErrorOutput {
  const lines = stripVTControlCharacters(printed).replace(SOURCE_EXCERPT, "").trimEnd().split("\n");
  const firstFrame = lines.findIndex(line => FRAME.test(line));
  const heading = lines.slice(0, firstFrame < 0 ? undefined : firstFrame).join("\n");
  const [, ename = "Error", evalue = ""] = (firstFrame >= 0 && HEADING.exec(heading)) || [
    heading,
    "Error",
    heading,
  ];
  const traceback = lines
    .filter(line => !KERNEL_FRAME.test(line))
    .map(line => line.replace(CELL_POSITION, "cell"))
    .filter((line, index, all) => line.trim() !== "at cell" || line !== all[index - 1]);
  return { output_type: "error", ename, evalue, traceback };
}

const REDRAW_INTERVAL_MS = 100;
const MAX_TITLE_LENGTH = 60;

/**
 * Writes to standard output how an execution goes, one line a cell. In a terminal the line of the running cell counts
 * the seconds. The execution continues when nobody reads any more.
 */
export function reportProgress(notebook: Notebook): Progress {
  const live = process.stdout.isTTY;
  let line = "";
  let since = 0;
  let ticking: NodeJS.Timeout | undefined;
  process.stdout.on("error", () => undefined);
  const elapsed = () => `${((performance.now() - since) / 1000).toFixed(1)} s`;

  return {
    begin(cell, number, total) {
      line = `[${String(number).padStart(String(total).length)}/${total}] ${cellTitle(notebook, cell)}`;
      since = performance.now();
      if (live) ticking = setInterval(() => rewriteLine(`${line} … ${elapsed()}`), REDRAW_INTERVAL_MS);
    },
    end(_cell, failed) {
      clearInterval(ticking);
      if (live) eraseLine();
      process.stdout.write(`${line} … ${failed ? "failed after " : ""}${elapsed()}\n`);
    },
  };
}

/** Returns a cell's title: the heading right above it, or its first line. */
function cellTitle(notebook: Notebook, cell: CodeCell): string {
  const above = notebook.cells[notebook.cells.indexOf(cell) - 1];
  const heading =
    above?.cell_type === "markdown" ? [...above.source.matchAll(/^#{1,6}\s+(.+)$/gm)].at(-1)?.[1] : undefined;
  return titleIn((heading ?? firstLine(cell)).replace(/[`*_]/g, ""));
}

export function firstLine(cell: CodeCell): string {
  const [first = ""] = cell.source.trim().split("\n", 1);
  return titleIn(first.replace(/^\/\/\s*/, ""));
}

const titleIn = (text: string) => clip(text.replace(/\p{Cc}/gu, " "), MAX_TITLE_LENGTH);
