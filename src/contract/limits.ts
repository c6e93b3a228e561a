/** Limits of the interface (section 8) and of the service's own inputs. */
export const LIMITS = {
  /** Programs in one batch. */
  maxPrograms: 2000,
  /** Shots that can be quoted, and run, at once. */
  maxShots: 100_000,
  defaultQuotedShots: 1000,
  /** Rows of one page. */
  maxPageSize: 100,
  defaultJobPageSize: 50,
  defaultGroupPageSize: 50,
  defaultDevicePageSize: 20,
  maxSearchLength: 255,
  maxSeriesDays: 365,
  defaultSeriesDays: 30,
  maxSeriesQrnLength: 200,
  maxTimezoneLength: 50,
  /** Seconds that a job group may stay open. */
  maxGroupTTL: 86_400,
  defaultGroupTTL: 3600,
  /** Bytes of one request body. */
  maxBodyBytes: 32 * 1024 * 1024,
} as const;
