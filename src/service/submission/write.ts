import { randomHex, randomUint32, utf8Length } from "#host";
import { type ErrorDetail, formatJobQrn, LIMITS } from "../../contract/index.ts";
import type { CheckedJobRequest } from "../../contract/schemas/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { holdCredits } from "../billing/ledger.ts";
import { estimate, totalOf } from "../billing/price.ts";
import { type CatalogueDevice, isNoisy, noiseProblems } from "../catalogue/catalogue.ts";
import type { Context } from "../context.ts";
import { usableDevice } from "../devices.ts";
import { addJobToGroup } from "../groups/groups.ts";
import { HttpError } from "../http-error.ts";
import { checkSameRequest, type Idempotency, KeyTakenError } from "../idempotency.ts";
import { indexForSearch } from "../jobs/list.ts";
import { writeDocuments } from "../store/documents.ts";
import { forRows } from "../store/rows.ts";
import type { JobRow, NewJobRow } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";
import { type QuotaDemand, requireUncharged, requireWaitingRoom, takeQuota } from "../usage/quota.ts";
import { requireStorage, type StorageDemand, toMegabytes } from "../usage/storage.ts";

export interface Submission {
  caller: Caller;
  request: CheckedJobRequest;
  labels: Idempotency & Pick<JobRow, "request_id">;
  /** Its programs, as JSON. */
  programs: string;
  /** Seconds that a simulator is expected to take. */
  seconds: number | undefined;
}

/** The job of a submission, which is new or was there. */
export interface Submitted {
  row: JobRow;
  isNew: boolean;
}

/** A submission that nothing speaks against so far, and what its job takes. */
interface Checked extends StorageDemand, QuotaDemand {
  caller: Caller;
  submission: Submission;
  row: NewJobRow;
  /** Whether it counts in the quota of its device. */
  isSimulator: boolean;
  /** The amount that is held for it. */
  amount: number;
}

/** Writes the jobs of submissions, or finds them again. Throws an HttpError where one is refused: then nothing is written. */
export async function writeJobs(
  transaction: StoreTransaction,
  context: Context,
  submissions: readonly Submission[],
): Promise<Submitted[]> {
  const now = context.clock();
  const submitted = new Map<Submission, Submitted>();
  const earlier = await findEarlier(transaction, submissions);
  const checked: Checked[] = [];
  for (const submission of inOrderOfGroups(submissions)) {
    const row = checkSameRequest(earlier.get(keyOf(submission)), submission.labels);
    if (row) submitted.set(submission, { row, isNew: false });
    else checked.push(await check(transaction, context, submission, now));
  }
  await requireStorage(transaction, checked, now, storageRefusal);
  await requireWaitingRoom(
    transaction,
    checked.map(({ caller }) => caller),
  );
  const counted = checked.filter(({ isSimulator }) => isSimulator);
  await takeQuota(transaction, counted, now);
  const rows = await insertJobs(
    transaction,
    checked.map(({ row }) => row),
  );
  if (rows.length < checked.length) throw new KeyTakenError();
  const rowOf = new Map(rows.map(row => [row.qrn, row]));
  const jobs = checked.map(each => ({ ...each, row: rowOf.get(each.row.qrn)! }));
  await writeDocuments(
    transaction,
    jobs.map(({ row: { seq }, submission }) => ({
      jobSeq: seq,
      kind: "programs",
      body: submission.programs,
    })),
  );
  await indexForSearch(transaction, rows);
  await holdCredits(
    transaction,
    jobs.map(({ row: { seq }, caller, amount }) => ({ seq, caller, amount })),
    now,
  );
  for (const { submission, row } of jobs) submitted.set(submission, { row, isNew: true });
  return submissions.map(submission => submitted.get(submission)!);
}

const storageRefusal: Parameters<typeof requireStorage>[3] = ({ limit, excess, isOwn }) => {
  const whose = isOwn
    ? "You keep as much as your own budget allows"
    : "Your organization keeps as much as it may";
  const message = `${whose}: ${toMegabytes(limit)} of programs and results. This job needs ${toMegabytes(excess)} more than is left. Delete jobs that you no longer need, those with the largest results first (DELETE /jobs/{job_qrn}); that makes room at once.`;
  return new HttpError("QUOTA_EXCEEDED", message);
};

