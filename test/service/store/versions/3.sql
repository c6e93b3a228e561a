CREATE TABLE store_version (version integer not null);
CREATE TABLE organizations ( id text primary key, name text not null unique, auto_recharge integer not null, created_at bigint not null);
CREATE TABLE users ( id integer primary key autoincrement, organization_id text not null references organizations (id), name text not null, tier text not null, created_at bigint not null, unique (organization_id, name));
CREATE TABLE api_keys ( id text primary key, user_id bigint not null references users (id), digest text not null unique, hint text not null, allow_json text, created_at bigint not null, revoked_at bigint);
CREATE TABLE job_groups ( seq integer primary key autoincrement, id text not null unique, user_id bigint not null references users (id), organization_id text not null, name text, status text not null, max_ttl integer not null, tags_json text not null, metadata_json text not null, created_at bigint not null, updated_at bigint not null, expires_at bigint not null, idempotency_key text, request_digest text);
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
CREATE UNIQUE INDEX job_groups_idempotency on job_groups (user_id, idempotency_key);
CREATE TABLE uncharged_compute ( user_id bigint not null, day integer not null, milliseconds bigint not null, primary key (user_id, day));
CREATE INDEX jobs_of_group_listed on jobs (group_id, seq) where group_id is not null;
insert into store_version values (3);
insert into organizations values ('35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 'local', 0, 1795322693047);
insert into users values (1, '35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 'local', 'local', 1795322693047);
insert into api_keys values ('b59d8218-d1fd-4055-b4ed-456f3b4822aa', 1, '68ebb587fedbf3ad4123270b8c8e358a47502dfadad99f6423555c2c47c92afb', 'kb_5439aa', null, 1795322693047, null);
insert into job_groups values (1, '1d7d2bf6f611dde25f66a8d3', 1, '35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 'series', 'OPEN', 3600, '{}', '{}', 1795322693246, 1795322693270, 1795326293246, null, null);
insert into jobs values (1, 'svc:svc:sim:statevector-c727-qjob-1cb05dde8b042c65471a39dc', 1, '35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', '1d7d2bf6f611dde25f66a8d3', 'once', '3a29550098443abb3e7066561b7e41700fd5543dc8d41d53b4288d2a1f500d11', 'svc:svc:sim:statevector', 'svc', 'svc', 'SIMULATOR', 'gate_model', 'bell', 100, 1, 0, 'COMPLETED', null, 1, 0, 7500000, 375000, '{"kind":"first","n":3}', '{"seed":7}', '{"seed":7,"service":{"name":"ketbook","version":"0.1.0"},"calibration":null,"method":"statevector","circuitNumQubits":2,"circuitDepth":3}', 1795322693270, 1795322696345, 1795322693291, 1795322696345, 18434, null);
insert into jobs values (2, 'svc:svc:sim:statevector-0d96-qjob-9dcdf067c456b6d7cc14261d', 1, '35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', null, null, null, 'svc:svc:sim:statevector', 'svc', 'svc', 'SIMULATOR', 'gate_model', null, 100, 2, 1, 'COMPLETED', null, 1, 0, 7500000, 375000, '{}', '{}', '{"seed":1927669898,"service":{"name":"ketbook","version":"0.1.0"},"calibration":null,"method":"statevector","circuitNumQubits":2,"circuitDepth":3}', 1795322693711, 1795322696383, 1795322693723, 1795322696383, 33359, null);
insert into jobs values (3, 'svc:svc:sim:statevector-a88f-qjob-a22f2f593f92ee5e7a307904', 1, '35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', null, null, null, 'svc:svc:sim:statevector', 'svc', 'svc', 'SIMULATOR', 'gate_model', null, 100, 1, 0, 'FAILED', '2:10: nonsense is not declared.', 1, 0, 7500000, 0, '{}', '{}', '{"seed":2107526805,"service":{"name":"ketbook","version":"0.1.0"},"calibration":null,"diagnostics":[{"line":2,"column":10,"message":"nonsense is not declared.","length":8}]}', 1795322694005, 1795322696356, 1795322696345, 1795322696356, null, null);
insert into jobs values (4, 'ibm:emulated:qpu:perth-3a01-qjob-6186802716847edac250466b', 1, '35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', null, null, null, 'ibm:emulated:qpu:perth', 'ibm', 'emulated', 'QPU', 'gate_model', 'deleted', 100, 1, 0, 'COMPLETED', null, 1, 0, null, 3885920, '{}', '{"seed":9}', '{"seed":9,"service":{"name":"ketbook","version":"0.1.0"},"calibration":{"lastCalibrated":"2024-05-27T18:17:50.000Z"},"method":"density matrix","circuitNumQubits":2,"circuitDepth":3}', 1795322694063, 1795322696392, 1795322696356, 1795322696392, 24287, 1795322696430);
insert into job_documents values (1, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
insert into job_documents values (2, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"},{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
insert into job_documents values (3, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\nqubit q; nonsense;"}]');
insert into job_documents values (4, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
insert into job_documents values (1, 'results', '{"measurementCounts":{"11":55,"00":45},"registers":[{"name":"c","size":2}]}');
insert into job_documents values (1, 'methods', '[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
insert into job_documents values (2, 'results', '{"measurementCounts":{"11":49,"00":51},"registers":[{"name":"c","size":2}]}
{"measurementCounts":{"11":55,"00":45},"registers":[{"name":"c","size":2}]}');
insert into job_documents values (2, 'methods', '[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."},{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
insert into job_documents values (2, 'costs', '{"costs":[271950,103050],"durations":[24192,9167]}');
insert into job_documents values (4, 'results', '{"measurementCounts":{"10":2,"11":55,"00":41,"01":2},"registers":[{"name":"c","size":2}]}');
insert into job_documents values (4, 'methods', '[{"name":"density matrix","reason":"The program uses 2 qubits, whose density matrix has all of the noise in it: one run serves all shots."}]');
insert into job_tags values (1, 'kind', 'string', 'first', 1);
insert into job_tags values (1, 'n', 'number', '3', 1);
insert into job_words values (1, 1, 'bell
svc:svc:sim:statevector-c727-qjob-1cb05dde8b042c65471a39dc
kind
first
n
3');
insert into job_words values (1, 2, '
svc:svc:sim:statevector-0d96-qjob-9dcdf067c456b6d7cc14261d');
insert into job_words values (1, 3, '
svc:svc:sim:statevector-a88f-qjob-a22f2f593f92ee5e7a307904');
insert into ledger_accounts values ('issued', -1000000000000);
insert into ledger_accounts values ('organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 999995364080);
insert into ledger_accounts values ('held:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 0);
insert into ledger_accounts values ('revenue', 4635920);
insert into ledger_postings values (1, 'grant:e7b67261-25b2-407e-88f6-44f1c2848149', 'grant', 'issued', -1000000000000, 1795322693047);
insert into ledger_postings values (2, 'grant:e7b67261-25b2-407e-88f6-44f1c2848149', 'grant', 'organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 1000000000000, 1795322693047);
insert into ledger_postings values (3, 'job:1', 'hold', 'organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', -7500000, 1795322693270);
insert into ledger_postings values (4, 'job:1', 'hold', 'held:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 7500000, 1795322693270);
insert into ledger_postings values (5, 'job:2', 'hold', 'organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', -7500000, 1795322693711);
insert into ledger_postings values (6, 'job:2', 'hold', 'held:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 7500000, 1795322693711);
insert into ledger_postings values (7, 'job:3', 'hold', 'organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', -7500000, 1795322694005);
insert into ledger_postings values (8, 'job:3', 'hold', 'held:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 7500000, 1795322694005);
insert into ledger_postings values (9, 'job:1', 'release', 'held:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', -7500000, 1795322696345);
insert into ledger_postings values (10, 'job:1', 'release', 'organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 7500000, 1795322696345);
insert into ledger_postings values (11, 'job:1', 'charge', 'organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', -375000, 1795322696345);
insert into ledger_postings values (12, 'job:1', 'charge', 'revenue', 375000, 1795322696345);
insert into ledger_postings values (13, 'job:3', 'release', 'held:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', -7500000, 1795322696356);
insert into ledger_postings values (14, 'job:3', 'release', 'organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 7500000, 1795322696356);
insert into ledger_postings values (15, 'job:2', 'release', 'held:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', -7500000, 1795322696383);
insert into ledger_postings values (16, 'job:2', 'release', 'organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', 7500000, 1795322696383);
insert into ledger_postings values (17, 'job:2', 'charge', 'organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', -375000, 1795322696383);
insert into ledger_postings values (18, 'job:2', 'charge', 'revenue', 375000, 1795322696383);
insert into ledger_postings values (19, 'job:4', 'charge', 'organization:35b4e9cb-1c91-4bfb-b4ff-4b045757ba9a', -3885920, 1795322696392);
insert into ledger_postings values (20, 'job:4', 'charge', 'revenue', 3885920, 1795322696392);
insert into ledger_holds values (1, 7500000, 'posted');
insert into ledger_holds values (2, 7500000, 'posted');
insert into ledger_holds values (3, 7500000, 'posted');
insert into ledger_holds values (4, 0, 'posted');
insert into quota_usage values (1, 'svc:svc:sim:statevector', 20779, 3);
insert into uncharged_compute values (1, 20779, 4);
