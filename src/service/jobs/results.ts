import type { RuntimeResult } from "../../contract/result.ts";
import type { Caller } from "../accounts/caller.ts";
import { toCredits } from "../billing/credits.ts";
import { splitAmount } from "../billing/program-costs.ts";
import { HttpError } from "../http-error.ts";
import { JsonText } from "../json-text.ts";
import type { JobRow, ProgramCosts } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { findJob, readDocument } from "./find.ts";
import { timesOf } from "./record.ts";

/** Results as JSON, in pieces. */
interface ResultText extends JsonText<RuntimeResult | RuntimeResult[]> {
  readonly pieces: Iterable<string>;
}

/** Reads the result of a job, or one a program of a batch; refuses while the job is not COMPLETED. */
export async function readResult(store: Store, caller: Caller, qrn: string): Promise<ResultText> {
  const row = await findJob(store, caller, qrn);
  const body = row.status === "COMPLETED" ? await readDocument(store, row, "results") : undefined;
  if (body === undefined) {
    const why = row.status === "FAILED" ? ` ${row.status_msg}` : "";
    throw new HttpError("RESULT_NOT_FOUND", `The job has no result: it is ${row.status}.${why}`);
  }
  return new JsonText(resultPieces(row, body, await readCosts(store, row))) as ResultText;
}

/** Characters of results that fit into a list of records. */
const SHORT_LENGTH = 64 * 1024;

/** Whether a job has results that are short enough to be part of its record. */
export async function isShortResult(store: Store, row: JobRow): Promise<boolean> {
  const found = await store
    .selectFrom("job_documents")
    .select(eb => eb.fn<number>("length", ["body"]).as("length"))
    .where("job_seq", "=", row.seq)
    .where("kind", "=", "results")
    .executeTakeFirst();
  return found !== undefined && found.length <= SHORT_LENGTH;
}

function* resultPieces(row: JobRow, document: string, { costs, durations }: ProgramCosts): Generator<string> {
  const times = timesOf(row);
  const body = document.startsWith("[") ? splitArray(document) : document;
  if (row.is_batch) yield "[";
  for (let [index, start] = [0, 0]; start <= body.length; index += 1) {
    const line = body.indexOf("\n", start);
    const end = line < 0 ? body.length : line;
    const microseconds = durations[index];
    const record = JSON.stringify({
      status: row.status,
      cost: toCredits(costs[index] ?? 0),
      timeStamps: microseconds === undefined ? times : { ...times, executionDuration: microseconds / 1000 },
    });
    yield `${index > 0 ? "," : ""}${record.slice(0, -1)},"resultData":`;
    yield body.slice(start, end);
    yield "}";
    start = end + 1;
  }
  if (row.is_batch) yield "]";
}

/** The results of a job as lines; the first version of the store had them as one array. */
const splitArray = (document: string) =>
  (JSON.parse(document) as unknown[]).map(each => JSON.stringify(each)).join("\n");

/** What each program of a job cost and took; of an older batch, equal parts of the cost. */
async function readCosts(store: Store, row: JobRow): Promise<ProgramCosts> {
  const document = row.is_batch ? await readDocument(store, row, "costs") : undefined;
  if (document !== undefined) return JSON.parse(document);
  return { costs: splitAmount(row.cost ?? 0, Array(row.programs).fill(1)), durations: [] };
}
