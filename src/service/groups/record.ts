import type { JobGroup } from "../../contract/group.ts";
import { formatGroupQrn } from "../../contract/qrn.ts";
import { toTime } from "../jobs/record.ts";
import type { GroupRow } from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import { isExpired, statusAt } from "./lifecycle.ts";

/** Converts rows of groups to records of the interface, as they stand at a time, with the counts of their jobs. */
export async function toGroups(store: Store, rows: readonly GroupRow[], now: number): Promise<JobGroup[]> {
  if (rows.length === 0) return [];
  const counts = await store
    .selectFrom("jobs")
    .where(
      "group_id",
      "in",
      rows.map(row => row.id),
    )
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
