import type { Program } from "../../contract/program.ts";
import type { Method } from "../../simulation/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { HttpError } from "../http-error.ts";
import { findJob, readDocument } from "../jobs/find.ts";
import { inputsOf, oneOrAll, readPrograms } from "../jobs/programs.ts";
import type { Store } from "../store/store.ts";
import type { Printer } from "../workers/printer.ts";

/**
 * Writes the program of a job, or the programs of a batch, as they were compiled for the device. They are compiled
 * again from what is kept, which gives the same text. Throws an HttpError (404) while the job is not COMPLETED.
 */
export async function compiledProgram(
  store: Store,
  printer: Printer,
  caller: Caller,
  qrn: string,
): Promise<Program | Program[]> {
  const row = await findJob(store, caller, qrn);
  if (row.status !== "COMPLETED") {
    throw new HttpError("NOT_FOUND", `The job has no compiled program: it is ${row.status}.`);
  }
  const methods: Method[] = JSON.parse((await readDocument(store, row, "methods")) ?? "[]");
  const programs = await readPrograms(store, row);
  const compiled = programs.map((_, index) => {
    const { name, reason } = methods[index] ?? { name: "unknown", reason: "" };
    return { method: name, reason };
  });
  const outcome = await printer.print({ programs, inputs: inputsOf(row), compiled }, caller.userId);
  if (outcome.kind === "failed") {
    throw new HttpError("NOT_FOUND", `The job has no compiled program: ${outcome.message}`);
  }
  return oneOrAll(
    row,
    outcome.texts.map(data => ({ format: "qasm3", data })),
  );
}
