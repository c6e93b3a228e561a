PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE store_version (version integer not null);
INSERT INTO store_version VALUES(7);
CREATE TABLE IF NOT EXISTS "store_migrations" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO store_migrations VALUES('0001_first_tables','2026-11-23T23:12:47.760Z');
INSERT INTO store_migrations VALUES('0002_idempotency_of_groups','2026-11-23T23:12:47.761Z');
INSERT INTO store_migrations VALUES('0003_uncharged_compute','2026-11-23T23:12:47.762Z');
INSERT INTO store_migrations VALUES('0004_retention_and_audit','2026-11-23T23:12:47.764Z');
INSERT INTO store_migrations VALUES('0005_runs_and_leases','2026-11-23T23:12:47.770Z');
INSERT INTO store_migrations VALUES('0006_requests_chunks_and_rates','2026-11-23T23:12:47.771Z');
INSERT INTO store_migrations VALUES('0007_workers_and_counts','2026-11-23T23:12:47.773Z');
CREATE TABLE IF NOT EXISTS "store_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO store_migration_lock VALUES('migration_lock',0);
CREATE TABLE organizations (
      id text primary key, name text not null unique, auto_recharge integer not null, created_at bigint not null);
INSERT INTO organizations VALUES('5394b1a9-04a9-4de0-9761-d2e659d4a3fa','local',0,1795475567946);
CREATE TABLE users (
      id integer primary key autoincrement, organization_id text not null references organizations (id), name text not null,
      tier text not null, created_at bigint not null, unique (organization_id, name));
INSERT INTO users VALUES(1,'5394b1a9-04a9-4de0-9761-d2e659d4a3fa','local','local',1795475567946);
CREATE TABLE api_keys (
      id text primary key, user_id bigint not null references users (id), digest text not null unique,
      hint text not null, allow_json text, created_at bigint not null, revoked_at bigint, scope text not null default 'admin', expires_at bigint);
INSERT INTO api_keys VALUES('18a4969d-4a7b-4baa-bb48-9a66a433a7d6',1,'21477cdcff0cc6f5b169ac0884e52230a81b953bb3a9438c3e2bbe7ef20f4c1b','kb_396f0e',NULL,1795475567946,NULL,'admin',NULL);
CREATE TABLE job_groups (
      seq integer primary key autoincrement, id text not null unique, user_id bigint not null references users (id),
      organization_id text not null, name text, status text not null, max_ttl integer not null,
      tags_json text not null, metadata_json text not null,
      created_at bigint not null, updated_at bigint not null, expires_at bigint not null, idempotency_key text, request_digest text);
INSERT INTO job_groups VALUES(1,'4de1329806f205093b885a7a',1,'5394b1a9-04a9-4de0-9761-d2e659d4a3fa','g','OPEN',3600,'{"a":1}','{}',1795475568104,1795475568223,1795479168104,NULL,NULL);
CREATE TABLE jobs (
      seq integer primary key autoincrement, qrn text not null unique, user_id bigint not null references users (id),
      organization_id text not null, group_id text references job_groups (id), idempotency_key text,
      request_digest text, device_qrn text not null, vendor text not null, provider text not null,
      device_type text not null, experiment_type text not null, name text, shots integer not null,
      programs integer not null, is_batch integer not null, status text not null, status_msg text,
      attempt integer not null, crashes integer not null, estimate bigint, cost bigint, tags_json text not null,
      options_json text not null, created_at bigint not null,
      updated_at bigint not null, started_at bigint, ended_at bigint, duration_us bigint, deleted_at bigint, purged_at bigint, seed bigint, progress integer, provenance_json text, figures_json text, diagnostics_json text, worker_id text, leased_until bigint, request_id text, required_bytes bigint,
      unique (user_id, idempotency_key));
