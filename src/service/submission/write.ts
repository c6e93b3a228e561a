import { randomHex, randomUint32, utf8Length } from "#host";
import { formatJobQrn } from "../../contract/index.ts";
import type { CheckedJobRequest } from "../../contract/schemas/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { holdCredits } from "../billing/ledger.ts";
import { totalOf } from "../billing/price.ts";
import { estimate } from "../billing/quote.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import type { Context } from "../context.ts";
import { usableDevice } from "../devices.ts";
import { addJobToGroup } from "../groups/groups.ts";
import { HttpError } from "../http-error.ts";
import { checkSameRequest, type Idempotency, KeyTakenError } from "../idempotency.ts";
import { indexForSearch } from "../jobs/list.ts";
import { writeDocuments } from "../store/documents.ts";
import { prepareRows } from "../store/prepared.ts";
import type { JobRow, NewJobRow } from "../store/schema.ts";
import type { StoreTransaction } from "../store/store.ts";
import { type QuotaDemand, requireWaitingRoom, takeQuota } from "../usage/quota.ts";
import { requireStorage, type StorageDemand, toMegabytes } from "../usage/storage.ts";
import { requireUncharged } from "../usage/uncharged.ts";
import { checkAgainstDevice } from "./check.ts";

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
  const once = createMemo();
  for (const submission of inOrderOfGroups(submissions)) {
    const row = checkSameRequest(earlier.get(keyOf(submission)), submission.labels);
    if (row) submitted.set(submission, { row, isNew: false });
    else checked.push(await check(transaction, context, submission, { now, once }));
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

const findByKeys = prepareRows((store, keys: { userId: number; key: string }[]) =>
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

const insertJobs = prepareRows((store, rows: NewJobRow[]) =>
  store
    .insertInto("jobs")
    .values(rows)
    .onConflict(conflict => conflict.columns(["user_id", "idempotency_key"]).doNothing())
    .returningAll(),
);

/** Runs what is asked of a batch more than once, under one name, once. */
type Memo = <T>(name: string, run: () => Promise<T>) => Promise<T>;

function createMemo(): Memo {
  const results = new Map<string, Promise<unknown>>();
  return <T>(name: string, run: () => Promise<T>) => {
    const result = (results.get(name) as Promise<T> | undefined) ?? run();
    results.set(name, result);
    return result;
  };
}

/** Checks a submission against everything but what it takes up; throws an HttpError. */
async function check(
  transaction: StoreTransaction,
  context: Context,
  submission: Submission,
  { now, once }: { now: number; once: Memo },
): Promise<Checked> {
  const { caller, request, labels, programs, seconds } = submission;
  const device = usableDevice(context, caller, request.deviceQrn);
  checkAgainstDevice(request, device);
  await once(`uncharged ${caller.userId}`, () => requireUncharged(transaction, caller, now));
  const { groupJobQrn, shots } = request;
  const group_id = groupJobQrn
    ? await once(`group ${caller.userId} ${groupJobQrn}`, () =>
        addJobToGroup(transaction, caller, groupJobQrn, now),
      )
    : null;
  const count = [request.program].flat().length;
  const quote = await once(`quote ${device.qrn} ${count} ${shots} ${seconds}`, () =>
    estimate(transaction, device, { programs: count, shots, seconds }),
  );
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
    status: "INITIALIZING" as const,
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
