PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE store_version (version integer not null);
INSERT INTO store_version VALUES(5);
CREATE TABLE IF NOT EXISTS "store_migrations" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
INSERT INTO store_migrations VALUES('0001_first_tables','2026-11-22T08:00:08.136Z');
INSERT INTO store_migrations VALUES('0002_idempotency_of_groups','2026-11-22T08:00:08.137Z');
INSERT INTO store_migrations VALUES('0003_uncharged_compute','2026-11-22T08:00:08.138Z');
INSERT INTO store_migrations VALUES('0004_retention_and_audit','2026-11-22T08:00:08.139Z');
INSERT INTO store_migrations VALUES('0005_runs_and_leases','2026-11-22T08:00:08.140Z');
CREATE TABLE IF NOT EXISTS "store_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
INSERT INTO store_migration_lock VALUES('migration_lock',0);
CREATE TABLE organizations (
      id text primary key, name text not null unique, auto_recharge integer not null, created_at bigint not null);
INSERT INTO organizations VALUES('3db7b3d7-f3bd-4779-b0f8-c0f4211e5618','local',0,1795334408276);
CREATE TABLE users (
      id integer primary key autoincrement, organization_id text not null references organizations (id), name text not null,
      tier text not null, created_at bigint not null, unique (organization_id, name));
INSERT INTO users VALUES(1,'3db7b3d7-f3bd-4779-b0f8-c0f4211e5618','local','local',1795334408276);
CREATE TABLE api_keys (
      id text primary key, user_id bigint not null references users (id), digest text not null unique,
      hint text not null, allow_json text, created_at bigint not null, revoked_at bigint, scope text not null default 'admin', expires_at bigint);
INSERT INTO api_keys VALUES('cc34e489-8440-47ab-93a7-6c0235965669',1,'21cfadcf76fd56425cd06f18ceece2450bcd99ac8b165c8900820ffaa1fec537','kb_3c3bb2',NULL,1795334408276,NULL,'admin',NULL);
CREATE TABLE job_groups (
      seq integer primary key autoincrement, id text not null unique, user_id bigint not null references users (id),
      organization_id text not null, name text, status text not null, max_ttl integer not null,
      tags_json text not null, metadata_json text not null,
      created_at bigint not null, updated_at bigint not null, expires_at bigint not null, idempotency_key text, request_digest text);
INSERT INTO job_groups VALUES(1,'4e657d18b047942e56729a53',1,'3db7b3d7-f3bd-4779-b0f8-c0f4211e5618','first group','OPEN',3600,'{"a":1}','{}',1795334408585,1795334408686,1795338008585,'group','621c6dd8cf4642c73528fc7b000bbd50054cebe09bed804c890a5a4c66ddf4cc');
CREATE TABLE jobs (
      seq integer primary key autoincrement, qrn text not null unique, user_id bigint not null references users (id),
      organization_id text not null, group_id text references job_groups (id), idempotency_key text,
      request_digest text, device_qrn text not null, vendor text not null, provider text not null,
      device_type text not null, experiment_type text not null, name text, shots integer not null,
      programs integer not null, is_batch integer not null, status text not null, status_msg text,
      attempt integer not null, crashes integer not null, estimate bigint, cost bigint, tags_json text not null,
      options_json text not null, created_at bigint not null,
      updated_at bigint not null, started_at bigint, ended_at bigint, duration_us bigint, deleted_at bigint, purged_at bigint, seed bigint, progress integer, provenance_json text, figures_json text, diagnostics_json text, worker_id text, leased_until bigint,
      unique (user_id, idempotency_key));
