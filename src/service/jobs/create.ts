import { createHash, randomBytes, randomInt } from "node:crypto";
import type { RuntimeJob } from "../../contract/job.ts";
import { LIMITS } from "../../contract/limits.ts";
import { formatJobQrn } from "../../contract/qrn.ts";
import type { CheckedJobRequest } from "../../contract/request.ts";
import { hold } from "../billing/ledger.ts";
import { totalOf } from "../billing/price.ts";
import { estimate } from "../billing/quote.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import type { Caller, Context } from "../context.ts";
import { usableDevice } from "../devices/usable.ts";
import { enterGroup } from "../groups/enter.ts";
import { badField } from "../refusal.ts";
import type { JobRow } from "../store/schema.ts";
import { type StoreTransaction, transact } from "../store/store.ts";
import { takeQuota } from "../usage/quota.ts";
import { checkAgainstDevice } from "./check.ts";
import { makeFindable } from "./findable.ts";
import { queuePositions } from "./queue.ts";
import { toJob } from "./record.ts";

/** A submission's `Idempotency-Key`, and the digest of what was submitted under it. */
interface Idempotency {
  idempotency_key: string | null;
  request_digest: string | null;
}

/**
 * Submits a job: the job, the hold on its quoted cost, its place in the group and in the quota are written
 * together, or nothing is. The same `Idempotency-Key` gives the job that it made the first time.
 */
export async function createJob(
  context: Context,
  caller: Caller,
  request: CheckedJobRequest,
  idempotencyKey: string | undefined,
): Promise<RuntimeJob> {
  const once = idempotencyOf(request, idempotencyKey);
  const row = await transact(
    context.store,
    async transaction =>
      (await findEarlier(transaction, caller, once)) ??
      (await write(transaction, context, caller, request, once)),
  );
  context.wake();
  const positions = await queuePositions(context.store, [row]);
  return toJob(row, positions.get(row.seq) ?? null);
}

async function write(
  transaction: StoreTransaction,
  context: Context,
  caller: Caller,
  request: CheckedJobRequest,
  once: Idempotency,
): Promise<JobRow> {
  const now = context.clock();
  const device = usableDevice(context, caller, request.deviceQrn);
  checkAgainstDevice(request, device);
  const { groupJobQrn, shots } = request;
  const group_id = groupJobQrn ? await enterGroup(transaction, caller, groupJobQrn, now) : null;
  const programs = [request.program].flat();
  const quote = await estimate(transaction, device, { programs: programs.length, shots });
  const quoted = "price" in quote ? totalOf(quote.price) : null;
  const row = await transaction
    .insertInto("jobs")
    .values({
      ...newJob(caller, request, device, now),
      ...once,
      group_id,
      programs: programs.length,
      estimate: quoted,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("job_documents")
    .values({ job_seq: row.seq, kind: "programs", body: JSON.stringify(programs) })
    .execute();
  await makeFindable(transaction, row);
  if (device.deviceType === "SIMULATOR") await takeQuota(transaction, caller, device.qrn, now);
  await hold(transaction, { seq: row.seq, organizationId: row.organization_id }, quoted ?? 0, now);
  return row;
}

function newJob(caller: Caller, request: CheckedJobRequest, device: CatalogueDevice, now: number) {
  const options = request.runtimeOptions ?? {};
  return {
    qrn: formatJobQrn(device.qrn, randomBytes(14).toString("hex")),
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
    metadata_json: JSON.stringify({ seed: options.seed ?? randomInt(2 ** 32) }),
    created_at: now,
    updated_at: now,
    started_at: null,
    ended_at: null,
    duration_us: null,
    deleted_at: null,
  };
}

function idempotencyOf(request: CheckedJobRequest, key: string | undefined): Idempotency {
  if (key === undefined) return { idempotency_key: null, request_digest: null };
  if (key === "" || key.length > LIMITS.maxNameLength) {
    throw badField("Idempotency-Key", `must have 1 to ${LIMITS.maxNameLength} characters`);
  }
  const digest = createHash("sha256").update(JSON.stringify(request)).digest("hex");
  return { idempotency_key: key, request_digest: digest };
}

async function findEarlier(
  transaction: StoreTransaction,
  caller: Caller,
  { idempotency_key, request_digest }: Idempotency,
): Promise<JobRow | undefined> {
  if (idempotency_key === null) return undefined;
  const row = await transaction
    .selectFrom("jobs")
    .selectAll()
    .where("user_id", "=", caller.userId)
    .where("idempotency_key", "=", idempotency_key)
    .executeTakeFirst();
  if (row && row.request_digest !== request_digest) {
    throw badField("Idempotency-Key", "was used before, for another submission");
  }
  return row;
}
