CREATE TABLE store_version (version integer not null);
CREATE TABLE organizations ( id text primary key, name text not null unique, auto_recharge integer not null, created_at bigint not null);
CREATE TABLE users ( id integer primary key autoincrement, organization_id text not null references organizations (id), name text not null, tier text not null, created_at bigint not null, unique (organization_id, name));
CREATE TABLE api_keys ( id text primary key, user_id bigint not null references users (id), digest text not null unique, hint text not null, allow_json text, created_at bigint not null, revoked_at bigint);
CREATE TABLE job_groups ( seq integer primary key autoincrement, id text not null unique, user_id bigint not null references users (id), organization_id text not null, name text, status text not null, max_ttl integer not null, tags_json text not null, metadata_json text not null, created_at bigint not null, updated_at bigint not null, expires_at bigint not null);
CREATE INDEX job_groups_listed on job_groups (user_id, seq, status);
CREATE TABLE jobs ( seq integer primary key autoincrement, qrn text not null unique, user_id bigint not null references users (id), organization_id text not null, group_id text references job_groups (id), idempotency_key text, request_digest text, device_qrn text not null, vendor text not null, provider text not null, device_type text not null, experiment_type text not null, name text, shots integer not null, programs integer not null, is_batch integer not null, status text not null, status_msg text, attempt integer not null, crashes integer not null, estimate bigint, cost bigint, tags_json text not null, options_json text not null, metadata_json text not null, created_at bigint not null, updated_at bigint not null, started_at bigint, ended_at bigint, duration_us bigint, deleted_at bigint, unique (user_id, idempotency_key));
CREATE INDEX jobs_listed on jobs (user_id, seq, status, vendor, provider) where deleted_at is null;
CREATE INDEX jobs_waiting on jobs (status, seq, device_qrn) where ended_at is null;
CREATE INDEX jobs_ended on jobs (device_qrn, ended_at) where ended_at is not null;
CREATE INDEX jobs_of_day on jobs (user_id, device_qrn, status, ended_at);
CREATE INDEX jobs_of_group on jobs (group_id, status) where group_id is not null;
CREATE TABLE job_documents ( job_seq bigint not null references jobs (seq), kind text not null, body text not null, primary key (job_seq, kind));
CREATE TABLE job_tags ( user_id bigint not null, key text not null, type text not null, value text not null, job_seq bigint not null references jobs (seq), primary key (user_id, key, type, value, job_seq)) without rowid;
CREATE INDEX job_tags_of_job on job_tags (job_seq);
CREATE TABLE job_words ( user_id bigint not null, job_seq bigint not null references jobs (seq), text text not null, primary key (user_id, job_seq)) without rowid;
CREATE TABLE ledger_accounts (id text primary key, balance bigint not null);
CREATE TABLE ledger_postings ( seq integer primary key autoincrement, source text not null, kind text not null, account_id text not null references ledger_accounts (id), amount bigint not null, created_at bigint not null, unique (source, kind, account_id));
CREATE INDEX ledger_postings_of_account on ledger_postings (account_id);
CREATE TABLE ledger_holds ( job_seq bigint primary key references jobs (seq), amount bigint not null, state text not null);
CREATE TABLE quota_usage ( user_id bigint not null, device_qrn text not null, day integer not null, used integer not null, primary key (user_id, device_qrn, day));
insert into store_version values (1);
insert into organizations values ('f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 'local', 0, 1795322682552);
insert into users values (1, 'f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 'local', 'local', 1795322682552);
insert into api_keys values ('6963fe6c-fcaa-4040-932f-7d24186d665c', 1, '2ef9a4bab464136a72e694009e68d721bb5a04c96c266ddae0f302861083ac38', 'kb_faadb7', null, 1795322682552, null);
insert into job_groups values (1, '2fea5ccacf7c546469a4ecfa', 1, 'f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 'series', 'OPEN', 3600, '{}', '{}', 1795322682729, 1795322682789, 1795326282729);
insert into jobs values (1, 'svc:svc:sim:statevector-2b05-qjob-e37b5e115064e11d897d3ada', 1, 'f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', '2fea5ccacf7c546469a4ecfa', 'once', '830e73d989df46410a200fac27544e905a738fece88da70d7c07153587adc09a', 'svc:svc:sim:statevector', 'svc', 'svc', 'SIMULATOR', 'gate_model', 'bell', 100, 1, 0, 'COMPLETED', null, 1, 0, 7500000, 375000, '{"kind":"first","n":3}', '{"seed":7}', '{"seed":7,"circuitNumQubits":2,"circuitDepth":3}', 1795322682789, 1795322683503, 1795322682799, 1795322683503, 9789, null);
insert into jobs values (2, 'svc:svc:sim:statevector-ea9e-qjob-2fa713e92427c021b9ca66c5', 1, 'f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', null, null, null, 'svc:svc:sim:statevector', 'svc', 'svc', 'SIMULATOR', 'gate_model', null, 100, 2, 1, 'COMPLETED', null, 1, 0, 7500000, 375000, '{}', '{}', '{"seed":347841274,"circuitNumQubits":2,"circuitDepth":3}', 1795322682890, 1795322683809, 1795322682920, 1795322683809, 4741, null);
insert into jobs values (3, 'svc:svc:sim:statevector-6c03-qjob-313e641bd1ba05a7b2fed250', 1, 'f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', null, null, null, 'svc:svc:sim:statevector', 'svc', 'svc', 'SIMULATOR', 'gate_model', null, 100, 1, 0, 'FAILED', '2:10: nonsense is not declared.', 1, 0, 7500000, 0, '{}', '{}', '{"seed":1608026225}', 1795322683105, 1795322683565, 1795322683515, 1795322683565, null, null);
insert into jobs values (4, 'ibm:emulated:qpu:perth-f943-qjob-9eedd8ec9637437d97db4a80', 1, 'f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', null, null, null, 'ibm:emulated:qpu:perth', 'ibm', 'emulated', 'QPU', 'gate_model', 'deleted', 100, 1, 0, 'COMPLETED', null, 1, 0, null, 74240, '{}', '{"seed":9}', '{"seed":9,"circuitNumQubits":2,"circuitDepth":3}', 1795322683149, 1795322683795, 1795322683622, 1795322683795, 464, 1795322683827);
insert into job_documents values (1, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
insert into job_documents values (2, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"},{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
insert into job_documents values (3, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\nqubit q; nonsense;"}]');
insert into job_documents values (4, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
insert into job_documents values (1, 'results', '[{"measurementCounts":{"11":55,"00":45},"registers":[{"name":"c","size":2}]}]');
insert into job_documents values (4, 'results', '[{"measurementCounts":{"11":59,"00":41},"registers":[{"name":"c","size":2}]}]');
insert into job_documents values (2, 'results', '[{"measurementCounts":{"11":55,"00":45},"registers":[{"name":"c","size":2}]},{"measurementCounts":{"11":58,"00":42},"registers":[{"name":"c","size":2}]}]');
insert into job_tags values (1, 'kind', 'string', 'first', 1);
insert into job_tags values (1, 'n', 'number', '3', 1);
insert into job_words values (1, 1, 'bell
svc:svc:sim:statevector-2b05-qjob-e37b5e115064e11d897d3ada
kind
first
n
3');
insert into job_words values (1, 2, '
svc:svc:sim:statevector-ea9e-qjob-2fa713e92427c021b9ca66c5');
insert into job_words values (1, 3, '
svc:svc:sim:statevector-6c03-qjob-313e641bd1ba05a7b2fed250');
insert into ledger_accounts values ('issued', -1000000000000);
insert into ledger_accounts values ('organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 999999175760);
insert into ledger_accounts values ('held:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 0);
insert into ledger_accounts values ('revenue', 824240);
insert into ledger_postings values (1, 'grant:77662084-b37b-439e-9509-65c0a44dc112', 'grant', 'issued', -1000000000000, 1795322682552);
insert into ledger_postings values (2, 'grant:77662084-b37b-439e-9509-65c0a44dc112', 'grant', 'organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 1000000000000, 1795322682552);
insert into ledger_postings values (3, 'job:1', 'hold', 'organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', -7500000, 1795322682789);
insert into ledger_postings values (4, 'job:1', 'hold', 'held:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 7500000, 1795322682789);
insert into ledger_postings values (5, 'job:2', 'hold', 'organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', -7500000, 1795322682890);
insert into ledger_postings values (6, 'job:2', 'hold', 'held:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 7500000, 1795322682890);
insert into ledger_postings values (7, 'job:3', 'hold', 'organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', -7500000, 1795322683105);
insert into ledger_postings values (8, 'job:3', 'hold', 'held:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 7500000, 1795322683105);
insert into ledger_postings values (9, 'job:1', 'release', 'held:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', -7500000, 1795322683503);
insert into ledger_postings values (10, 'job:1', 'release', 'organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 7500000, 1795322683503);
insert into ledger_postings values (11, 'job:1', 'charge', 'organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', -375000, 1795322683503);
insert into ledger_postings values (12, 'job:1', 'charge', 'revenue', 375000, 1795322683503);
insert into ledger_postings values (13, 'job:3', 'release', 'held:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', -7500000, 1795322683565);
insert into ledger_postings values (14, 'job:3', 'release', 'organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 7500000, 1795322683565);
insert into ledger_postings values (15, 'job:4', 'charge', 'organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', -74240, 1795322683795);
insert into ledger_postings values (16, 'job:4', 'charge', 'revenue', 74240, 1795322683795);
insert into ledger_postings values (17, 'job:2', 'release', 'held:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', -7500000, 1795322683809);
insert into ledger_postings values (18, 'job:2', 'release', 'organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', 7500000, 1795322683809);
insert into ledger_postings values (19, 'job:2', 'charge', 'organization:f3eba7c7-13aa-4419-bdf9-05e4cf6ee25c', -375000, 1795322683809);
insert into ledger_postings values (20, 'job:2', 'charge', 'revenue', 375000, 1795322683809);
insert into ledger_holds values (1, 7500000, 'posted');
insert into ledger_holds values (2, 7500000, 'posted');
insert into ledger_holds values (3, 7500000, 'posted');
insert into ledger_holds values (4, 0, 'posted');
insert into quota_usage values (1, 'svc:svc:sim:statevector', 20779, 3);
