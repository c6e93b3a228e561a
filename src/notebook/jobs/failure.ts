import { KetbookError } from "../../client/index.ts";
import type { RecordedProgram, RuntimeJob } from "../../contract/index.ts";
import { textOf } from "../programs/program-text.ts";

/** A job ended without a result: it failed, was cancelled, or ended in a way that nobody documented. */
export class JobError extends KetbookError {
  /** @internal */ override name = "JobError";
  /** Resource name of the job. */
  readonly jobQrn: string;
  /** Status that the job ended in. */
  readonly status: RuntimeJob["status"];
  /** Explanation of the service, such as `3:7: unknown gate "hh"`. */
  readonly reason: string | null;

  /** @internal */
  constructor(job: RuntimeJob, programs: readonly RecordedProgram[] = []) {
    const reason = job.statusMsg ?? "the service does not say why";
    super(`The job ended ${job.status}: ${reason}${pointAt(job.statusMsg, programs)}\n(${job.jobQrn})`);
    this.jobQrn = job.jobQrn;
    this.status = job.status;
    this.reason = job.statusMsg;
  }
}

/** A program does not compile. Nothing was submitted. */
export class CompileError extends KetbookError {
  /** @internal */ override name = "CompileError";
  /** The first mistake and its place, such as `3:7: There is no gate hh.`; in a batch after `program 1: `. */
  readonly reason: string;

  /** @internal */
  constructor(reason: string, programs: readonly RecordedProgram[], cause: unknown) {
    super(`The program does not compile: ${reason}${pointAt(reason, programs)}\nNothing was submitted.`, {
      cause,
    });
    this.reason = reason;
  }
}

/** The program's line that a message `line:column: …` or `file:line:column: …` speaks of, with a caret under the place. */
function pointAt(reason: string | null, programs: readonly RecordedProgram[]): string {
  const place = /^(?:program (?<index>\d+): )?(?:(?<file>[^\n]{1,255}?):)?(?<line>\d+):(?<column>\d+):/.exec(
    reason ?? "",
  )?.groups;
  const { index = "0", file, line = "", column = "" } = place ?? {};
  const program = programs[Number(index)];
  const source = file === undefined ? program && textOf(program.data) : program?.files?.[file];
  const text = source?.split("\n")[Number(line) - 1];
  if (text === undefined) return "";
  return `\n\n  ${line} | ${text}\n  ${" ".repeat(line.length)} | ${" ".repeat(Number(column) - 1)}^`;
}
