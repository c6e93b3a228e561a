import type { Program } from "../../contract/program.ts";
import type { RuntimeResult } from "../../contract/result.ts";
import type { Caller } from "../accounts/caller.ts";
import { toCredits } from "../billing/credits.ts";
import { splitAmount } from "../billing/program-costs.ts";
import { HttpError } from "../http-error.ts";
import { JsonText } from "../json-text.ts";
import type { DocumentKind, JobRow, ProgramCosts } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { findJob, readDocument } from "./find.ts";
import { timesOf } from "./record.ts";

/** Results as JSON, in pieces. */
interface ResultText extends JsonText<RuntimeResult | RuntimeResult[]> {
  readonly pieces: Iterable<string>;
}

/** Reads the result of a job, or one a program of a batch; throws an HttpError (404) while the job is not COMPLETED. */
export async function readResult(store: Store, caller: Caller, qrn: string): Promise<ResultText> {
  const row = await findJob(store, caller, qrn);
  const body = row.status === "COMPLETED" ? await readDocument(store, row, "results") : undefined;
  if (body === undefined) {
    const why = row.status === "FAILED" ? ` ${row.status_msg}` : "";
    throw new HttpError("RESULT_NOT_FOUND", `The job has no result: it is ${row.status}.${why}`);
  }
  const costs = row.is_batch ? await readDocument(store, row, "costs") : undefined;
  return new JsonText(resultPieces(row, body, costsOf(row, costs))) as ResultText;
}

/** Characters of results that fit into a list of records. */
const SHORT_LENGTH = 64 * 1024;

/** What belongs to a job besides its row. */
export interface JobContents {
  programs: Program[];
  /** One a program; none while there are none, and where they are long. */
  results: RuntimeResult[];
}

/** Reads the programs and short results of several jobs together, in the order of their rows. */
export async function readContents(store: Store, rows: readonly JobRow[]): Promise<JobContents[]> {
  if (rows.length === 0) return [];
  const documents = await store
    .selectFrom("job_documents")
    .select(["job_seq", "kind", "body"])
    .where(
      "job_seq",
      "in",
      rows.map(({ seq }) => seq),
    )
    .where(eb =>
      eb.or([
        eb("kind", "in", ["programs", "costs"]),
        eb.and([eb("kind", "=", "results"), eb(eb.fn<number>("length", ["body"]), "<=", SHORT_LENGTH)]),
      ]),
    )
    .execute();
  const bodies = new Map(documents.map(({ job_seq, kind, body }) => [`${job_seq} ${kind}`, body]));
  return rows.map(row => {
    const of = (kind: DocumentKind) => bodies.get(`${row.seq} ${kind}`);
    const results = row.status === "COMPLETED" ? of("results") : undefined;
    return {
      programs: JSON.parse(of("programs") ?? "[]"),
      results:
        results === undefined
          ? []
          : [JSON.parse([...resultPieces(row, results, costsOf(row, of("costs")))].join(""))].flat(),
    };
  });
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
function costsOf(row: JobRow, document: string | undefined): ProgramCosts {
  if (document !== undefined) return JSON.parse(document);
  return { costs: splitAmount(row.cost ?? 0, Array(row.programs).fill(1)), durations: [] };
}
