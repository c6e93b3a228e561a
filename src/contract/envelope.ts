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

export function paginate(page: number, limit: number, total: number): Pagination {
  const totalPages = Math.ceil(total / limit);
  return { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 };
}

/** Every error code of the service, with the HTTP status that it travels under. */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  NO_VALID_AUTHENTICATION: 401,
  INVALID_API_KEY_FORMAT: 401,
  INVALID_API_KEY: 401,
  INSUFFICIENT_CREDITS: 402,
  FORBIDDEN: 403,
  DEVICE_FORBIDDEN: 403,
  NOT_FOUND: 404,
  RESULT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  DEVICE_NOT_AVAILABLE: 409,
  GROUP_NOT_OPEN: 409,
  GROUP_TERMINAL: 409,
  JOB_CANCEL_CONFLICT: 409,
  PROGRAM_FORMAT_UNSUPPORTED: 409,
  DEVICE_RETIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  QUOTA_EXCEEDED: 429,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  STORE_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const;

/** Error code for programs. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** One bad field of a request. */
export interface ErrorDetail {
  /** Path of the field, such as `shots` or `program.3.format`. */
  path: string;
  /** Description of the field's problem. */
  message: string;
}
