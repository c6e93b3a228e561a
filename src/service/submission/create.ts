import type { RuntimeJob } from "../../contract/index.ts";
import type { CheckedJobRequest } from "../../contract/schemas/index.ts";
import type { EstimateLimits, SourceProgram } from "../../simulation/index.ts";
import { type Caller, limitSeconds } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { readIdempotency, retryTakenKey } from "../idempotency.ts";
import { showJob, toJob } from "../jobs/record.ts";
import { waitingJob } from "../queue/job-queue.ts";
import { transact } from "../store/store.ts";
import { writeJob } from "./write.ts";

interface SubmissionOptions {
  idempotencyKey?: string | undefined;
  /** The request, as the log names it; kept with the job. Default: none. */
  requestId?: string | null;
}

/**
 * Submits a job: the job, the hold on its quoted cost, its place in the group and in the quota are written
 * together, or nothing is. It may run while the disk is still taking it. The same `Idempotency-Key` gives the job that it made the first time, also after that was
 * deleted; what was refused has used up no key. Its place in the queue is null where that can't be read. The first record
 * of a job says INITIALIZING, and it is QUEUED.
 */
export async function createJob(
  context: Context,
  caller: Caller,
  request: CheckedJobRequest,
  { idempotencyKey, requestId = null }: SubmissionOptions = {},
): Promise<RuntimeJob> {
  const labels = { ...readIdempotency(request, idempotencyKey), request_id: requestId };
  const programs = JSON.stringify([request.program].flat());
  const seconds = await secondsOf(context, caller, request);
  const { queue, catalogue, store } = context;
  const submission = { caller, request, labels, programs, seconds };
  const { row, isNew } = await retryTakenKey(() =>
    transact(store, transaction => writeJob(transaction, context, submission), {
      onCommit({ row, isNew }) {
        if (isNew) queue.added(waitingJob(catalogue, row, caller.tier));
      },
    }),
  );
  const job = await showJob(context, row).catch(() => toJob(row, null));
  return isNew ? { ...job, status: "INITIALIZING" } : job;
}

/** Size of programs that are quick to compile: a class writes smaller ones. */
const ESTIMATE_LIMITS: EstimateLimits = { maxLength: 5000, maxOperations: 5000 };

/** Returns the expected seconds of a small run on a simulator that charges for its time. */
async function secondsOf(
  { catalogue }: Context,
  { tier }: Caller,
  request: CheckedJobRequest,
): Promise<number | undefined> {
  const device = catalogue.get(request.deviceQrn);
  if (device?.modality !== "statevector" || !device.pricing?.perMinute) return undefined;
  const { expectedSeconds } = await import("../../simulation/index.ts");
  const { shots, program, runtimeOptions } = request;
  const programs = [program].flat() as SourceProgram[];
  return limitSeconds(tier, expectedSeconds({ programs, shots, options: runtimeOptions }, ESTIMATE_LIMITS));
}
