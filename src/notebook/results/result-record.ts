import { KetbookError, type RawResults } from "../../client/index.ts";
import {
  isRecord,
  type JobTimes,
  type OnMismatch,
  type RawResult,
  type RecordedProgram,
  type RuntimeJob,
  recordReader,
  SCHEMAS,
} from "../../contract/index.ts";
import { copyData } from "../values/displayable-value.ts";
import { pathText } from "../values/options.ts";
import type { BitOrder } from "./bit-order.ts";
import {
  type MemberReader,
  type Members,
  memberReader,
  outcomeMembers,
  readResultData,
} from "./result-data.ts";

/** Context of a result outside its record and its job. */
export interface ResultContext {
  /** The program, as submitted; only its text if the format is unknown. */
  program?: string | RecordedProgram;
  /** Place of the program in its batch, from 0. Default: 0. */
  index?: number;
  /** The program, as the device ran it; only its text if the format is unknown. */
  compiledProgram?: string | RecordedProgram;
  /** Time of the device's calibration (ISO 8601), if the job lacks it. */
  calibratedAt?: string;
  /** Version of this library that fetched the result. */
  libraryVersion?: string;
}

/** The record of a result, as `JSON.stringify(result)` writes it, without the job and the context. */
export interface ResultMembers {
  /** Status of the job. */
  readonly status: RuntimeJob["status"];
  /** Credits; null when the service does not say it. */
  readonly cost: number | null;
  /** Times of the job's creation and end, and its run time. */
  readonly timeStamps: JobTimes;
  /** Data of the program's result, as the service wrote it. */
  readonly resultData: { readonly [member: string]: unknown };
  /** The bits that an outcome shows, from right to left, when they are not all of the program's, in order. */
  readonly bits?: number[];
  /** The order of the bits; missing until it is found out. */
  readonly bitOrder?: BitOrder;
  /** Description of unreadable parts of the service's record. */
  readonly problem?: string;
  /** Members of the provider's own that have the name of another member here. */
  readonly received?: unknown;
  /** Members of the provider's own. */
  readonly [member: string]: unknown;
}

/** A result as plain data: what `JSON.stringify(result)` writes, and `Result.from` reads. */
export interface ResultRecord extends ResultMembers {
  /** The record of the job that gave the result. */
  readonly job: RuntimeJob;
  /** Context of the run. */
  readonly context: ResultContext;
}

export type ReadResult = ReturnType<typeof readRecord>;

const isPlace = (item: unknown) => Number.isSafeInteger(item) && Number(item) >= 0;
const orders: readonly unknown[] = ["msb-first", "lsb-first", "unknown"] satisfies BitOrder["order"][];

/** The results that a service answered, each as it came: malformed ones too, which the reader of a result speaks of. */
export function receivedRecords(found: RawResult | RawResults): unknown[] {
  if (!Array.isArray(found)) return [found];
  const records: unknown[] = [...found];
  for (const { index, value } of found.unread) records[index] = value;
  return records;
}

/** Members of a record that are Ketbook's own: in what a service sends they mean something else. */
const reservedMembers = ["bits", "bitOrder", "problem", "job", "context", "received"];

/** Puts a service's members under names of Ketbook's own members into one member, `received`. */
function moveReservedMembers(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const clashing = reservedMembers.filter(name => Object.hasOwn(value, name));
  if (clashing.length === 0) return value;
  const record: { [member: string]: unknown } = { ...value };
  record.received = Object.fromEntries(clashing.map(name => [name, value[name]]));
  for (const name of clashing) if (name !== "received") delete record[name];
  return record;
}

const readMembers = recordReader<ResultMembers>(SCHEMAS.RuntimeResult, {
  defaults: { status: "COMPLETED" },
  unread: ["resultData"],
});

/**
 * Reads a record of a service, or a saved one, which somebody may have changed. What of it can't be read is missing then, and
 * `problem` says so; of a saved one that does not have a problem already, it throws a `KetbookError`.
 *
 * @param width - The number of symbols in an outcome, where something besides the record tells it.
 */
