import {
  type MemoryReader,
  type Program,
  type ResultData,
  type RuntimeResult,
  readMeasurements,
  toBits,
  unpackCounts,
} from "../../contract/index.ts";
import type { CompileOptions, SourceProgram } from "../../simulation/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { toCredits } from "../billing/price.ts";
import { HttpError } from "../http-error.ts";
import { JsonText, openDocument, PART_LENGTH, readDocument } from "../store/documents.ts";
import type { DocumentKind, JobRow, ProgramCosts } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { findJob, timesOf, toMilliseconds } from "./record.ts";

interface ReadResultOptions {
  /** Whether counts and memories may stay packed. Default: false. */
  packed?: boolean;
}

/**
 * Opens the results of a job, to be read piece by piece: the `ResultData` of each program as JSON, one per line; pieces may
 * end within a line. Throws an HttpError (404) while the job is not COMPLETED.
 */
export async function openResults(
  store: Store,
  caller: Caller,
  qrn: string,
  { packed = false }: ReadResultOptions = {},
): Promise<{ row: JobRow; pieces: AsyncIterable<string> }> {
  const row = await findJob(store, caller, qrn);
  const isCompleted = row.status === "COMPLETED";
  const body = isCompleted ? await openDocument(store, { jobSeq: row.seq, kind: "results" }) : undefined;
  if (body === undefined) {
    const why = row.status === "FAILED" ? ` ${row.status_msg}` : "";
    throw new HttpError("RESULT_NOT_FOUND", `The job has no result: it is ${row.status}.${why}`);
  }
  return { row, pieces: packed ? body : unpackLines(body) };
}

/** Reads the result of a job, or one a program of a batch, as `openResults` does. */
export async function readResult(
  store: Store,
  caller: Caller,
  qrn: string,
  options?: ReadResultOptions,
): Promise<JsonText<RuntimeResult | RuntimeResult[]>> {
  const { row, pieces } = await openResults(store, caller, qrn, options);
  const costs = row.is_batch ? await readDocument(store, { jobSeq: row.seq, kind: "costs" }) : undefined;
  return new JsonText(resultPieces(row, pieces, costsOf(row, costs)));
}

/** Characters of results that fit into a list of records. */
const SHORT_LENGTH = 64 * 1024;

/**
 * Reads the programs and results of several jobs together, in the order of their rows, without those that are long; of one
 * job also long programs.
 */
export async function readContents(
  store: Store,
  rows: readonly JobRow[],
): Promise<{ programs: Program[]; results: RuntimeResult[] }[]> {
  if (rows.length === 0) return [];
  const seqs = rows.map(({ seq }) => seq);
  const documents = await store
    .selectFrom("job_documents")
    .select(["job_seq", "kind", "body"])
    .where("job_seq", "in", seqs)
    .where("part", "=", 0)
    .where(eb =>
      eb.or([
        eb("kind", "in", ["programs", "costs"]),
        eb.and([eb("kind", "=", "results"), eb(eb.fn<number>("length", ["body"]), "<=", SHORT_LENGTH)]),
      ]),
    )
    .execute();
  const whole = documents.filter(({ body }) => body.length < PART_LENGTH);
  const bodies = new Map(whole.map(({ job_seq, kind, body }) => [`${job_seq} ${kind}`, body]));
  const [only] = rows;
  if (rows.length === 1 && !bodies.has(`${only!.seq} programs`)) {
    const programs = await readDocument(store, { jobSeq: only!.seq, kind: "programs" });
    if (programs !== undefined) bodies.set(`${only!.seq} programs`, programs);
  }
  return Promise.all(
    rows.map(async row => {
      const of = (kind: DocumentKind) => bodies.get(`${row.seq} ${kind}`);
      const stored = row.status === "COMPLETED" ? of("results") : undefined;
      const results = stored?.split("\n").some(isPacked) ? undefined : stored;
      const pieces = results === undefined ? ["[]"] : resultPieces(row, [results], costsOf(row, of("costs")));
      return {
        programs: JSON.parse(of("programs") ?? "[]"),
        results: [JSON.parse((await Array.fromAsync(pieces)).join(""))].flat(),
      };
    }),
  );
}

