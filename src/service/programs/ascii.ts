import { PROGRAM_FORMATS, type ProgramAscii } from "../../contract/program.ts";
import type { Caller } from "../accounts/caller.ts";
import { HttpError } from "../http-error.ts";
import { findJob } from "../jobs/find.ts";
import { compileOptionsOf, readPrograms } from "../jobs/programs.ts";
import type { Store } from "../store/store.ts";
import type { Printer } from "../workers/printer.ts";

const drawable: ReadonlySet<string> = new Set(PROGRAM_FORMATS);

/** Draws the circuits of a job as plain text; throws an HttpError (409) for what cannot be drawn. */
export async function drawPrograms(
  store: Store,
  printer: Printer,
  caller: Caller,
  qrn: string,
): Promise<ProgramAscii> {
  const row = await findJob(store, caller, qrn);
  const programs = await readPrograms(store, row);
  const other = programs.find(program => !drawable.has(program.format));
  if (other)
    throw new HttpError("PROGRAM_FORMAT_UNSUPPORTED", `A program in ${other.format} cannot be drawn.`);
  const outcome = await printer.print(
    { target: null, programs, compileOptions: compileOptionsOf(row), compiled: null },
    caller.userId,
  );
  if (outcome.kind === "failed") {
    throw new HttpError("PROGRAM_FORMAT_UNSUPPORTED", `The program cannot be drawn: ${outcome.message}`);
  }
  return { format: "ascii", circuits: outcome.texts.map((ascii, index) => ({ index, ascii })) };
}