export function readRecord(value: unknown, isSaved: boolean, width: () => number | undefined) {
  const problems: string[] = [];
  const isStrict = isSaved && typeof Object(value).problem !== "string";
  const read = isStrict ? strictReader : memberReader(problem => problems.push(problem));
  if (value === null || value === undefined) read.refuse("it", "an object", null);
  const { resultData, ...given } = withResultData(
    read.object(isSaved ? value : moveReservedMembers(value), "it"),
  );
  const { timeStamps } = given;
  const record: Members = { ...given, ...(isRecord(timeStamps) && { timeStamps: { ...timeStamps } }) };
  if (record.success === false) read.onProblem(noResult(record.message));
  const bits = read.list<number>(record.bits, "bits", "a whole number", isPlace);
  const data = readResultData(resultData, read, width, bits?.length);
  const bitOrder = readBitOrder(record.bitOrder, read);
  const { bits: _, bitOrder: __, ...members } = readMembers(record, refuseMismatch(read));
  return {
    record: { ...members, resultData: data.raw, ...(bits && { bits }), ...(bitOrder && { bitOrder }) },
    data,
    problem: problems[0] ?? null,
    /** True where it lacks members that every service writes. */
    isUserMade: given.status === undefined && timeStamps === undefined,
  };
}

/** Takes what a program gave into `resultData` where it is beside that, as in results of version 1. */
function withResultData(record: Members): Members {
  const within = record.resultData ?? {};
  const beside = outcomeMembers.filter(name => typeof record[name] === "object" && record[name] !== null);
  if (beside.length === 0 || !isRecord(within) || outcomeMembers.some(name => within[name] != null))
    return record;
  const rest: { [member: string]: unknown } = { ...record };
  for (const name of beside) delete rest[name];
  const moved = Object.fromEntries(beside.map(name => [name, record[name]]));
  return { ...rest, resultData: { ...within, ...moved } };
}

const noResult = (message: unknown) =>
  `The service gave no result: ${typeof message === "string" && message ? JSON.stringify(message.slice(0, 200)) : "it does not say why"}.`;

function readBitOrder(value: unknown, read: MemberReader): BitOrder | undefined {
  if (value === undefined || value === null) return undefined;
  const { order, reason } = read.object(value, "bitOrder");
  const isText = typeof (reason ?? "") === "string";
  if (!isText) read.refuse("bitOrder.reason", "a string", reason);
  if (orders.includes(order))
    return { order: order as BitOrder["order"], reason: isText ? String(reason ?? "") : "" };
  read.refuse("bitOrder.order", orders.join(" or "), order);
  return undefined;
}

/** Takes apart a result that was saved, or written by hand. Throws a `KetbookError` that names the member that is wrong. */
export function readSaved(value: unknown, readJob = readJobRecord) {
  if (typeof value === "string")
    throw new KetbookError("Result.from takes an object: turn the text into one with JSON.parse first.");
  if (value === null) strictReader.refuse("it", "an object", value);
  const { job, context, ...members } = strictReader.object(value, "it");
  if (withResultData(members).resultData === undefined)
    strictReader.refuse("resultData", "an object", undefined);
  const known: ResultContext = strictReader.object(context, "context");
  checkProgram(known.program, "context.program");
  checkProgram(known.compiledProgram, "context.compiledProgram");
  const isSaved = job !== undefined || context !== undefined || isRecord(members.bitOrder);
  return {
    members: isSaved ? members : (moveReservedMembers(members) as Members),
    job: readJob(job),
    context: known,
  };
}

function checkProgram(program: unknown, path: string): void {
  if (typeof program === "string" || program === undefined || program === null) return;
  const { format, data } = Object(program) as Partial<RecordedProgram>;
  const isData = typeof data === "string" || (typeof data === "object" && data !== null);
  if (typeof format !== "string" || !isData)
    strictReader.refuse(path, "a string, or format and data", program);
}

/** Reads records that somebody else may change: it throws what is wrong in them. */
const strictReader = memberReader(problem => {
  throw new KetbookError(`This is not a saved result: ${problem}`);
});

const refuseMismatch =
  (read: MemberReader, parent?: string): OnMismatch =>
  ({ path, wanted, value }) =>
    read.refuse(pathText(parent === undefined ? path : [parent, ...path]), wanted, value);

const readJob = recordReader<RuntimeJob>(SCHEMAS.RuntimeJob, {
  defaults: { experimentType: "other", status: "COMPLETED" },
});

/** Reads a job's record. A result of no known job gets one that says nothing. */
export function readJobRecord(value: unknown): RuntimeJob {
  const job = copyData("job", strictReader.object(value, "job"));
  return readJob(job, refuseMismatch(strictReader, "job"));
}