/** The records of results around their data, which is a line for each program. */
async function* resultPieces(
  row: JobRow,
  pieces: Iterable<string> | AsyncIterable<string>,
  { costs, durations }: ProgramCosts,
): AsyncGenerator<string> {
  const times = timesOf(row);
  const start = (index: number) => {
    const microseconds = durations[index];
    const record = JSON.stringify({
      status: row.status,
      cost: toCredits(costs[index] ?? 0),
      timeStamps:
        microseconds === undefined ? times : { ...times, executionDuration: toMilliseconds(microseconds) },
    });
    return `${index > 0 ? "," : ""}${record.slice(0, -1)},"resultData":`;
  };
  let index = 0;
  yield (row.is_batch ? "[" : "") + start(index);
  for await (const piece of pieces) {
    const [first, ...lines] = piece.split("\n");
    yield first!;
    for (const line of lines) {
      index += 1;
      yield `}${start(index)}`;
      yield line;
    }
  }
  yield row.is_batch ? "}]" : "}";
}

/** Returns the cost and duration of each program of a job; only batches have a document of them. */
const costsOf = (row: JobRow, document: string | undefined): ProgramCosts =>
  document === undefined ? { costs: [row.cost ?? 0], durations: [] } : JSON.parse(document);

/** Prefix of a program's data with packed counts or a packed memory. */
const PACKED = '{"packed';
/** Characters of a memory that are written at a time. */
const SLICE_LENGTH = 64 * 1024;

/** Whether a document of results, or the line of one program, begins with packed counts or a packed memory. */
const isPacked = (text: string): boolean => text.startsWith(PACKED);

/** Passes on the lines of a document of results, with what is packed unpacked; a piece may begin and end anywhere. */
export async function* unpackLines(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let held = "";
  let isPlain = false;
  for await (const piece of pieces) {
    for (const [i, part] of piece.split("\n").entries()) {
      if (i > 0) {
        yield* unpackLine(held);
        yield "\n";
        held = "";
        isPlain = false;
      }
      held += part;
      isPlain ||= held.length >= PACKED.length && !isPacked(held);
      if (!isPlain) continue;
      yield held;
      held = "";
    }
  }
  yield* unpackLine(held);
}

function* unpackLine(line: string): Generator<string> {
  if (!isPacked(line)) return yield line;
  const { packedCounts, packedMeasurements, ...data } = JSON.parse(line) as ResultData;
  const rest = JSON.stringify({
    ...data,
    ...(packedCounts && { measurementCounts: unpackCounts(packedCounts) }),
  } satisfies ResultData);
  const memory = packedMeasurements && readMeasurements(packedMeasurements);
  if (!memory) return yield rest;
  yield rest.slice(0, -1);
  yield* writeList("measurements", memory, shot => toBits(memory.measurementAt(shot)));
  if (memory.outputsAt) yield* writeList("outputs", memory, memory.outputsAt);
  yield "}";
}

/** Writes a list of the shots of a memory as a property in JSON that follows others. */
function* writeList(
  name: "measurements" | "outputs",
  { shots, shotLength }: MemoryReader,
  at: (shot: number) => unknown,
): Generator<string> {
  const many = Math.max(1, Math.floor(SLICE_LENGTH / shotLength));
  yield `,"${name}":[`;
  for (let from = 0; from < shots; from += many) {
    const slice = Array.from({ length: Math.min(many, shots - from) }, (_, i) => at(from + i));
    yield (from > 0 ? "," : "") + JSON.stringify(slice).slice(1, -1);
  }
  yield "]";
}

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

export async function readPrograms(store: Store, row: JobRow): Promise<SourceProgram[]> {
  return JSON.parse((await readDocument(store, { jobSeq: row.seq, kind: "programs" })) ?? "[]");
}

export function compileOptionsOf(row: JobRow): CompileOptions {
  const { inputs = {}, observables = [] } = JSON.parse(row.options_json);
  return { inputs, measuresAll: observables.length === 0 };
}

/** One program's worth of something, or that of every program of a batch. */
export function oneOrAll<T>(row: JobRow, all: T[]): T | T[] {
  const [first] = all;
  return row.is_batch || first === undefined ? all : first;
}
