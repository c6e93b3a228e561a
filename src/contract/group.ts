import type { PageQuery } from "./envelope.ts";
import type { RecordedTags, Tags } from "./job.ts";
import type { GroupStatus, OpenEnum } from "./status.ts";

/** A group of jobs, which is closed or cancelled as a whole. */
export interface JobGroup {
  /** Resource name, `group:<id>`. */
  groupJobQrn: string;
  /** Name for people. */
  name: string | null;
  /** Only an `OPEN` group takes jobs. */
  status: OpenEnum<GroupStatus>;
  /** Jobs in the group, without deleted ones; null, like every figure here, where the service does not say. */
  jobCount: number | null;
  /** Jobs that completed. */
  completedCount: number | null;
  /** Jobs that failed. */
  failedCount: number | null;
  /** Jobs that were cancelled. */
  cancelledCount: number | null;
  /** Seconds after which the group closes by itself. */
  maxTTL: number | null;
  /** Tags by key. */
  tags: RecordedTags;
  /** Metadata given when the group was created. */
  metadata: { [key: string]: unknown };
  /** Time of creation (ISO 8601). */
  createdAt: string | null;
  /** Time of the last change of the record (ISO 8601). */
  updatedAt: string | null;
  /** Time when the group closes automatically (ISO 8601). */
  expiresAt: string | null;
}

/** Request for a new group. */
export interface JobGroupRequest {
  /** Name for people. */
  name?: string | null;
  /** Tags by key. */
  tags?: Tags;
  /** Anything to be kept with the group. */
  metadata?: { [key: string]: unknown };
  /** Seconds, 1 to 86400; 3600 if not given. */
  maxTTL?: number;
}

/** Filters of a group list. */
export interface GroupFilter {
  /** Such as `OPEN`. */
  status?: OpenEnum<GroupStatus>;
}

/** A query for a page of groups. */
export interface JobGroupQuery extends GroupFilter, PageQuery {}
