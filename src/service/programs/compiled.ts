import type { Program } from "../../contract/program.ts";
import type { Method } from "../../simulation/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { readCalibration } from "../catalogue/calibrations.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { HttpError } from "../http-error.ts";
import { findJob } from "../jobs/find.ts";
import { compileOptionsOf, oneOrAll, readPrograms } from "../jobs/programs.ts";
import { readDocument } from "../store/documents.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { TargetTask } from "../workers/messages.ts";
import type { Printer } from "../workers/printer.ts";
import { targetTaskOf } from "../workers/run-task.ts";

/** Returns what the programs of a job were transpiled for, under the calibration that it ran under. */
async function targetTaskOfJob(catalogue: Catalogue, row: JobRow): Promise<TargetTask | null> {
  const device = catalogue.get(row.device_qrn);
  const { calibration } = JSON.parse(row.provenance_json ?? "{}");
  if (!device || !calibration) return null;
  const known = await readCalibration(device, Date.parse(calibration.lastCalibrated));
  return targetTaskOf(device, known, JSON.parse(row.options_json));
}

/**
 * Writes the program of a job, or the programs of a batch, as they were compiled for the device. They are compiled
 * again from what is kept, which gives the same text. Throws an HttpError (404) while the job is not COMPLETED.
 */
export async function compiledProgram(
  { store, catalogue }: { store: Store; catalogue: Catalogue },
  printer: Printer,
  caller: Caller,
  qrn: string,
): Promise<Program | Program[]> {
  const row = await findJob(store, caller, qrn);
  if (row.status !== "COMPLETED") {
    throw new HttpError("NOT_FOUND", `The job has no compiled program: it is ${row.status}.`);
  }
  const methods: Method[] = JSON.parse(
    (await readDocument(store, { jobSeq: row.seq, kind: "methods" })) ?? "[]",
  );
  const programs = await readPrograms(store, row);
  const compiled = programs.map((_, index) => {
    const { name, reason } = methods[index] ?? { name: "unknown", reason: "" };
    return { method: name, reason };
  });
  const target = await targetTaskOfJob(catalogue, row);
  const outcome = await printer.print(
    { target, programs, compileOptions: compileOptionsOf(row), compiled },
    caller.userId,
  );
  if (outcome.kind === "failed") {
    throw new HttpError("NOT_FOUND", `The job has no compiled program: ${outcome.message}`);
  }
  return oneOrAll(
    row,
    outcome.texts.map(data => ({ format: "qasm3", data })),
  );
}