INSERT INTO jobs VALUES(1,'svc:svc:sim:statevector-8f0e-qjob-4a490e2408c7d23c25006962',1,'5394b1a9-04a9-4de0-9761-d2e659d4a3fa','4de1329806f205093b885a7a','once','7dce30be5ea2184e5ebe5a310c154e776686b11c8e6cb90788f254470baed669','svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model','bell',100,1,0,'COMPLETED',NULL,1,0,7500000,375000,'{"lab":"one","n":3,"yes":true}','{"seed":7}',1795475568223,1795475573722,1795475568242,1795475573722,1144,NULL,NULL,7,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}','{"method":"statevector","circuitNumQubits":2,"circuitDepth":3}',NULL,'5419cc1d-6192-4e9b-acb3-5833c439fea9',1795475598242,'bddb86a928046d74',NULL);
INSERT INTO jobs VALUES(2,'svc:svc:sim:statevector-77e5-qjob-cd1e26d556e8b43060e288cf',1,'5394b1a9-04a9-4de0-9761-d2e659d4a3fa',NULL,NULL,NULL,'svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model',NULL,100,2,1,'COMPLETED',NULL,1,0,7500000,375000,'{}','{}',1795475573853,1795475573870,1795475573854,1795475573870,5453,NULL,NULL,3709125452,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}','{"method":"statevector","circuitNumQubits":2,"circuitDepth":3}',NULL,'5419cc1d-6192-4e9b-acb3-5833c439fea9',1795475603854,'d9bf3ace53077d4e',NULL);
INSERT INTO jobs VALUES(3,'svc:svc:sim:statevector-b582-qjob-09fa873cc23c6a1545af716e',1,'5394b1a9-04a9-4de0-9761-d2e659d4a3fa',NULL,NULL,NULL,'svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model',NULL,100,1,0,'FAILED','3:1: There is no gate h. It is part of the library: add `include "stdgates.inc";`.',1,0,7500000,0,'{}','{}',1795475573883,1795475573891,1795475573887,1795475573891,NULL,NULL,NULL,4031838769,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}',NULL,'[{"line":3,"column":1,"message":"There is no gate h.","hint":"It is part of the library: add `include \"stdgates.inc\";`.","length":1}]','5419cc1d-6192-4e9b-acb3-5833c439fea9',1795475603887,'bbe1da8278a9435b',NULL);
INSERT INTO jobs VALUES(4,'svc:svc:sim:statevector-2f0d-qjob-42dea31ed5f989964f2c0d73',1,'5394b1a9-04a9-4de0-9761-d2e659d4a3fa',NULL,NULL,NULL,'svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model','gone',100,1,0,'COMPLETED',NULL,1,0,7500000,375000,'{}','{}',1795475573903,1795475573914,1795475573904,1795475573914,3696,1795475573921,NULL,1971026285,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}','{"method":"statevector","circuitNumQubits":2,"circuitDepth":3}',NULL,'5419cc1d-6192-4e9b-acb3-5833c439fea9',1795475603904,'66833f6148077ef8',NULL);
CREATE TABLE job_documents (
      job_seq bigint not null references jobs (seq), kind text not null, body text not null,
      primary key (job_seq, kind));
