/** Limits of the interface (section 8) and of the service's own inputs. */
export const LIMITS = {
  maxPrograms: 2000,
  /** Files that come with one program, and the characters of one's name. */
  maxFiles: 100,
  maxFileNameLength: 255,
  maxDeleted: 1000,
  /** Shots that can be quoted, and run, at once. */
  maxShots: 100_000,
  defaultQuotedShots: 1000,
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
  /** Characters of a name, a tag's key, a tag's string. */
  maxNameLength: 255,
  maxTagKeyLength: 255,
  maxTagLength: 1000,
  maxTags: 100,
  /** Values that a run may give to the `input` variables of its programs. */
  maxInputs: 1000,
  /** Tags that a list is narrowed by. */
  maxTagsAsked: 20,
  /** Characters of `metadata` or `runtimeOptions`, as JSON. */
  maxObjectLength: 64 * 1024,
  /** Characters of a noise model of a job's own in `runtimeOptions`, as JSON. */
  maxNoiseModelLength: 256 * 1024,
  maxObservables: 1000,
  /** Outcomes that may be kept shot by shot, over all programs of a job. */
  maxMemoryShots: 1_000_000,
  maxBodyBytes: 8 * 1024 * 1024,
  /** Values of one request body, those inside of others included. */
  maxBodyValues: 50_000,
  maxDetails: 50,
} as const;

/** Header and value in every answer of a service that makes a submission once per `Idempotency-Key`. */
export const KEEPS_KEYS = { header: "idempotency-keys", value: "kept" } as const;

/** Tag of each job and group that the client submits, which holds its idempotency key. */
export const RUN_TAG = "ketbook-run";
