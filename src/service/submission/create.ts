import { randomHex, randomUint32, utf8Length } from "#host";
import { type ErrorDetail, formatJobQrn, LIMITS, type RuntimeJob, takesShots } from "../../contract/index.ts";
import type { CheckedJobRequest } from "../../contract/schemas/index.ts";
import type { EstimateLimits, SourceProgram } from "../../simulation/index.ts";
import { noiseProblems } from "../../simulation/noise/index.ts";
import { type Caller, limitSeconds } from "../accounts/caller.ts";
import { holdCredits } from "../billing/ledger.ts";
import { estimate, leastCost, totalOf } from "../billing/price.ts";
import { type CatalogueDevice, isNoisy } from "../catalogue/catalogue.ts";
import type { Context } from "../context.ts";
import { usableDevice } from "../devices.ts";
import { addJobToGroup } from "../groups/groups.ts";
import { HttpError } from "../http-error.ts";
import { findEarlier, type Idempotency, insertOnce, readIdempotency, retryTakenKey } from "../idempotency.ts";
import { indexForSearch } from "../jobs/list.ts";
import { showJob, toJob } from "../jobs/record.ts";
import { waitingJob } from "../queue/job-queue.ts";
import { writeDocument } from "../store/documents.ts";
import type { JobRow } from "../store/schema.ts";
import { type StoreTransaction, transact } from "../store/store.ts";
import { requireUncharged, requireWaitingRoom, takeQuota } from "../usage/quota.ts";
import { requireStorage, toMegabytes } from "../usage/storage.ts";

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

interface Submission {
  caller: Caller;
  request: CheckedJobRequest;
  labels: Idempotency & Pick<JobRow, "request_id">;
  /** Its programs, as JSON. */
  programs: string;
  /** Seconds that a simulator is expected to take. */
  seconds: number | undefined;
}

/** Writes the job of a submission, or finds it again. Throws an HttpError where it is refused: then nothing is written. */
async function writeJob(
  transaction: StoreTransaction,
  context: Context,
  { caller, request, labels, programs, seconds }: Submission,
): Promise<{ row: JobRow; isNew: boolean }> {
  const now = context.clock();
  const earlier = await findEarlier(transaction, "jobs", caller.userId, labels);
  if (earlier) return { row: earlier, isNew: false };
  const device = usableDevice(context, caller, request.deviceQrn);
  checkAgainstDevice(request, device);
  await requireUncharged(transaction, caller, now);
  const { groupJobQrn, shots } = request;
  const group_id = groupJobQrn ? await addJobToGroup(transaction, caller, groupJobQrn, now) : null;
  const count = [request.program].flat().length;
  const size = { programs: count, shots };
  const quote = await estimate(transaction, device, { ...size, seconds });
  const amount = "price" in quote ? totalOf(quote.price) : leastCost(device, size);
  await requireStorage(transaction, { caller, bytes: utf8Length(programs) }, now, storageRefusal);
  await requireWaitingRoom(transaction, caller);
  if (device.deviceType === "SIMULATOR") await takeQuota(transaction, caller, device.qrn, now);
  const row = await insertOnce(transaction, "jobs", {
    ...newJob(caller, request, device, now),
    ...labels,
    group_id,
    programs: count,
    estimate: amount,
  });
  await writeDocument(transaction, { jobSeq: row.seq, kind: "programs", body: programs });
  await indexForSearch(transaction, row);
  await holdCredits(transaction, { seq: row.seq, caller, amount }, now);
  return { row, isNew: true };
}

const storageRefusal: Parameters<typeof requireStorage>[3] = ({ limit, excess, isOwn }) => {
  const whose = isOwn
    ? "You keep as much as your own budget allows"
    : "Your organization keeps as much as it may";
  const message = `${whose}: ${toMegabytes(limit)} of programs and results. This job needs ${toMegabytes(excess)} more than is left. Delete jobs that you no longer need, those with the largest results first (DELETE /jobs/{job_qrn}); that makes room at once.`;
  return new HttpError("QUOTA_EXCEEDED", message);
};

