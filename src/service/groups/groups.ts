import { randomHex } from "#host";
import {
  formatGroupQrn,
  type GroupStatus,
  type JobGroup,
  LIMITS,
  parseGroupQrn,
  type RuntimeJob,
} from "../../contract/index.ts";
import type { CheckedGroupRequest } from "../../contract/schemas/index.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { findEarlier, insertOnce, readIdempotency, retryTakenKey } from "../idempotency.ts";
import { sourcesOf } from "../jobs/lifecycle.ts";
import { showJobs, toTime } from "../jobs/record.ts";
import { JsonText } from "../store/documents.ts";
import type { GroupRow } from "../store/schema.ts";
import { locksOf, type Store, type StoreTransaction, transact } from "../store/store.ts";
import { GROUPS_OF_DAY, takeQuota } from "../usage/quota.ts";
import { findResolution, hasStatus, isExpired, moveGroup, resolveGroup, statusAt } from "./lifecycle.ts";

/**
 * Makes an open group. The same `Idempotency-Key` gives the group that it made the first time. Throws an HttpError (429)
 * for one that is more than as many a day as the tier has of jobs on a simulator: groups are kept permanently.
 */
export async function createGroup(
  context: Context,
  caller: Caller,
  request: CheckedGroupRequest,
  idempotencyKey: string | undefined,
): Promise<JobGroup> {
  const once = readIdempotency(request, idempotencyKey);
  const now = context.clock();
  const ttl = request.maxTTL ?? LIMITS.defaultGroupTTL;
  const group = {
    ...once,
    id: randomHex(12),
    user_id: caller.userId,
    organization_id: caller.organizationId,
    name: request.name ?? null,
    status: "OPEN" as const,
    max_ttl: ttl,
    tags_json: JSON.stringify(request.tags ?? {}),
    metadata_json: JSON.stringify(request.metadata ?? {}),
    created_at: now,
    updated_at: now,
    expires_at: now + ttl * 1000,
  };
  return retryTakenKey(() =>
    transact(context.store, async transaction => {
      const earlier = await findEarlier(transaction, "job_groups", caller.userId, once);
      if (earlier) return toGroup(transaction, earlier, now);
      await takeQuota(transaction, caller, GROUPS_OF_DAY, now);
      return toGroup(transaction, await insertOnce(transaction, "job_groups", group), now);
    }),
  );
}

