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

/** Computes the pagination object of a page. */
export function paginate(page: number, limit: number, total: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 };
}
