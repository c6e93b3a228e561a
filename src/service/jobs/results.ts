import type { Program } from "../../contract/program.ts";
import type { RuntimeResult } from "../../contract/result.ts";
import type { SourceProgram } from "../../simulation/index.ts";
import { toCredits } from "../billing/credits.ts";
import { splitAmount } from "../billing/program-costs.ts";
import type { Caller } from "../context.ts";
import type { Inputs } from "../dispatch/messages.ts";
import { JsonText } from "../json-text.ts";
import { Refusal } from "../refusal.ts";
import type { JobRow, ProgramCosts } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { findJob, readDocument } from "./find.ts";
import { timesOf } from "./record.ts";

/** Reads the result of a job, or one a program of a batch; refuses while the job is not COMPLETED. */
export async function readResult(
  store: Store,
  caller: Caller,
  qrn: string,
): Promise<JsonText<RuntimeResult | RuntimeResult[]>> {
  const row = await findJob(store, caller, qrn);
  const body = row.status === "COMPLETED" ? await readDocument(store, row, "results") : undefined;
  if (body === undefined) {
    const why = row.status === "FAILED" ? ` ${row.status_msg}` : "";
    throw new Refusal("RESULT_NOT_FOUND", `The job has no result: it is ${row.status}.${why}`);
  }
  const { status } = row;
  const { costs, durations } = await readCosts(store, row);
  const times = timesOf(row);
  const results = body.split("\n").map((resultData, index) => {
    const microseconds = durations[index];
    const record = JSON.stringify({
      status,
      cost: toCredits(costs[index] ?? 0),
      timeStamps: microseconds === undefined ? times : { ...times, executionDuration: microseconds / 1000 },
    });
    return `${record.slice(0, -1)},"resultData":${resultData}}`;
  });
  return new JsonText(row.is_batch ? `[${results.join(",")}]` : results.join());
}

/** What each program of a job cost and took; of an older batch, equal parts of the cost. */
async function readCosts(store: Store, row: JobRow): Promise<ProgramCosts> {
  const document = row.is_batch ? await readDocument(store, row, "costs") : undefined;
  if (document !== undefined) return JSON.parse(document);
  return { costs: splitAmount(row.cost ?? 0, Array(row.programs).fill(1)), durations: [] };
}

/** Reads the submitted program, or programs. */
export async function readProgram(store: Store, caller: Caller, qrn: string): Promise<Program | Program[]> {
  const row = await findJob(store, caller, qrn);
  return oneOrAll(row, await readPrograms(store, row));
}

/** Reads the programs of a job, also of one. */
export async function readPrograms(store: Store, row: JobRow): Promise<SourceProgram[]> {
  return JSON.parse((await readDocument(store, row, "programs")) ?? "[]");
}

/** The values that a job gives to the `input` variables of its programs. */
export function inputsOf(row: JobRow): Inputs {
  return JSON.parse(row.options_json).inputs ?? {};
}

/** One program's worth of something, or that of every program of a batch. */
export function oneOrAll<T>(row: JobRow, all: T[]): T | T[] {
  const [first] = all;
  return row.is_batch || first === undefined ? all : first;
}