/** Groups are locked in one order, so transactions never wait for each other in a circle. */
function inOrderOfGroups(submissions: readonly Submission[]): readonly Submission[] {
  const groupOf = ({ request: { groupJobQrn } }: Submission) => groupJobQrn ?? "";
  if (!submissions.some(groupOf)) return submissions;
  return submissions.toSorted((a, b) => (groupOf(a) < groupOf(b) ? -1 : Number(groupOf(a) > groupOf(b))));
}

const keyOf = ({ caller, labels }: Submission) => `${caller.userId} ${labels.idempotency_key}`;

const findByKeys = forRows((store, keys: { userId: number; key: string }[]) =>
  store
    .selectFrom("jobs")
    .selectAll()
    .where(eb => eb.or(keys.map(({ userId, key }) => eb.and({ user_id: userId, idempotency_key: key })))),
);

async function findEarlier(
  transaction: StoreTransaction,
  submissions: readonly Submission[],
): Promise<Map<string, JobRow>> {
  const keys = submissions.flatMap(({ caller: { userId }, labels: { idempotency_key: key } }) =>
    key === null ? [] : [{ userId, key }],
  );
  const rows = await findByKeys(transaction, keys);
  return new Map(rows.map(row => [`${row.user_id} ${row.idempotency_key}`, row]));
}

const insertJobs = forRows((store, rows: NewJobRow[]) =>
  store
    .insertInto("jobs")
    .values(rows)
    .onConflict(conflict => conflict.columns(["user_id", "idempotency_key"]).doNothing())
    .returningAll(),
);

/** Checks a submission against everything but what it takes up; throws an HttpError. */
async function check(
  transaction: StoreTransaction,
  context: Context,
  submission: Submission,
  now: number,
): Promise<Checked> {
  const { caller, request, labels, programs, seconds } = submission;
  const device = usableDevice(context, caller, request.deviceQrn);
  checkAgainstDevice(request, device);
  await requireUncharged(transaction, caller, now);
  const { groupJobQrn, shots } = request;
  const group_id = groupJobQrn ? await addJobToGroup(transaction, caller, groupJobQrn, now) : null;
  const count = [request.program].flat().length;
  const quote = await estimate(transaction, device, { programs: count, shots, seconds });
  const quoted = "price" in quote ? totalOf(quote.price) : null;
  return {
    submission,
    row: { ...newJob(caller, request, device, now), ...labels, group_id, programs: count, estimate: quoted },
    caller,
    deviceQrn: device.qrn,
    isSimulator: device.deviceType === "SIMULATOR",
    bytes: utf8Length(programs),
    amount: quoted ?? 0,
  };
}

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
    status_msg: null,
    attempt: 0,
    crashes: 0,
    cost: null,
    tags_json: JSON.stringify(request.tags ?? {}),
    options_json: JSON.stringify(options),
    seed: options.seed ?? randomUint32(),
    created_at: now,
    updated_at: now,
    started_at: null,
    ended_at: null,
    duration_us: null,
    deleted_at: null,
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
  if (!Array.isArray(program)) {
    return taken.includes(program.format) ? [] : [{ path: "program.format", message }];
  }
  return program.flatMap((one, index) =>
    taken.includes(one.format) ? [] : [{ path: `program.${index}.format`, message }],
  );
}

function wrongShots({ shots }: CheckedJobRequest, { minShots, maxShots }: CatalogueDevice): ErrorDetail[] {
  if (shots >= minShots && shots <= maxShots) return [];
  const exact = shots === 0 ? "; exact probabilities (0) are for simulators" : "";
  const range = `${minShots.toLocaleString("en-US")} to ${maxShots.toLocaleString("en-US")}`;
  return [
    {
      path: "shots",
      message: `must be ${range} on this device, not ${shots.toLocaleString("en-US")}${exact}`,
    },
  ];
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
