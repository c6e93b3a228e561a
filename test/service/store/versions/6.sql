PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE store_version (version integer not null);
INSERT INTO store_version VALUES(6);
CREATE TABLE IF NOT EXISTS "store_migrations" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO store_migrations VALUES('0001_first_tables','2026-11-22T08:34:53.984Z');
INSERT INTO store_migrations VALUES('0002_idempotency_of_groups','2026-11-22T08:34:53.985Z');
INSERT INTO store_migrations VALUES('0003_uncharged_compute','2026-11-22T08:34:53.986Z');
INSERT INTO store_migrations VALUES('0004_retention_and_audit','2026-11-22T08:34:53.987Z');
INSERT INTO store_migrations VALUES('0005_runs_and_leases','2026-11-22T08:34:53.988Z');
INSERT INTO store_migrations VALUES('0006_requests_chunks_and_rates','2026-11-22T08:34:53.989Z');
CREATE TABLE IF NOT EXISTS "store_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO store_migration_lock VALUES('migration_lock',0);
CREATE TABLE organizations (
      id text primary key, name text not null unique, auto_recharge integer not null, created_at bigint not null);
INSERT INTO organizations VALUES('864d4d1b-ebb9-4300-b1d3-0596b8482ef9','local',0,1795336494023);
CREATE TABLE users (
      id integer primary key autoincrement, organization_id text not null references organizations (id), name text not null,
      tier text not null, created_at bigint not null, unique (organization_id, name));
INSERT INTO users VALUES(1,'864d4d1b-ebb9-4300-b1d3-0596b8482ef9','local','local',1795336494023);
CREATE TABLE api_keys (
      id text primary key, user_id bigint not null references users (id), digest text not null unique,
      hint text not null, allow_json text, created_at bigint not null, revoked_at bigint, scope text not null default 'admin', expires_at bigint);
INSERT INTO api_keys VALUES('f9c6b89c-d2c9-4ea0-b77a-a6cb2e819cc8',1,'5979badbc0745a3e045c2984cc64b3fd9b33cb8256211c6c2ee67591905b5fb2','kb_95888b',NULL,1795336494023,NULL,'admin',NULL);
CREATE TABLE job_groups (
      seq integer primary key autoincrement, id text not null unique, user_id bigint not null references users (id),
      organization_id text not null, name text, status text not null, max_ttl integer not null,
      tags_json text not null, metadata_json text not null,
      created_at bigint not null, updated_at bigint not null, expires_at bigint not null, idempotency_key text, request_digest text);
INSERT INTO job_groups VALUES(1,'d5ccfe84d9fe9e88344e5778',1,'864d4d1b-ebb9-4300-b1d3-0596b8482ef9','g','OPEN',3600,'{"a":1}','{}',1795336494161,1795336494206,1795340094161,NULL,NULL);
CREATE TABLE jobs (
      seq integer primary key autoincrement, qrn text not null unique, user_id bigint not null references users (id),
      organization_id text not null, group_id text references job_groups (id), idempotency_key text,
      request_digest text, device_qrn text not null, vendor text not null, provider text not null,
      device_type text not null, experiment_type text not null, name text, shots integer not null,
      programs integer not null, is_batch integer not null, status text not null, status_msg text,
      attempt integer not null, crashes integer not null, estimate bigint, cost bigint, tags_json text not null,
      options_json text not null, created_at bigint not null,
      updated_at bigint not null, started_at bigint, ended_at bigint, duration_us bigint, deleted_at bigint, purged_at bigint, seed bigint, progress integer, provenance_json text, figures_json text, diagnostics_json text, worker_id text, leased_until bigint, request_id text,
      unique (user_id, idempotency_key));
