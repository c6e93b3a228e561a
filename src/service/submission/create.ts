import { randomHex, randomUint32 } from "#host/random";
import type { RuntimeJob } from "../../contract/job.ts";
import { formatJobQrn } from "../../contract/qrn.ts";
import type { CheckedJobRequest } from "../../contract/request.ts";
import type { Caller } from "../accounts/caller.ts";
import { hold } from "../billing/ledger.ts";
import { totalOf } from "../billing/price.ts";
import { estimate } from "../billing/quote.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import type { Context } from "../context.ts";
import { usableDevice } from "../devices/usable.ts";
import { addJobToGroup } from "../groups/add-job.ts";
import {
  checkSameRequest,
  type Idempotency,
  KeyTakenError,
  readIdempotency,
  retryTakenKey,
} from "../idempotency.ts";
import { indexForSearch } from "../jobs/search-index.ts";
import { showJob } from "../jobs/show.ts";
import { waitingJob } from "../queue/waiting.ts";
import { writeDocuments } from "../store/documents.ts";
import { prepareQuery } from "../store/prepared.ts";
import type { JobRow, NewJobRow } from "../store/schema.ts";
import { type StoreTransaction, transact } from "../store/store.ts";
import { takeQuota } from "../usage/quota.ts";
import { takeStorage } from "../usage/storage.ts";
import { checkUncharged } from "../usage/uncharged.ts";
import { checkAgainstDevice } from "./check.ts";

/** What comes with a submission besides the job. */
export interface SubmissionOptions {
  idempotencyKey?: string | undefined;
  /** The request, as the log names it; kept with the job. Default: none. */
  requestId?: string | null;
}

/**
 * Submits a job: the job, the hold on its quoted cost, its place in the group and in the quota are written
 * together, or nothing is. The same `Idempotency-Key` gives the job that it made the first time, also after that was
 * deleted; what was refused has used up no key.
 */
export async function createJob(
  context: Context,
  caller: Caller,
  request: CheckedJobRequest,
  { idempotencyKey, requestId = null }: SubmissionOptions = {},
): Promise<RuntimeJob> {
  const once = readIdempotency(request, idempotencyKey);
  const { store } = context;
  const { row } = await retryTakenKey(() =>
    transact(
      store,
      async transaction => {
        const earlier = await findEarlier(transaction, caller, once);
        if (earlier) return { row: earlier, isNew: false };
        const labels = { ...once, request_id: requestId };
        return { row: await write(transaction, context, caller, request, labels), isNew: true };
      },
      { onCommit: ({ row, isNew }) => isNew && enqueue(context, caller, row) },
    ),
  );
  return showJob(context, row);
}

/** Queues a job that is committed; it may run while the disk is still taking it. */
function enqueue({ queue, catalogue }: Context, { tier }: Caller, row: JobRow): void {
  queue.added(waitingJob(catalogue, row, tier));
}

const insertJob = prepareQuery((store, row: NewJobRow) =>
  store
    .insertInto("jobs")
    .values(row)
    .onConflict(conflict => conflict.columns(["user_id", "idempotency_key"]).doNothing())
    .returningAll(),
);

async function write(
  transaction: StoreTransaction,
  context: Context,
  caller: Caller,
  request: CheckedJobRequest,
  labels: Idempotency & Pick<JobRow, "request_id">,
): Promise<JobRow> {
  const now = context.clock();
  const device = usableDevice(context, caller, request.deviceQrn);
  checkAgainstDevice(request, device);
  await checkUncharged(transaction, caller, now);
  const { groupJobQrn, shots } = request;
  const group_id = groupJobQrn ? await addJobToGroup(transaction, caller, groupJobQrn, now) : null;
  const programs = [request.program].flat();
  const quote = await estimate(transaction, device, { programs: programs.length, shots });
  const quoted = "price" in quote ? totalOf(quote.price) : null;
  const { rows } = await insertJob(transaction, {
    ...newJob(caller, request, device, now),
    ...labels,
    group_id,
    programs: programs.length,
    estimate: quoted,
  });
  const row = rows[0];
  if (!row) throw new KeyTakenError();
  const bytes = await writeDocuments(transaction, row.seq, [["programs", JSON.stringify(programs)]]);
  await takeStorage(transaction, caller, bytes, now);
  await indexForSearch(transaction, row);
  if (device.deviceType === "SIMULATOR") await takeQuota(transaction, caller, device.qrn, now);
  await hold(transaction, { seq: row.seq, organizationId: row.organization_id }, quoted ?? 0, now);
  return row;
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

const findByKey = prepareQuery((store, { userId, key }: { userId: number; key: string }) =>
  store.selectFrom("jobs").selectAll().where("user_id", "=", userId).where("idempotency_key", "=", key),
);

async function findEarlier(
  transaction: StoreTransaction,
  caller: Caller,
  once: Idempotency,
): Promise<JobRow | undefined> {
  if (once.idempotency_key === null) return undefined;
  const { rows } = await findByKey(transaction, { userId: caller.userId, key: once.idempotency_key });
  return checkSameRequest(rows[0], once);
}
