import { z } from "zod";

/** Position of a page in its list. */
export interface Pagination {
  /** Number of this page, from 1. */
  page: number;
  /** Rows that a page holds at most. */
  limit: number;
  /** Rows of the whole list. */
  total: number;
  /** Pages of the whole list. */
  totalPages: number;
  /** Whether there is a page after this one. */
  hasNext: boolean;
  /** Whether there is a page before this one. */
  hasPrev: boolean;
}

/** Selects a page of a list. */
export interface PageQuery {
  /** Number of the page. Default: 1. */
  page?: number;
  /** Rows of a page at most, 1 to 100. */
  limit?: number;
}

/** Describes a pagination object. */
export const paginationSchema = z.strictObject({
  page: z.int().min(0),
  limit: z.int().min(0),
  total: z.int().min(0),
  totalPages: z.int().min(0),
  hasNext: z.boolean(),
  hasPrev: z.boolean(),
});

/** Describes a successful answer that holds one payload. */
export const successOf = <T>(data: z.ZodType<T>) => z.strictObject({ success: z.literal(true), data });

/** Describes a successful answer that holds one page of a list. */
export const pageOf = <T>(row: z.ZodType<T>) =>
  z.strictObject({
    success: z.literal(true),
    data: z.array(row),
    pagination: paginationSchema,
    meta: z.strictObject({ timestamp: z.iso.datetime() }),
  });

/** Computes the pagination object of a page. */
export function paginate(page: number, limit: number, total: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 };
}
