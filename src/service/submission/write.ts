import { randomHex, randomUint32, utf8Length } from "#host";
import { formatJobQrn } from "../../contract/index.ts";
import type { CheckedJobRequest } from "../../contract/schemas/index.ts";
import type { Caller } from "../accounts/caller.ts";
import { type HoldDemand, takeCredits, writeHolds } from "../billing/ledger.ts";
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
import { giveBackQuota, type QuotaDemand, refuseWaiting, takeQuota } from "../usage/quota.ts";
import { giveBackStorage, type StorageDemand, takeStorage } from "../usage/storage.ts";
import { unchargedRefusal } from "../usage/uncharged.ts";
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

/** Result of a submission: its new or existing job, or the error. */
export type Submitted = { row: JobRow; isNew: boolean } | Error;

/** A submission that nothing speaks against so far. */
interface Checked extends Demand {
  submission: Submission;
  row: NewJobRow;
}

/** Writes the jobs of submissions, in their order: each is made whole, found again, or refused. */
export async function writeJobs(
  transaction: StoreTransaction,
  context: Context,
  submissions: readonly Submission[],
): Promise<Submitted[]> {
  const now = context.clock();
  const outcomes = new Map<Submission, Submitted>();
  const earlier = await findEarlier(transaction, submissions);
  const checked: Checked[] = [];
  const once = createMemo();
  for (const submission of inOrderOfGroups(submissions)) {
    try {
      const row = checkSameRequest(earlier.get(keyOf(submission)), submission.labels);
      if (row) outcomes.set(submission, { row, isNew: false });
      else checked.push(await check(transaction, context, submission, { now, once }));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      outcomes.set(submission, error);
    }
  }
  const refused = await reserve(transaction, checked, now);
  for (const [{ submission }, error] of refused) outcomes.set(submission, error);
  const accepted = checked.filter(each => !refused.has(each));
  const rows = await insertJobs(
    transaction,
    accepted.map(({ row }) => row),
  );
  if (rows.length < accepted.length) throw new KeyTakenError();
  const rowOf = new Map(rows.map(row => [row.qrn, row]));
  const jobs = accepted.map(({ row, submission, amount }) => ({
    row: rowOf.get(row.qrn)!,
    submission,
    amount,
  }));
  await writeDocuments(
    transaction,
    jobs.map(({ row: { seq }, submission }) => ({
      jobSeq: seq,
      kind: "programs",
      body: submission.programs,
    })),
  );
  await indexForSearch(transaction, rows);
  const holds = jobs.map(({ row, submission: { caller }, amount }) => ({ seq: row.seq, caller, amount }));
  await writeHolds(transaction, holds, now);
  for (const { submission, row } of jobs) outcomes.set(submission, { row, isNew: true });
  return submissions.map(submission => outcomes.get(submission)!);
}

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
  const refusal = await once(`uncharged ${caller.userId}`, () => unchargedRefusal(transaction, caller, now));
  if (refusal) throw refusal;
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

/** Resources that a new job reserves. */
interface Demand extends StorageDemand, QuotaDemand, HoldDemand {
  caller: Caller;
  /** Whether it counts in the quota of its device. */
  isSimulator: boolean;
}

/**
 * Takes what jobs need of the storage, credits, quotas and waiting jobs of their users and organizations. Returns
 * HttpErrors for those that there is not enough for, which take nothing.
 */
async function reserve<Job extends Demand>(
  transaction: StoreTransaction,
  jobs: readonly Job[],
  now: number,
): Promise<Map<Job, HttpError>> {
  const isCounted = ({ isSimulator }: Job) => isSimulator;
  const tooLarge = await takeStorage(transaction, jobs, now);
  const tooMany = await refuseWaiting(
    transaction,
    jobs.filter(job => !tooLarge.has(job)),
  );
  const kept = jobs.filter(job => !tooLarge.has(job) && !tooMany.has(job));
  const overQuota = await takeQuota(transaction, kept.filter(isCounted), now);
  const counted = kept.filter(job => !overQuota.has(job));
  const unpaid = await takeCredits(transaction, counted);
  await giveBackQuota(transaction, [...unpaid.keys()].filter(isCounted), now);
  await giveBackStorage(transaction, [...tooMany.keys(), ...overQuota.keys(), ...unpaid.keys()]);
  return new Map([...tooLarge, ...tooMany, ...overQuota, ...unpaid]);
}