/** Lists the caller's groups, newest first. */
export async function listGroups(
  context: Context,
  caller: Caller,
  query: { status?: GroupStatus | undefined; page: number; limit: number },
): Promise<{ rows: JobGroup[]; total: number }> {
  const { store } = context;
  const now = context.clock();
  const mine = store.selectFrom("job_groups").where("user_id", "=", caller.userId);
  const asked = query.status ? mine.where(hasStatus(query.status, now)) : mine;
  const { total } = await asked.select(eb => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await asked
    .selectAll()
    .orderBy("seq", "desc")
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
    .execute();
  return { rows: await toGroups(store, rows, now), total };
}

/** Gets a group. One whose jobs have all ended is resolved before, which is all that a look at it may change. */
export async function getGroup(context: Context, caller: Caller, qrn: string): Promise<JobGroup> {
  const { store, clock } = context;
  const now = clock();
  const group = await findGroup(store, caller, qrn);
  if (!(await findResolution(store, group, now))) return toGroup(store, group, now);
  return transact(store, async transaction => {
    await resolveGroup(transaction, group.id, now);
    return show(transaction, caller, qrn, now);
  });
}

/** Jobs of a group that are read at a time. */
const GROUP_PAGE = 200;

/** Lists all jobs of a group that are not deleted, newest first, page by page as they are read. */
export async function listGroupJobs(
  context: Context,
  caller: Caller,
  qrn: string,
): Promise<JsonText<RuntimeJob[]>> {
  return new JsonText(groupJobs(context, (await findGroup(context.store, caller, qrn)).id));
}

async function* groupJobs(context: Context, groupId: string): AsyncGenerator<string> {
  let before = Number.MAX_SAFE_INTEGER;
  let isFirst = true;
  for (let isLast = false; !isLast; ) {
    const rows = await context.store
      .selectFrom("jobs")
      .selectAll()
      .where("group_id", "=", groupId)
      .where("deleted_at", "is", null)
      .where("seq", "<", before)
      .orderBy("seq", "desc")
      .limit(GROUP_PAGE)
      .execute();
    const jobs = (await showJobs(context, rows)).map(job => JSON.stringify(job));
    yield `${isFirst ? "[" : jobs.length > 0 ? "," : ""}${jobs.join()}`;
    isFirst = false;
    isLast = rows.length < GROUP_PAGE;
    before = rows.at(-1)?.seq ?? 0;
  }
  yield "]";
}

/** Closes a group: it takes no more jobs, and those it has continue. Throws an HttpError (409) when it is terminal. */
export async function closeGroup(context: Context, caller: Caller, qrn: string): Promise<JobGroup> {
  const now = context.clock();
  return transact(context.store, async transaction => {
    const { id } = await findGroup(transaction, caller, qrn);
    await moveGroup(transaction, id, "CLOSED", now);
    return rejectTerminal(await show(transaction, caller, qrn, now), "CLOSED");
  });
}

/** Cancels a group, and every job in it that has not ended. Throws an HttpError (409) when it is terminal. */
export async function cancelGroup(context: Context, caller: Caller, qrn: string): Promise<JobGroup> {
  const { store, clock, queue } = context;
  const now = clock();
  const group = await transact(store, async transaction => {
    const { id } = await findGroup(transaction, caller, qrn);
    if (!(await moveGroup(transaction, id, "CANCELLED", now))) {
      rejectTerminal(await show(transaction, caller, qrn, now), undefined);
    }
    const unended = transaction
      .selectFrom("jobs")
      .select("seq")
      .where("group_id", "=", id)
      .where("status", "in", sourcesOf("CANCELLING"));
    await transaction
      .updateTable("jobs")
      .set({ status: "CANCELLING", updated_at: now })
      .where("seq", "in", locksOf(store)?.lockInOrder(unended) ?? unended)
      .execute();
    return show(transaction, caller, qrn, now);
  });
  queue.cancelled();
  return group;
}

function rejectTerminal(group: JobGroup, allowed: GroupStatus | undefined): JobGroup {
  if (group.status === allowed) return group;
  throw new HttpError("GROUP_TERMINAL", `The group is ${group.status} already.`);
}

async function show(store: Store, caller: Caller, qrn: string, now: number): Promise<JobGroup> {
  return toGroup(store, await findGroup(store, caller, qrn), now);
}

const toGroup = async (store: Store, row: GroupRow, now: number) => (await toGroups(store, [row], now))[0]!;

/** Converts rows of groups to records of the interface, as of a time, with the counts of their jobs. */
async function toGroups(store: Store, rows: readonly GroupRow[], now: number): Promise<JobGroup[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const counts = await store
    .selectFrom("jobs")
    .where("group_id", "in", ids)
    .where("deleted_at", "is", null)
    .groupBy(["group_id", "status"])
    .select(eb => ["group_id", "status", eb.fn.countAll<number>().as("count")])
    .execute();
  return rows.map(row => {
    const mine = counts.filter(count => count.group_id === row.id);
    const of = (status: string) => mine.find(count => count.status === status)?.count ?? 0;
    return {
      groupJobQrn: formatGroupQrn(row.id),
      name: row.name,
      status: statusAt(row, now),
      jobCount: mine.reduce((sum, count) => sum + count.count, 0),
      completedCount: of("COMPLETED"),
      failedCount: of("FAILED"),
      cancelledCount: of("CANCELLED"),
      maxTTL: row.max_ttl,
      tags: JSON.parse(row.tags_json),
      metadata: JSON.parse(row.metadata_json),
      createdAt: toTime(row.created_at),
      updatedAt: toTime(isExpired(row, now) ? row.expires_at : row.updated_at),
      expiresAt: toTime(row.expires_at),
    };
  });
}

/** Finds a group of the caller's; throws an HttpError (404). */
async function findGroup(store: Store, caller: Caller, qrn: string): Promise<GroupRow> {
  const row = await store
    .selectFrom("job_groups")
    .selectAll()
    .where("id", "=", parseGroupQrn(qrn) ?? "")
    .where("user_id", "=", caller.userId)
    .executeTakeFirst();
  if (!row) throw new HttpError("NOT_FOUND", `There is no group ${qrn.slice(0, 200)}.`);
  return row;
}

/** Lets a job into an open group, and keeps the group from closing until the transaction ends. */
export async function addJobToGroup(
  transaction: StoreTransaction,
  caller: Caller,
  qrn: string,
  now: number,
): Promise<string> {
  const group = await findGroup(transaction, caller, qrn);
  const { numUpdatedRows } = await transaction
    .updateTable("job_groups")
    .set({ updated_at: now })
    .where("id", "=", group.id)
    .where("status", "=", "OPEN")
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return group.id;
  const { status } = await findGroup(transaction, caller, qrn);
  const why = status === "OPEN" ? "its time is over" : `it is ${status}`;
  throw new HttpError("GROUP_NOT_OPEN", `The group ${qrn} takes no more jobs: ${why}.`);
}
