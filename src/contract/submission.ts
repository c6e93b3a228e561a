/** Header and value in every answer of a service that makes a submission once per `Idempotency-Key`. */
export const KEEPS_KEYS = { header: "idempotency-keys", value: "kept" } as const;

/** Tag of each job and group that the client submits, which holds its idempotency key. */
export const RUN_TAG = "ketbook-run";
