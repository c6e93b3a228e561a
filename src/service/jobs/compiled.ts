import type { Program } from "../../contract/program.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Caller } from "../context.ts";
import type { WorkerPool } from "../dispatch/pool.ts";
import { Refusal } from "../refusal.ts";
import type { Store } from "../store/store.ts";
import { findJob } from "./find.ts";
import { inputsOf, oneOrAll, readPrograms } from "./results.ts";

/**
 * Writes the program of a job, or the programs of a batch, as they were compiled for the device. They are compiled
 * again from what is kept, which gives the same text. Refuses with 404 while the job is not COMPLETED.
 */
export async function compiledProgram(
  { store, catalogue }: { store: Store; catalogue: Catalogue },
  pool: WorkerPool,
  caller: Caller,
  qrn: string,
): Promise<Program | Program[]> {
  const row = await findJob(store, caller, qrn);
  if (row.status !== "COMPLETED") {
    throw new Refusal("NOT_FOUND", `The job has no compiled program: it is ${row.status}.`);
  }
  const engine = catalogue.get(row.device_qrn)?.engine;
  const compiled =
    engine === "emulator"
      ? { method: "noisy trajectories", reason: "the device is emulated by its calibration" }
      : { method: engine ?? "unknown" };
  const outcome = await pool.print({
    programs: await readPrograms(store, row),
    inputs: inputsOf(row),
    compiled,
  });
  if (outcome.kind === "failed") {
    throw new Refusal("NOT_FOUND", `The job has no compiled program: ${outcome.message}`);
  }
  return oneOrAll(
    row,
    outcome.texts.map(data => ({ format: "qasm3", data })),
  );
}
