import { KetbookError } from "../../client/errors.ts";
import { SCHEMAS } from "../../contract/generated-schemas.ts";
import type { RuntimeJob } from "../../contract/job.ts";
import { type OnMismatch, recordReader as schemaReader } from "../../contract/reader.ts";
import { pathText } from "../values/path-text.ts";
import { copyData } from "../values/record.ts";
import { type RecordReader, recordReader } from "./record-reader.ts";

/** Reads records that somebody else may change: it throws what is wrong in them. */
export const strictReader = recordReader(cause => {
  throw new KetbookError(`This is not a saved result: ${cause.message}`, { cause });
});

/** Refuses what a schema does not describe, as a member of what is read. */
export const refuseMismatch =
  (read: RecordReader, parent?: string): OnMismatch =>
  ({ path, wanted, value }) =>
    read.refuse(pathText(parent === undefined ? path : [parent, ...path]), wanted, value);

const readJob = schemaReader<RuntimeJob>(SCHEMAS.RuntimeJob, {
  defaults: { experimentType: "other", status: "COMPLETED" },
});

/** Reads a job's record. A result of no known job gets one that says nothing. */
export function readJobRecord(value: unknown): RuntimeJob {
  const job = copyData("job", strictReader.object(value, "job"));
  return readJob(job, refuseMismatch(strictReader, "job"));
}