INSERT INTO jobs VALUES(1,'svc:svc:sim:statevector-69f2-qjob-30d17782c57173cea84f641b',1,'864d4d1b-ebb9-4300-b1d3-0596b8482ef9','d5ccfe84d9fe9e88344e5778','once','1752a043d81e8b8bf36a9f1bd9e56100629603e4942cdc8724a43415fb562f70','svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model','bell',100,1,0,'COMPLETED',NULL,1,0,7500000,375000,'{"lab":"one","n":3,"yes":true}','{"seed":7}',1795336494206,1795336494589,1795336494213,1795336494589,7641,NULL,NULL,7,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}','{"method":"statevector","circuitNumQubits":2,"circuitDepth":3}',NULL,'29de269b-e3e1-4930-8a14-8677d0b35cad',1795336524213,'896edaaa18f560d3');
INSERT INTO jobs VALUES(2,'svc:svc:sim:statevector-ea91-qjob-5c4aa41c9b7680ed9c39df97',1,'864d4d1b-ebb9-4300-b1d3-0596b8482ef9',NULL,NULL,NULL,'svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model',NULL,100,2,1,'COMPLETED',NULL,1,0,7500000,375000,'{}','{}',1795336494601,1795336494613,1795336494602,1795336494613,1640,NULL,NULL,2345881015,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}','{"method":"statevector","circuitNumQubits":2,"circuitDepth":3}',NULL,'29de269b-e3e1-4930-8a14-8677d0b35cad',1795336524602,'96cef384c8ac24e3');
INSERT INTO jobs VALUES(3,'svc:svc:sim:statevector-11b8-qjob-14c5e19a26443f2819478193',1,'864d4d1b-ebb9-4300-b1d3-0596b8482ef9',NULL,NULL,NULL,'svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model',NULL,100,1,0,'FAILED','3:1: There is no gate h. It is part of the library: add `include "stdgates.inc";`.',1,0,7500000,0,'{}','{}',1795336494628,1795336494640,1795336494630,1795336494640,NULL,NULL,NULL,4107567179,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}',NULL,'[{"line":3,"column":1,"message":"There is no gate h.","hint":"It is part of the library: add `include \"stdgates.inc\";`.","length":1}]','29de269b-e3e1-4930-8a14-8677d0b35cad',1795336524630,'99548cbc398dc303');
INSERT INTO jobs VALUES(4,'svc:svc:sim:statevector-4151-qjob-6cd01e7e86c3466776b7c8ed',1,'864d4d1b-ebb9-4300-b1d3-0596b8482ef9',NULL,NULL,NULL,'svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model','gone',100,1,0,'COMPLETED',NULL,1,0,7500000,375000,'{}','{}',1795336494647,1795336494655,1795336494652,1795336494655,660,1795336494664,NULL,1576403263,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}','{"method":"statevector","circuitNumQubits":2,"circuitDepth":3}',NULL,'29de269b-e3e1-4930-8a14-8677d0b35cad',1795336524652,'eef5929bb19281aa');
CREATE TABLE job_documents (
      job_seq bigint not null references jobs (seq), kind text not null, body text not null,
      primary key (job_seq, kind));