function newJob(caller: Caller, request: CheckedJobRequest, device: CatalogueDevice, now: number) {
  const options = request.runtimeOptions ?? {};
  return {
    qrn: formatJobQrn(device.qrn, randomHex(14)),
    user_id: caller.userId,
    organization_id: caller.organizationId,
    device_qrn: device.qrn,
    vendor: device.vendor,
    provider: device.provider,
    device_type: device.deviceType,
    experiment_type: device.paradigm,
    name: request.name ?? null,
    shots: request.shots,
    is_batch: Array.isArray(request.program) ? 1 : 0,
    status: "QUEUED" as const,
    attempt: 0,
    crashes: 0,
    tags_json: JSON.stringify(request.tags ?? {}),
    options_json: JSON.stringify(options),
    seed: options.seed ?? randomUint32(),
    created_at: now,
    updated_at: now,
  };
}

/** Checks a submission against what its device takes; throws an HttpError (400) that names every bad field. */
function checkAgainstDevice(request: CheckedJobRequest, device: CatalogueDevice): void {
  const details = [
    ...wrongFormats(request, device),
    ...wrongShots(request, device),
    ...wrongOptions(request, device),
  ];
  if (Array.isArray(request.program) && request.program.length > 1 && !device.batchJobSupport) {
    details.push({ path: "program", message: "must be one program: the device takes no batches" });
  }
  if (details.length === 0) return;
  throw new HttpError("VALIDATION_ERROR", `The job does not fit the device ${device.qrn}.`, { details });
}

function wrongFormats({ program }: CheckedJobRequest, device: CatalogueDevice): ErrorDetail[] {
  const taken: readonly string[] = device.runInputTypes;
  const message = `must be a format that the device takes: ${taken.join(", ")}`;
  return [program].flat().flatMap(({ format }, index) => {
    const place = Array.isArray(program) ? `program.${index}` : "program";
    return taken.includes(format) ? [] : [{ path: `${place}.format`, message }];
  });
}

function wrongShots({ shots }: CheckedJobRequest, device: CatalogueDevice): ErrorDetail[] {
  if (takesShots(device, shots)) return [];
  const exact = shots === 0 ? "; exact probabilities (0) are for simulators" : "";
  const [min, max, given] = [device.minShots, device.maxShots, shots].map(count =>
    count.toLocaleString("en-US"),
  );
  return [{ path: "shots", message: `must be ${min} to ${max} on this device, not ${given}${exact}` }];
}

function wrongOptions(
  { runtimeOptions, program, shots }: CheckedJobRequest,
  device: CatalogueDevice,
): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const { noiseModel, memory, observables } = runtimeOptions ?? {};
  if (observables?.length && device.engine === "emulator")
    details.push({
      path: "runtimeOptions.observables",
      message: "are for simulators: a QPU measures, and means are taken of its counts",
    });
  details.push(...wrongNoise(noiseModel, device));
  const remembered = shots * (Array.isArray(program) ? program.length : 1);
  if (memory && remembered > LIMITS.maxMemoryShots) {
    details.push({
      path: "runtimeOptions.memory",
      message: `keeps at most ${LIMITS.maxMemoryShots} shots over all programs of a job`,
    });
  }
  return details;
}

/** Checks the noise model of a job: the name of one of the device's, or custom rules. */
function wrongNoise(noiseModel: unknown, { engine, noiseModels }: CatalogueDevice): ErrorDetail[] {
  const path = "runtimeOptions.noiseModel";
  if (noiseModel === undefined || noiseModel === null) return [];
  if (typeof noiseModel === "string") {
    if (noiseModels.includes(noiseModel)) return [];
    const names = noiseModels.map(name => JSON.stringify(name)).join(", ");
    const message = names ? `must be one of ${names}` : "is for devices with noise models: this one has none";
    return [{ path, message }];
  }
  if (!isNoisy(engine))
    return [{ path, message: "is for simulators of noise: the device takes no noise model of a job's own" }];
  return noiseProblems(noiseModel).map(problem => ({
    path: problem.path ? `${path}.${problem.path}` : path,
    message: problem.message,
  }));
}
