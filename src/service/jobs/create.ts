import { createHash, randomBytes, randomInt } from "node:crypto";
import type { RuntimeJob } from "../../contract/job.ts";
import { LIMITS } from "../../contract/limits.ts";
import { formatJobQrn } from "../../contract/qrn.ts";
import type { CheckedJobRequest } from "../../contract/request.ts";
import { mayUse } from "../accounts/permission.ts";
import { hold } from "../billing/ledger.ts";
import { totalOf } from "../billing/price.ts";
import { estimate } from "../billing/quote.ts";
import type { CatalogueDevice } from "../catalogue/catalogue.ts";
import type { Caller, Context } from "../context.ts";
import { enterGroup } from "../groups/enter.ts";
import { badField, Refusal } from "../refusal.ts";
import type { JobRow } from "../store/schema.ts";
import { type StoreTransaction, transact } from "../store/store.ts";
import { takeQuota } from "../usage/quota.ts";
import { checkAgainstDevice } from "./check.ts";
import { queuePositions } from "./queue.ts";
import { toJob } from "./record.ts";

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
  const { store } = context;
  if (
    idempotencyKey !== undefined &&
    (idempotencyKey === "" || idempotencyKey.length > LIMITS.maxNameLength)
  ) {
    throw badField("Idempotency-Key", `must have 1 to ${LIMITS.maxNameLength} characters`);
  }
  const requestDigest = idempotencyKey
    ? createHash("sha256").update(JSON.stringify(request)).digest("hex")
    : null;
  const row = await transact(store, async transaction => {
    const earlier = await findEarlier(transaction, caller, idempotencyKey, requestDigest);
    if (earlier) return earlier;
    const device = usableDevice(context, caller, request.deviceQrn);
    checkAgainstDevice(request, device);
    const now = context.clock();
    const groupId = request.groupJobQrn
      ? await enterGroup(transaction, caller, request.groupJobQrn, now)
      : null;
    const programs = Array.isArray(request.program) ? request.program : [request.program];
    const quote = await estimate(transaction, device, { programs: programs.length, shots: request.shots });
    const estimated = "price" in quote ? totalOf(quote.price) : null;
    const row = await transaction
      .insertInto("jobs")
      .values({
        ...newJob(caller, request, device, now),
        group_id: groupId,
        programs: programs.length,
        estimate: estimated,
        idempotency_key: idempotencyKey ?? null,
        request_digest: requestDigest,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto("job_documents")
      .values({ job_seq: row.seq, kind: "programs", body: JSON.stringify(programs) })
      .execute();
    await makeFindable(transaction, row);
    if (device.deviceType === "SIMULATOR") await takeQuota(transaction, caller, device.qrn, now);
    await hold(transaction, { seq: row.seq, organizationId: row.organization_id }, estimated ?? 0, now);
    return row;
  });
  context.wake();
  const positions = await queuePositions(store, [row]);
  return toJob(row, positions.get(row.seq) ?? null);
}

/** Finds a device that the caller may use and that is not retired; refuses with 404, 403 or 410. */
export function quotableDevice({ catalogue }: Context, caller: Caller, qrn: string): CatalogueDevice {
  const device = catalogue.get(qrn);
  if (!device) throw new Refusal("NOT_FOUND", `There is no device ${qrn}.`);
  if (!mayUse(caller, qrn)) throw new Refusal("DEVICE_FORBIDDEN", `The key may not run jobs on ${qrn}.`);
  if (device.status === "RETIRED") {
    throw new Refusal("DEVICE_RETIRED", `${qrn} is retired. ${device.statusMsg ?? ""}`.trim());
  }
  return device;
}

function usableDevice(context: Context, caller: Caller, qrn: string): CatalogueDevice {
  const device = quotableDevice(context, caller, qrn);
  if (device.status !== "ONLINE") {
    const why = device.statusMsg ?? "";
    throw new Refusal("DEVICE_NOT_AVAILABLE", `${qrn} takes no jobs: it is ${device.status}. ${why}`.trim());
  }
  return device;
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

async function findEarlier(
  transaction: StoreTransaction,
  caller: Caller,
  key: string | undefined,
  digest: string | null,
): Promise<JobRow | undefined> {
  if (key === undefined) return undefined;
  const row = await transaction
    .selectFrom("jobs")
    .selectAll()
    .where("user_id", "=", caller.userId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
  if (row && row.request_digest !== digest) {
    throw badField("Idempotency-Key", "was used before, for another submission");
  }
  return row;
}

/** Writes what the job is found by: its tags, and the words that a search looks through. */
async function makeFindable(transaction: StoreTransaction, row: JobRow): Promise<void> {
  const tags = Object.entries(JSON.parse(row.tags_json) as Record<string, string | number | boolean>);
  const words = [row.name ?? "", row.qrn, ...tags.flatMap(([key, value]) => [key, String(value)])];
  await transaction
    .insertInto("job_words")
    .values({ user_id: row.user_id, job_seq: row.seq, text: words.join("\n").toLowerCase() })
    .execute();
  if (tags.length === 0) return;
  const rows = tags.map(([key, value]) => ({
    user_id: row.user_id,
    key,
    type: typeof value,
    value: String(value),
    job_seq: row.seq,
  }));
  await transaction.insertInto("job_tags").values(rows).execute();
}
