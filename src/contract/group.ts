import { z } from "zod";
import type { Tags } from "./job.ts";
import type { Kit } from "./kit.ts";
import { GROUP_STATUSES, type GroupStatus } from "./status.ts";

/** A group of jobs, which is closed or cancelled as a whole. */
export interface JobGroup {
  /** Resource name, `group:<id>`. */
  groupJobQrn: string;
  name: string | null;
  status: GroupStatus;
  /** Jobs in the group, without deleted ones. */
  jobCount: number;
  completedCount: number;
  failedCount: number;
  cancelledCount: number;
  /** Seconds after which the group closes by itself. */
  maxTTL: number;
  tags: Tags;
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
export interface JobGroupQuery {
  status?: GroupStatus;
  page?: number;
  limit?: number;
}

/** Describes a group. */
export const jobGroupOf = (kit: Kit) =>
  kit.object({
    groupJobQrn: kit.text(),
    name: kit.maybe(kit.text()),
    status: kit.oneOf(GROUP_STATUSES),
    jobCount: kit.count(),
    completedCount: kit.count(),
    failedCount: kit.count(),
    cancelledCount: kit.count(),
    maxTTL: kit.count(),
    tags: kit.map(z.union([z.string(), z.number(), z.boolean()])),
    metadata: kit.map(z.unknown()),
    createdAt: kit.maybe(kit.time()),
    updatedAt: kit.maybe(kit.time()),
    expiresAt: kit.maybe(kit.time()),
  });
