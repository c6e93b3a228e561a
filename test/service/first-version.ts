/** Statements that make the tables of a store those of the first version. */
export const TO_FIRST_VERSION = `
  drop table uncharged_compute;
  drop index jobs_of_group_listed;
  drop index job_groups_idempotency;
  alter table job_groups drop column idempotency_key;
  alter table job_groups drop column request_digest;
  alter table api_keys drop column scope;
  alter table api_keys drop column expires_at;
  drop table audit_events;
  drop index jobs_deleted;
  alter table jobs drop column purged_at;
  drop table storage_usage;
  drop table run_totals;
  update store_version set version = 1`;
