import type { Program } from "../../contract/program.ts";
import type { CompileOptions, SourceProgram } from "../../simulation/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { JsonText } from "../json-text.ts";
import { openDocument, readDocument } from "../store/documents.ts";
import type { JobRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { findJob } from "./find.ts";

/** Reads the submitted program, or programs. */
export async function readProgram(
  store: Store,
  caller: Caller,
  qrn: string,
): Promise<JsonText<Program | Program[]>> {
  const row = await findJob(store, caller, qrn);
  const pieces = (await openDocument(store, { jobSeq: row.seq, kind: "programs" })) ?? ["[]"];
  return new JsonText(row.is_batch ? pieces : withoutBrackets(pieces));
}

/** The only member of an array, as JSON text. */
async function* withoutBrackets(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let last: string | undefined;
  for await (const piece of pieces) {
    if (last !== undefined) yield last;
    last = last === undefined ? piece.slice(1) : piece;
  }
  if (last !== undefined) yield last.slice(0, -1);
}

/** Reads the programs of a job, also of one. */
export async function readPrograms(store: Store, row: JobRow): Promise<SourceProgram[]> {
  return JSON.parse((await readDocument(store, { jobSeq: row.seq, kind: "programs" })) ?? "[]");
}

/** Returns the options that the programs of a job are compiled with. */
export function compileOptionsOf(row: JobRow): CompileOptions {
  const { inputs = {}, observables = [] } = JSON.parse(row.options_json);
  return { inputs, measuresAll: row.shots > 0 && observables.length === 0 };
}

/** One program's worth of something, or that of every program of a batch. */
export function oneOrAll<T>(row: JobRow, all: T[]): T | T[] {
  const [first] = all;
  return row.is_batch || first === undefined ? all : first;
}