INSERT INTO job_documents VALUES(1,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
INSERT INTO job_documents VALUES(1,'results','{"measurementCounts":{"11":55,"00":45},"registers":[{"name":"c","size":2}]}');
INSERT INTO job_documents VALUES(1,'methods','[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
INSERT INTO job_documents VALUES(2,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"},{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
INSERT INTO job_documents VALUES(2,'results',replace('{"measurementCounts":{"11":61,"00":39},"registers":[{"name":"c","size":2}]}\n{"measurementCounts":{"11":53,"00":47},"registers":[{"name":"c","size":2}]}','\n',char(10)));
INSERT INTO job_documents VALUES(2,'methods','[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."},{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
INSERT INTO job_documents VALUES(2,'costs','{"costs":[32803,342197],"durations":[477,4976]}');
INSERT INTO job_documents VALUES(3,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\nqubit q;\nh r;"}]');
INSERT INTO job_documents VALUES(4,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
INSERT INTO job_documents VALUES(4,'results','{"measurementCounts":{"11":54,"00":46},"registers":[{"name":"c","size":2}]}');
INSERT INTO job_documents VALUES(4,'methods','[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
CREATE TABLE job_tags (
      user_id bigint not null, key text not null, type text not null, value text not null,
      job_seq bigint not null references jobs (seq), primary key (user_id, key, type, value, job_seq)) without rowid;
INSERT INTO job_tags VALUES(1,'lab','string','one',1);
INSERT INTO job_tags VALUES(1,'n','number','3',1);
INSERT INTO job_tags VALUES(1,'yes','boolean','true',1);
CREATE TABLE job_words (
      user_id bigint not null, job_seq bigint not null references jobs (seq), text text not null,
      primary key (user_id, job_seq)) without rowid;
INSERT INTO job_words VALUES(1,1,replace('bell\nsvc:svc:sim:statevector-8f0e-qjob-4a490e2408c7d23c25006962\nlab\none\nn\n3\nyes\ntrue','\n',char(10)));
INSERT INTO job_words VALUES(1,2,replace('\nsvc:svc:sim:statevector-77e5-qjob-cd1e26d556e8b43060e288cf','\n',char(10)));
INSERT INTO job_words VALUES(1,3,replace('\nsvc:svc:sim:statevector-b582-qjob-09fa873cc23c6a1545af716e','\n',char(10)));
CREATE TABLE ledger_accounts (id text primary key, balance bigint not null);
INSERT INTO ledger_accounts VALUES('issued',-1000000000000);
INSERT INTO ledger_accounts VALUES('organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',999998875000);
INSERT INTO ledger_accounts VALUES('held:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',0);
INSERT INTO ledger_accounts VALUES('revenue',1125000);
CREATE TABLE ledger_postings (
      seq integer primary key autoincrement, source text not null, kind text not null,
      account_id text not null references ledger_accounts (id), amount bigint not null,
      created_at bigint not null, unique (source, kind, account_id));
INSERT INTO ledger_postings VALUES(1,'grant:faeaf4c5-2450-4a79-af28-2b51aa23a563','grant','issued',-1000000000000,1795475567946);
INSERT INTO ledger_postings VALUES(2,'grant:faeaf4c5-2450-4a79-af28-2b51aa23a563','grant','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',1000000000000,1795475567946);
INSERT INTO ledger_postings VALUES(3,'job:1','hold','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-7500000,1795475568223);
INSERT INTO ledger_postings VALUES(4,'job:1','hold','held:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',7500000,1795475568223);
INSERT INTO ledger_postings VALUES(5,'job:1','release','held:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-7500000,1795475573722);
INSERT INTO ledger_postings VALUES(6,'job:1','release','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',7500000,1795475573722);
INSERT INTO ledger_postings VALUES(7,'job:1','charge','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-375000,1795475573722);
INSERT INTO ledger_postings VALUES(8,'job:1','charge','revenue',375000,1795475573722);
INSERT INTO ledger_postings VALUES(9,'job:2','hold','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-7500000,1795475573853);
INSERT INTO ledger_postings VALUES(10,'job:2','hold','held:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',7500000,1795475573853);
INSERT INTO ledger_postings VALUES(11,'job:2','release','held:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-7500000,1795475573870);
INSERT INTO ledger_postings VALUES(12,'job:2','release','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',7500000,1795475573870);
INSERT INTO ledger_postings VALUES(13,'job:2','charge','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-375000,1795475573870);
INSERT INTO ledger_postings VALUES(14,'job:2','charge','revenue',375000,1795475573870);
INSERT INTO ledger_postings VALUES(15,'job:3','hold','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-7500000,1795475573883);
INSERT INTO ledger_postings VALUES(16,'job:3','hold','held:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',7500000,1795475573883);
INSERT INTO ledger_postings VALUES(17,'job:3','release','held:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-7500000,1795475573891);
INSERT INTO ledger_postings VALUES(18,'job:3','release','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',7500000,1795475573891);
INSERT INTO ledger_postings VALUES(19,'job:4','hold','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-7500000,1795475573903);
INSERT INTO ledger_postings VALUES(20,'job:4','hold','held:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',7500000,1795475573903);
INSERT INTO ledger_postings VALUES(21,'job:4','release','held:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-7500000,1795475573914);
INSERT INTO ledger_postings VALUES(22,'job:4','release','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',7500000,1795475573914);
INSERT INTO ledger_postings VALUES(23,'job:4','charge','organization:5394b1a9-04a9-4de0-9761-d2e659d4a3fa',-375000,1795475573914);
INSERT INTO ledger_postings VALUES(24,'job:4','charge','revenue',375000,1795475573914);
CREATE TABLE ledger_holds (
      job_seq bigint primary key references jobs (seq), amount bigint not null, state text not null);
INSERT INTO ledger_holds VALUES(1,7500000,'posted');
INSERT INTO ledger_holds VALUES(2,7500000,'posted');
INSERT INTO ledger_holds VALUES(3,7500000,'posted');
INSERT INTO ledger_holds VALUES(4,7500000,'posted');
CREATE TABLE quota_usage (
      user_id bigint not null, device_qrn text not null, day integer not null, used integer not null,
      primary key (user_id, device_qrn, day));
INSERT INTO quota_usage VALUES(1,'groups',20780,1);
INSERT INTO quota_usage VALUES(1,'svc:svc:sim:statevector',20780,4);
CREATE TABLE uncharged_compute (
      user_id bigint not null, day integer not null, milliseconds bigint not null, primary key (user_id, day));
INSERT INTO uncharged_compute VALUES(1,20780,3);
CREATE TABLE audit_events (
      seq integer primary key autoincrement, created_at bigint not null, event text not null, actor text not null,
      organization_id text, subject text not null, details_json text not null);
INSERT INTO audit_events VALUES(1,1795475567946,'key.created','service','5394b1a9-04a9-4de0-9761-d2e659d4a3fa','18a4969d-4a7b-4baa-bb48-9a66a433a7d6','{"user":"local","hint":"kb_396f0e","scope":"admin","expiresAt":null,"allow":null}');
INSERT INTO audit_events VALUES(2,1795475567946,'credits.granted','service','5394b1a9-04a9-4de0-9761-d2e659d4a3fa','5394b1a9-04a9-4de0-9761-d2e659d4a3fa','{"organization":"local","credits":1000000}');
INSERT INTO audit_events VALUES(3,1795475573921,'job.deleted','key:18a4969d-4a7b-4baa-bb48-9a66a433a7d6','5394b1a9-04a9-4de0-9761-d2e659d4a3fa','svc:svc:sim:statevector-2f0d-qjob-42dea31ed5f989964f2c0d73','{"stillRunning":false}');
CREATE TABLE storage_usage (organization_id text primary key, bytes bigint not null);
INSERT INTO storage_usage VALUES('5394b1a9-04a9-4de0-9761-d2e659d4a3fa',1297);
CREATE TABLE run_totals (
      device_qrn text not null, status text not null, runs bigint not null, wait_ms bigint not null,
      run_us bigint not null, primary key (device_qrn, status));
INSERT INTO run_totals VALUES('svc:svc:sim:statevector','COMPLETED',3,21,10293);
INSERT INTO run_totals VALUES('svc:svc:sim:statevector','FAILED',1,4,0);
CREATE TABLE job_document_chunks (
      job_seq bigint not null references jobs (seq), kind text not null, part integer not null, body text not null,
      primary key (job_seq, kind, part));
CREATE TABLE rate_limits (client text primary key, full_at double precision not null);
CREATE TABLE workers (
      id text primary key, name text not null, started_at bigint not null, seen_at bigint not null,
      slots integer not null, memory_bytes bigint not null, offers_json text not null);
CREATE TABLE job_counts (
      user_id bigint not null, vendor text not null, provider text not null, experiment_type text not null,
      device_type text not null, status text not null, jobs bigint not null, settled bigint not null,
      cost bigint not null, shots bigint not null,
      primary key (user_id, vendor, provider, experiment_type, device_type, status));
INSERT INTO job_counts VALUES(1,'svc','svc','gate_model','SIMULATOR','COMPLETED',2,2,750000,200);
INSERT INTO job_counts VALUES(1,'svc','svc','gate_model','SIMULATOR','FAILED',1,1,0,100);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('users',1);
INSERT INTO sqlite_sequence VALUES('ledger_postings',24);
INSERT INTO sqlite_sequence VALUES('audit_events',3);
INSERT INTO sqlite_sequence VALUES('job_groups',1);
INSERT INTO sqlite_sequence VALUES('jobs',4);
CREATE INDEX job_groups_listed on job_groups (user_id, seq, status);
CREATE INDEX jobs_listed on jobs (user_id, seq, status, vendor, provider) where deleted_at is null;
CREATE INDEX jobs_waiting on jobs (status, seq, device_qrn) where ended_at is null;
CREATE INDEX jobs_ended on jobs (device_qrn, ended_at) where ended_at is not null;
CREATE INDEX jobs_of_day on jobs (user_id, device_qrn, status, ended_at);
CREATE INDEX jobs_of_group on jobs (group_id, status) where group_id is not null;
CREATE INDEX job_tags_of_job on job_tags (job_seq);
CREATE INDEX ledger_postings_of_account on ledger_postings (account_id);
CREATE UNIQUE INDEX job_groups_idempotency on job_groups (user_id, idempotency_key);
CREATE INDEX jobs_of_group_listed on jobs (group_id, seq) where group_id is not null;
CREATE INDEX jobs_deleted on jobs (deleted_at) where deleted_at is not null and purged_at is null;
CREATE INDEX jobs_unended on jobs (user_id, device_qrn, seq) where ended_at is null;
CREATE INDEX jobs_of_status on jobs (user_id, status, seq) where deleted_at is null;
CREATE TRIGGER jobs_counted_at_insert after insert on jobs when new.ended_at is not null and new.deleted_at is null begin insert into job_counts (user_id, vendor, provider, experiment_type, device_type, status, jobs, settled, cost, shots)
    values (new.user_id, new.vendor, new.provider, new.experiment_type, new.device_type, new.status,
      +1, +(case when new.cost is null then 0 else 1 end), +coalesce(new.cost, 0), +new.shots)
    on conflict (user_id, vendor, provider, experiment_type, device_type, status) do update set
      jobs = job_counts.jobs + excluded.jobs, settled = job_counts.settled + excluded.settled,
      cost = job_counts.cost + excluded.cost, shots = job_counts.shots + excluded.shots; end;
CREATE TRIGGER jobs_counted_at_end after update of ended_at on jobs when old.ended_at is null and new.ended_at is not null and new.deleted_at is null begin insert into job_counts (user_id, vendor, provider, experiment_type, device_type, status, jobs, settled, cost, shots)
    values (new.user_id, new.vendor, new.provider, new.experiment_type, new.device_type, new.status,
      +1, +(case when new.cost is null then 0 else 1 end), +coalesce(new.cost, 0), +new.shots)
    on conflict (user_id, vendor, provider, experiment_type, device_type, status) do update set
      jobs = job_counts.jobs + excluded.jobs, settled = job_counts.settled + excluded.settled,
      cost = job_counts.cost + excluded.cost, shots = job_counts.shots + excluded.shots; end;
CREATE TRIGGER jobs_counted_at_deletion after update of deleted_at on jobs when old.deleted_at is null and new.deleted_at is not null and new.ended_at is not null begin insert into job_counts (user_id, vendor, provider, experiment_type, device_type, status, jobs, settled, cost, shots)
    values (new.user_id, new.vendor, new.provider, new.experiment_type, new.device_type, new.status,
      -1, -(case when new.cost is null then 0 else 1 end), -coalesce(new.cost, 0), -new.shots)
    on conflict (user_id, vendor, provider, experiment_type, device_type, status) do update set
      jobs = job_counts.jobs + excluded.jobs, settled = job_counts.settled + excluded.settled,
      cost = job_counts.cost + excluded.cost, shots = job_counts.shots + excluded.shots; end;
COMMIT;
