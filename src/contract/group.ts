import { z } from "zod";
import type { PageQuery } from "./envelope.ts";
import type { RecordedTags, Tags } from "./job.ts";
import { GROUP_STATUSES, type GroupStatus, type OpenEnum } from "./status.ts";

/** A group of jobs, which is closed or cancelled as a whole. */
export interface JobGroup {
  /** Resource name, `group:<id>`. */
  groupJobQrn: string;
  name: string | null;
  status: OpenEnum<GroupStatus>;
  /** Jobs in the group, without deleted ones; null, like every figure here, where the service does not say. */
  jobCount: number | null;
  completedCount: number | null;
  failedCount: number | null;
  cancelledCount: number | null;
  /** Seconds after which the group closes by itself. */
  maxTTL: number | null;
  tags: RecordedTags;
  metadata: { [key: string]: unknown };
  createdAt: string | null;
  updatedAt: string | null;
  expiresAt: string | null;
}

/** What a group is made from. */
export interface JobGroupRequest {
  name?: string | null;
  tags?: Tags;
  metadata?: { [key: string]: unknown };
  /** Seconds, 1 to 86400; 3600 if not given. */
  maxTTL?: number;
}

/** What a list of groups can be narrowed by. */
export interface GroupFilter {
  status?: GroupStatus;
}

/** Asks for a page of groups. */
export interface JobGroupQuery extends GroupFilter, PageQuery {}

/** Describes a group. */
export const jobGroupSchema = z.strictObject({
  groupJobQrn: z.string(),
  name: z.nullable(z.string()),
  status: z.enum(GROUP_STATUSES),
  jobCount: z.int().min(0),
  completedCount: z.int().min(0),
  failedCount: z.int().min(0),
  cancelledCount: z.int().min(0),
  maxTTL: z.int().min(0),
  tags: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.nullable(z.iso.datetime()),
  updatedAt: z.nullable(z.iso.datetime()),
  expiresAt: z.nullable(z.iso.datetime()),
});