INSERT INTO job_documents VALUES(1,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
INSERT INTO job_documents VALUES(1,'results','{"measurementCounts":{"11":55,"00":45},"registers":[{"name":"c","size":2}]}');
INSERT INTO job_documents VALUES(1,'methods','[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
INSERT INTO job_documents VALUES(2,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"},{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
INSERT INTO job_documents VALUES(2,'results',replace('{"measurementCounts":{"11":48,"00":52},"registers":[{"name":"c","size":2}]}\n{"measurementCounts":{"11":48,"00":52},"registers":[{"name":"c","size":2}]}','\n',char(10)));
INSERT INTO job_documents VALUES(2,'methods','[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."},{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
INSERT INTO job_documents VALUES(2,'costs','{"costs":[152515,222485],"durations":[667,973]}');
INSERT INTO job_documents VALUES(3,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\nqubit q;\nh r;"}]');
INSERT INTO job_documents VALUES(4,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
INSERT INTO job_documents VALUES(4,'results','{"measurementCounts":{"11":52,"00":48},"registers":[{"name":"c","size":2}]}');
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
INSERT INTO job_words VALUES(1,1,replace('bell\nsvc:svc:sim:statevector-69f2-qjob-30d17782c57173cea84f641b\nlab\none\nn\n3\nyes\ntrue','\n',char(10)));
INSERT INTO job_words VALUES(1,2,replace('\nsvc:svc:sim:statevector-ea91-qjob-5c4aa41c9b7680ed9c39df97','\n',char(10)));
INSERT INTO job_words VALUES(1,3,replace('\nsvc:svc:sim:statevector-11b8-qjob-14c5e19a26443f2819478193','\n',char(10)));
CREATE TABLE ledger_accounts (id text primary key, balance bigint not null);
INSERT INTO ledger_accounts VALUES('issued',-1000000000000);
INSERT INTO ledger_accounts VALUES('organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',999998875000);
INSERT INTO ledger_accounts VALUES('held:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',0);
INSERT INTO ledger_accounts VALUES('revenue',1125000);
CREATE TABLE ledger_postings (
      seq integer primary key autoincrement, source text not null, kind text not null,
      account_id text not null references ledger_accounts (id), amount bigint not null,
      created_at bigint not null, unique (source, kind, account_id));
INSERT INTO ledger_postings VALUES(1,'grant:1ba059dd-8770-41de-961a-22f683a41b8e','grant','issued',-1000000000000,1795336494023);
INSERT INTO ledger_postings VALUES(2,'grant:1ba059dd-8770-41de-961a-22f683a41b8e','grant','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',1000000000000,1795336494023);
INSERT INTO ledger_postings VALUES(3,'job:1','hold','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-7500000,1795336494206);
INSERT INTO ledger_postings VALUES(4,'job:1','hold','held:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',7500000,1795336494206);
INSERT INTO ledger_postings VALUES(5,'job:1','release','held:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-7500000,1795336494589);
INSERT INTO ledger_postings VALUES(6,'job:1','release','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',7500000,1795336494589);
INSERT INTO ledger_postings VALUES(7,'job:1','charge','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-375000,1795336494589);
INSERT INTO ledger_postings VALUES(8,'job:1','charge','revenue',375000,1795336494589);
INSERT INTO ledger_postings VALUES(9,'job:2','hold','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-7500000,1795336494601);
INSERT INTO ledger_postings VALUES(10,'job:2','hold','held:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',7500000,1795336494601);
INSERT INTO ledger_postings VALUES(11,'job:2','release','held:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-7500000,1795336494613);
INSERT INTO ledger_postings VALUES(12,'job:2','release','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',7500000,1795336494613);
INSERT INTO ledger_postings VALUES(13,'job:2','charge','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-375000,1795336494613);
INSERT INTO ledger_postings VALUES(14,'job:2','charge','revenue',375000,1795336494613);
INSERT INTO ledger_postings VALUES(15,'job:3','hold','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-7500000,1795336494628);
INSERT INTO ledger_postings VALUES(16,'job:3','hold','held:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',7500000,1795336494628);
INSERT INTO ledger_postings VALUES(17,'job:3','release','held:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-7500000,1795336494640);
INSERT INTO ledger_postings VALUES(18,'job:3','release','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',7500000,1795336494640);
INSERT INTO ledger_postings VALUES(19,'job:4','hold','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-7500000,1795336494647);
INSERT INTO ledger_postings VALUES(20,'job:4','hold','held:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',7500000,1795336494647);
INSERT INTO ledger_postings VALUES(21,'job:4','release','held:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-7500000,1795336494655);
INSERT INTO ledger_postings VALUES(22,'job:4','release','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',7500000,1795336494655);
INSERT INTO ledger_postings VALUES(23,'job:4','charge','organization:864d4d1b-ebb9-4300-b1d3-0596b8482ef9',-375000,1795336494655);
INSERT INTO ledger_postings VALUES(24,'job:4','charge','revenue',375000,1795336494655);
CREATE TABLE ledger_holds (
      job_seq bigint primary key references jobs (seq), amount bigint not null, state text not null);
INSERT INTO ledger_holds VALUES(1,7500000,'posted');
INSERT INTO ledger_holds VALUES(2,7500000,'posted');
INSERT INTO ledger_holds VALUES(3,7500000,'posted');
INSERT INTO ledger_holds VALUES(4,7500000,'posted');
CREATE TABLE quota_usage (
      user_id bigint not null, device_qrn text not null, day integer not null, used integer not null,
      primary key (user_id, device_qrn, day));
INSERT INTO quota_usage VALUES(1,'svc:svc:sim:statevector',20779,4);
CREATE TABLE uncharged_compute (
      user_id bigint not null, day integer not null, milliseconds bigint not null, primary key (user_id, day));
CREATE TABLE audit_events (
      seq integer primary key autoincrement, created_at bigint not null, event text not null, actor text not null,
      organization_id text, subject text not null, details_json text not null);
INSERT INTO audit_events VALUES(1,1795336494023,'key.created','service','864d4d1b-ebb9-4300-b1d3-0596b8482ef9','f9c6b89c-d2c9-4ea0-b77a-a6cb2e819cc8','{"user":"local","hint":"kb_95888b","scope":"admin","expiresAt":null,"allow":null}');
INSERT INTO audit_events VALUES(2,1795336494023,'credits.granted','service','864d4d1b-ebb9-4300-b1d3-0596b8482ef9','864d4d1b-ebb9-4300-b1d3-0596b8482ef9','{"organization":"local","credits":1000000}');
INSERT INTO audit_events VALUES(3,1795336494664,'job.deleted','key:f9c6b89c-d2c9-4ea0-b77a-a6cb2e819cc8','864d4d1b-ebb9-4300-b1d3-0596b8482ef9','svc:svc:sim:statevector-4151-qjob-6cd01e7e86c3466776b7c8ed','{"stillRunning":false}');
CREATE TABLE storage_usage (organization_id text primary key, bytes bigint not null);
INSERT INTO storage_usage VALUES('864d4d1b-ebb9-4300-b1d3-0596b8482ef9',1297);
CREATE TABLE run_totals (
      device_qrn text not null, status text not null, runs bigint not null, wait_ms bigint not null,
      run_us bigint not null, primary key (device_qrn, status));
INSERT INTO run_totals VALUES('svc:svc:sim:statevector','COMPLETED',3,13,9941);
INSERT INTO run_totals VALUES('svc:svc:sim:statevector','FAILED',1,2,0);
CREATE TABLE job_document_chunks (
      job_seq bigint not null references jobs (seq), kind text not null, part integer not null, body text not null,
      primary key (job_seq, kind, part));
CREATE TABLE rate_limits (client text primary key, full_at double precision not null);
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
COMMIT;