INSERT INTO jobs VALUES(1,'svc:svc:sim:statevector-031f-qjob-0734c37029f5d24cdc16f055',1,'3db7b3d7-f3bd-4779-b0f8-c0f4211e5618','4e657d18b047942e56729a53','once','630157d8ab3aabc7e71b6523243a46bb5d0e02b4b8aa2076b6eb4da5603c31ff','svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model','bell',100,1,0,'COMPLETED',NULL,1,0,7500000,375000,'{"kind":"first","n":3}','{"seed":7}',1795334408686,1795334410650,1795334408725,1795334410650,6898,NULL,NULL,7,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}','{"method":"statevector","circuitNumQubits":2,"circuitDepth":3}',NULL,'32d97e0c-4243-454d-a77b-59d80db18a36',1795334438725);
INSERT INTO jobs VALUES(2,'svc:svc:sim:statevector-48fc-qjob-e7f4e4f4c09049f147347ea6',1,'3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',NULL,NULL,NULL,'svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model',NULL,100,2,1,'COMPLETED',NULL,1,0,7500000,375000,'{}','{}',1795334408833,1795334411407,1795334408840,1795334411407,6484,NULL,NULL,3521922482,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}','{"method":"statevector","circuitNumQubits":2,"circuitDepth":3}',NULL,'32d97e0c-4243-454d-a77b-59d80db18a36',1795334438840);
INSERT INTO jobs VALUES(3,'svc:svc:sim:statevector-1824-qjob-2ca52fb897cc06596c2f7a82',1,'3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',NULL,NULL,NULL,'svc:svc:sim:statevector','svc','svc','SIMULATOR','gate_model',NULL,100,1,0,'FAILED','2:10: nonsense is not declared.',1,0,7500000,0,'{}','{}',1795334408938,1795334410658,1795334410650,1795334410658,NULL,NULL,NULL,3046561446,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":null}',NULL,'[{"line":2,"column":10,"message":"nonsense is not declared.","length":8}]','32d97e0c-4243-454d-a77b-59d80db18a36',1795334440650);
INSERT INTO jobs VALUES(4,'ibm:emulated:qpu:perth-3708-qjob-05652793edddc82d8a758fac',1,'3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',NULL,NULL,NULL,'ibm:emulated:qpu:perth','ibm','emulated','QPU','gate_model','deleted',100,1,0,'COMPLETED',NULL,1,0,NULL,324018400,'{}','{"seed":9}',1795334409043,1795334410700,1795334410658,1795334410700,2025115,1795334411478,NULL,9,NULL,'{"service":{"name":"ketbook","version":"0.0.0"},"calibration":{"lastCalibrated":"2026-11-22T06:00:00.000Z"},"emulation":{"timing":"instant","backgroundJobs":0,"isSimulated":true}}','{"method":"density matrix","circuitNumQubits":7,"circuitDepth":4,"shotDuration":1.1483999999999999}',NULL,'32d97e0c-4243-454d-a77b-59d80db18a36',1795334440658);
CREATE TABLE job_documents (
      job_seq bigint not null references jobs (seq), kind text not null, body text not null,
      primary key (job_seq, kind));
INSERT INTO job_documents VALUES(1,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
INSERT INTO job_documents VALUES(2,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"},{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
INSERT INTO job_documents VALUES(3,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\nqubit q; nonsense;"}]');
INSERT INTO job_documents VALUES(4,'programs','[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
INSERT INTO job_documents VALUES(1,'results','{"measurementCounts":{"11":55,"00":45},"registers":[{"name":"c","size":2}]}');
INSERT INTO job_documents VALUES(1,'methods','[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
INSERT INTO job_documents VALUES(4,'results','{"measurementCounts":{"10":3,"11":54,"00":41,"01":2},"registers":[{"name":"c","size":2}]}');
INSERT INTO job_documents VALUES(4,'methods','[{"name":"density matrix","reason":"The program uses 2 qubits, whose density matrix has all of the noise in it: one run serves all shots."}]');
INSERT INTO job_documents VALUES(2,'results',replace('{"measurementCounts":{"11":51,"00":49},"registers":[{"name":"c","size":2}]}\n{"measurementCounts":{"11":60,"00":40},"registers":[{"name":"c","size":2}]}','\n',char(10)));
INSERT INTO job_documents VALUES(2,'methods','[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."},{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
INSERT INTO job_documents VALUES(2,'costs','{"costs":[295824,79176],"durations":[5115,1369]}');
CREATE TABLE job_tags (
      user_id bigint not null, key text not null, type text not null, value text not null,
      job_seq bigint not null references jobs (seq), primary key (user_id, key, type, value, job_seq)) without rowid;
INSERT INTO job_tags VALUES(1,'kind','string','first',1);
INSERT INTO job_tags VALUES(1,'n','number','3',1);
CREATE TABLE job_words (
      user_id bigint not null, job_seq bigint not null references jobs (seq), text text not null,
      primary key (user_id, job_seq)) without rowid;
INSERT INTO job_words VALUES(1,1,replace('bell\nsvc:svc:sim:statevector-031f-qjob-0734c37029f5d24cdc16f055\nkind\nfirst\nn\n3','\n',char(10)));
INSERT INTO job_words VALUES(1,2,replace('\nsvc:svc:sim:statevector-48fc-qjob-e7f4e4f4c09049f147347ea6','\n',char(10)));
INSERT INTO job_words VALUES(1,3,replace('\nsvc:svc:sim:statevector-1824-qjob-2ca52fb897cc06596c2f7a82','\n',char(10)));
CREATE TABLE ledger_accounts (id text primary key, balance bigint not null);
INSERT INTO ledger_accounts VALUES('issued',-1000000000000);
INSERT INTO ledger_accounts VALUES('organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',999675231600);
INSERT INTO ledger_accounts VALUES('held:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',0);
INSERT INTO ledger_accounts VALUES('revenue',324768400);
CREATE TABLE ledger_postings (
      seq integer primary key autoincrement, source text not null, kind text not null,
      account_id text not null references ledger_accounts (id), amount bigint not null,
      created_at bigint not null, unique (source, kind, account_id));
INSERT INTO ledger_postings VALUES(1,'grant:4c5be507-5be8-4aee-bc1b-a07ddb89bbfc','grant','issued',-1000000000000,1795334408276);
INSERT INTO ledger_postings VALUES(2,'grant:4c5be507-5be8-4aee-bc1b-a07ddb89bbfc','grant','organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',1000000000000,1795334408276);
INSERT INTO ledger_postings VALUES(3,'job:1','hold','organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',-7500000,1795334408686);
INSERT INTO ledger_postings VALUES(4,'job:1','hold','held:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',7500000,1795334408686);
INSERT INTO ledger_postings VALUES(5,'job:2','hold','organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',-7500000,1795334408833);
INSERT INTO ledger_postings VALUES(6,'job:2','hold','held:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',7500000,1795334408833);
INSERT INTO ledger_postings VALUES(7,'job:3','hold','organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',-7500000,1795334408938);
INSERT INTO ledger_postings VALUES(8,'job:3','hold','held:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',7500000,1795334408938);
INSERT INTO ledger_postings VALUES(9,'job:1','release','held:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',-7500000,1795334410650);
INSERT INTO ledger_postings VALUES(10,'job:1','release','organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',7500000,1795334410650);
INSERT INTO ledger_postings VALUES(11,'job:1','charge','organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',-375000,1795334410650);
INSERT INTO ledger_postings VALUES(12,'job:1','charge','revenue',375000,1795334410650);
INSERT INTO ledger_postings VALUES(13,'job:3','release','held:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',-7500000,1795334410658);
INSERT INTO ledger_postings VALUES(14,'job:3','release','organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',7500000,1795334410658);
INSERT INTO ledger_postings VALUES(15,'job:4','charge','organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',-324018400,1795334410700);
INSERT INTO ledger_postings VALUES(16,'job:4','charge','revenue',324018400,1795334410700);
INSERT INTO ledger_postings VALUES(17,'job:2','release','held:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',-7500000,1795334411407);
INSERT INTO ledger_postings VALUES(18,'job:2','release','organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',7500000,1795334411407);
INSERT INTO ledger_postings VALUES(19,'job:2','charge','organization:3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',-375000,1795334411407);
INSERT INTO ledger_postings VALUES(20,'job:2','charge','revenue',375000,1795334411407);
CREATE TABLE ledger_holds (
      job_seq bigint primary key references jobs (seq), amount bigint not null, state text not null);
INSERT INTO ledger_holds VALUES(1,7500000,'posted');
INSERT INTO ledger_holds VALUES(2,7500000,'posted');
INSERT INTO ledger_holds VALUES(3,7500000,'posted');
INSERT INTO ledger_holds VALUES(4,0,'posted');
CREATE TABLE quota_usage (
      user_id bigint not null, device_qrn text not null, day integer not null, used integer not null,
      primary key (user_id, device_qrn, day));
INSERT INTO quota_usage VALUES(1,'svc:svc:sim:statevector',20779,3);
CREATE TABLE uncharged_compute (
      user_id bigint not null, day integer not null, milliseconds bigint not null, primary key (user_id, day));
INSERT INTO uncharged_compute VALUES(1,20779,4);
CREATE TABLE audit_events (
      seq integer primary key autoincrement, created_at bigint not null, event text not null, actor text not null,
      organization_id text, subject text not null, details_json text not null);
INSERT INTO audit_events VALUES(1,1795334408276,'key.created','service','3db7b3d7-f3bd-4779-b0f8-c0f4211e5618','cc34e489-8440-47ab-93a7-6c0235965669','{"user":"local","hint":"kb_3c3bb2","scope":"admin","expiresAt":null,"allow":null}');
INSERT INTO audit_events VALUES(2,1795334408276,'credits.granted','service','3db7b3d7-f3bd-4779-b0f8-c0f4211e5618','3db7b3d7-f3bd-4779-b0f8-c0f4211e5618','{"organization":"local","credits":1000000}');
INSERT INTO audit_events VALUES(3,1795334411478,'job.deleted','key:cc34e489-8440-47ab-93a7-6c0235965669','3db7b3d7-f3bd-4779-b0f8-c0f4211e5618','ibm:emulated:qpu:perth-3708-qjob-05652793edddc82d8a758fac','{"stillRunning":false}');
CREATE TABLE storage_usage (organization_id text primary key, bytes bigint not null);
INSERT INTO storage_usage VALUES('3db7b3d7-f3bd-4779-b0f8-c0f4211e5618',1368);
CREATE TABLE run_totals (
      device_qrn text not null, status text not null, runs bigint not null, wait_ms bigint not null,
      run_us bigint not null, primary key (device_qrn, status));
INSERT INTO run_totals VALUES('svc:svc:sim:statevector','COMPLETED',2,46,13382);
INSERT INTO run_totals VALUES('svc:svc:sim:statevector','FAILED',1,1712,0);
INSERT INTO run_totals VALUES('ibm:emulated:qpu:perth','COMPLETED',1,1615,2025115);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('users',1);
INSERT INTO sqlite_sequence VALUES('ledger_postings',20);
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
