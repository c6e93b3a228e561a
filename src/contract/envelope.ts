import { z } from "zod";
import type { Kit } from "./kit.ts";

/** Where a page stands in its list. */
export interface Pagination {
  /** Number of this page, from 1. */
  page: number;
  /** Rows that a page holds at most. */
  limit: number;
  /** Rows of the whole list. */
  total: number;
  totalPages: number;
  hasNext: boolean;
  hasPrev: boolean;
}

/** Describes a pagination object. */
export const paginationOf = (kit: Kit) =>
  kit.object({
    page: kit.count(),
    limit: kit.count(),
    total: kit.count(),
    totalPages: kit.count(),
    hasNext: kit.flag(),
    hasPrev: kit.flag(),
  });

/** Describes a successful answer that holds one payload. */
export const successOf = <T>(kit: Kit, data: z.ZodType<T>) => kit.object({ success: z.literal(true), data });

/** Describes a successful answer that holds one page of a list. */
export const pageOf = <T>(kit: Kit, row: z.ZodType<T>) =>
  kit.object({
    success: z.literal(true),
    data: z.array(row),
    pagination: paginationOf(kit),
    meta: kit.object({ timestamp: kit.time() }),
  });

/** Computes the pagination object of a page. */
export function paginate(page: number, limit: number, total: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 };
}
