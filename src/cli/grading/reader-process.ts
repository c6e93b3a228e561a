import { type ExecFileException, execFile } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { NotebookError } from "../../ipynb/index.ts";
import type { CourseOutline } from "./course-outline.ts";
import type { SandboxCell } from "./sandbox-messages.ts";

interface ReadSubmission {
  readonly kind: "done";
  /** Place of the notebook that it is a copy of, in the course. */
  readonly course: number;
  /** Places of the code cells that are as the course has them. */
  readonly unchanged: readonly number[];
  readonly cells: readonly SandboxCell[];
}

export type ReaderMessage =
  | { readonly kind: "starts" }
  | { readonly kind: "reads"; readonly cell: number }
  | { readonly kind: "refused"; readonly reason: string }
  | ReadSubmission;

const MAX_BYTES = 10_000_000;
const MAX_OUTPUT = 100_000_000;
const MAX_SECONDS = 60;
const MEGABYTES = 512;

/**
 * Reads and compiles a notebook in a separate process, whatever becomes of that. Returns why it can't be read, if so.
 * Throws a `NotebookError` if no notebook can be.
 */
export async function readSubmission(
  path: string,
  courses: readonly CourseOutline[],
): Promise<ReadSubmission | string> {
  const { size } = statSync(path);
  if (size > MAX_BYTES) return `It has ${size} bytes, at most ${MAX_BYTES}. Clear its outputs.`;
  const script = fileURLToPath(new URL("./grading-reader.js", import.meta.url));
  const reading = promisify(execFile)(process.execPath, [`--max-old-space-size=${MEGABYTES}`, script, path], {
    env: { PATH: process.env.PATH ?? "" },
    maxBuffer: MAX_OUTPUT,
    timeout: MAX_SECONDS * 1000,
    killSignal: "SIGKILL",
    windowsHide: true,
  });
  const { stdin } = reading.child;
  stdin?.on("error", () => undefined).end(JSON.stringify(courses));
  const { stdout, code, signal } = await reading
    .then(read => ({ ...read, code: 0, signal: null }))
    .catch((failed: ExecFileException & { stdout: string }) => failed);
  const lines = stdout.split("\n").slice(0, -1);
  const last = lines.length > 0 ? (JSON.parse(lines.at(-1)!) as ReaderMessage) : undefined;
  if (last?.kind === "done") return last;
  if (last?.kind === "refused") return last.reason;
  if (!last)
    throw new NotebookError(
      `The process that reads notebooks does not start (${signal ?? `exit code ${code}`}).`,
    );
  const where = last.kind === "reads" ? `Cell ${last.cell} ended` : "It ended";
  return `${where} the process that reads it (${signal ?? `exit code ${code}`}).`;
}
