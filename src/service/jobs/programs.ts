import type { Program } from "../../contract/program.ts";
import type { InputValue, SourceProgram } from "../../simulation/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { JsonText } from "../json-text.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { findJob, readDocument } from "./find.ts";

/** Reads the submitted program, or programs. */
export async function readProgram(
  store: Store,
  caller: Caller,
  qrn: string,
): Promise<JsonText<Program | Program[]>> {
  const row = await findJob(store, caller, qrn);
  const text = (await readDocument(store, row, "programs")) ?? "[]";
  return new JsonText([row.is_batch ? text : text.slice(1, -1)]);
}

/** Reads the programs of a job, also of one. */
export async function readPrograms(store: Store, row: JobRow): Promise<SourceProgram[]> {
  return JSON.parse((await readDocument(store, row, "programs")) ?? "[]");
}

/** The values that a job gives to the `input` variables of its programs. */
export function inputsOf(row: JobRow): Record<string, InputValue> {
  return JSON.parse(row.options_json).inputs ?? {};
}

/** One program's worth of something, or that of every program of a batch. */
export function oneOrAll<T>(row: JobRow, all: T[]): T | T[] {
  const [first] = all;
  return row.is_batch || first === undefined ? all : first;
}
