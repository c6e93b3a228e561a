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
insert into store_version values (2);
insert into organizations values ('d9690180-87cf-4cb3-b0a5-aa183501448d', 'local', 0, 1795322686056);
insert into users values (1, 'd9690180-87cf-4cb3-b0a5-aa183501448d', 'local', 'local', 1795322686056);
insert into api_keys values ('cba24c8a-ad6f-45a3-9bbf-33cfe8513b43', 1, '8ae45c95c48eadf5f2db2f7ac0cb08aecdbc463daed4024ffceef8d8f1aaf204', 'kb_72d7c6', null, 1795322686056, null);
insert into job_groups values (1, '6d507754096e51eb7a9c09ee', 1, 'd9690180-87cf-4cb3-b0a5-aa183501448d', 'series', 'OPEN', 3600, '{}', '{}', 1795322686629, 1795322686977, 1795326286629, null, null);
insert into jobs values (1, 'svc:svc:sim:statevector-5998-qjob-4b618df425e85f2d03478a75', 1, 'd9690180-87cf-4cb3-b0a5-aa183501448d', '6d507754096e51eb7a9c09ee', 'once', '170f98d946e93a7115ac986d404527044823522ab5234aea7e3e5fe2c2f2ec3c', 'svc:svc:sim:statevector', 'svc', 'svc', 'SIMULATOR', 'gate_model', 'bell', 100, 1, 0, 'COMPLETED', null, 1, 0, 7500000, 375000, '{"kind":"first","n":3}', '{"seed":7}', '{"seed":7,"service":{"name":"ketbook","version":"0.1.0"},"calibration":null,"method":"statevector","circuitNumQubits":2,"circuitDepth":3}', 1795322686977, 1795322690137, 1795322687000, 1795322690137, 26983, null);
insert into jobs values (2, 'svc:svc:sim:statevector-e6cb-qjob-7b6c3029ff6669d7240d965a', 1, 'd9690180-87cf-4cb3-b0a5-aa183501448d', null, null, null, 'svc:svc:sim:statevector', 'svc', 'svc', 'SIMULATOR', 'gate_model', null, 100, 2, 1, 'COMPLETED', null, 1, 0, 7500000, 375000, '{}', '{}', '{"seed":1235385593,"service":{"name":"ketbook","version":"0.1.0"},"calibration":null,"method":"statevector","circuitNumQubits":2,"circuitDepth":3}', 1795322687012, 1795322689964, 1795322687029, 1795322689964, 5739, null);
insert into jobs values (3, 'svc:svc:sim:statevector-7559-qjob-98ed31f84c6654bc6148e883', 1, 'd9690180-87cf-4cb3-b0a5-aa183501448d', null, null, null, 'svc:svc:sim:statevector', 'svc', 'svc', 'SIMULATOR', 'gate_model', null, 100, 1, 0, 'FAILED', '2:10: nonsense is not declared.', 1, 0, 7500000, 0, '{}', '{}', '{"seed":4011230873,"service":{"name":"ketbook","version":"0.1.0"},"calibration":null,"diagnostics":[{"line":2,"column":10,"message":"nonsense is not declared.","length":8}]}', 1795322687042, 1795322689987, 1795322689983, 1795322689987, null, null);
insert into jobs values (4, 'ibm:emulated:qpu:perth-06cf-qjob-adea17b6483fbf4dd78cc6a7', 1, 'd9690180-87cf-4cb3-b0a5-aa183501448d', null, null, null, 'ibm:emulated:qpu:perth', 'ibm', 'emulated', 'QPU', 'gate_model', 'deleted', 100, 1, 0, 'COMPLETED', null, 1, 0, null, 770240, '{}', '{"seed":9}', '{"seed":9,"service":{"name":"ketbook","version":"0.1.0"},"calibration":{"lastCalibrated":"2024-05-27T18:17:50.000Z"},"method":"density matrix","circuitNumQubits":2,"circuitDepth":3}', 1795322687181, 1795322690013, 1795322689999, 1795322690013, 4814, 1795322690224);
insert into job_documents values (1, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
insert into job_documents values (2, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"},{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
insert into job_documents values (3, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\nqubit q; nonsense;"}]');
insert into job_documents values (4, 'programs', '[{"format":"qasm3","data":"OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\nh q[0];\ncx q[0], q[1];\nc = measure q;"}]');
insert into job_documents values (2, 'results', '{"measurementCounts":{"11":45,"00":55},"registers":[{"name":"c","size":2}]}
{"measurementCounts":{"11":44,"00":56},"registers":[{"name":"c","size":2}]}');
insert into job_documents values (2, 'methods', '[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."},{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
insert into job_documents values (2, 'costs', '{"costs":[291492,83508],"durations":[4461,1278]}');
insert into job_documents values (4, 'results', '{"measurementCounts":{"10":2,"11":55,"00":41,"01":2},"registers":[{"name":"c","size":2}]}');
insert into job_documents values (4, 'methods', '[{"name":"density matrix","reason":"The program uses 2 qubits, whose density matrix has all of the noise in it: one run serves all shots."}]');
insert into job_documents values (1, 'results', '{"measurementCounts":{"11":55,"00":45},"registers":[{"name":"c","size":2}]}');
insert into job_documents values (1, 'methods', '[{"name":"statevector","reason":"The program uses 2 qubits, which take little memory."}]');
insert into job_tags values (1, 'kind', 'string', 'first', 1);
insert into job_tags values (1, 'n', 'number', '3', 1);
insert into job_words values (1, 1, 'bell
svc:svc:sim:statevector-5998-qjob-4b618df425e85f2d03478a75
kind
first
n
3');
insert into job_words values (1, 2, '
svc:svc:sim:statevector-e6cb-qjob-7b6c3029ff6669d7240d965a');
insert into job_words values (1, 3, '
svc:svc:sim:statevector-7559-qjob-98ed31f84c6654bc6148e883');
insert into ledger_accounts values ('issued', -1000000000000);
insert into ledger_accounts values ('organization:d9690180-87cf-4cb3-b0a5-aa183501448d', 999998479760);
insert into ledger_accounts values ('held:d9690180-87cf-4cb3-b0a5-aa183501448d', 0);
insert into ledger_accounts values ('revenue', 1520240);
insert into ledger_postings values (1, 'grant:49d635cc-7ddd-4d90-baf1-14117caba4df', 'grant', 'issued', -1000000000000, 1795322686056);
insert into ledger_postings values (2, 'grant:49d635cc-7ddd-4d90-baf1-14117caba4df', 'grant', 'organization:d9690180-87cf-4cb3-b0a5-aa183501448d', 1000000000000, 1795322686056);
insert into ledger_postings values (3, 'job:1', 'hold', 'organization:d9690180-87cf-4cb3-b0a5-aa183501448d', -7500000, 1795322686977);
insert into ledger_postings values (4, 'job:1', 'hold', 'held:d9690180-87cf-4cb3-b0a5-aa183501448d', 7500000, 1795322686977);
insert into ledger_postings values (5, 'job:2', 'hold', 'organization:d9690180-87cf-4cb3-b0a5-aa183501448d', -7500000, 1795322687012);
insert into ledger_postings values (6, 'job:2', 'hold', 'held:d9690180-87cf-4cb3-b0a5-aa183501448d', 7500000, 1795322687012);
insert into ledger_postings values (7, 'job:3', 'hold', 'organization:d9690180-87cf-4cb3-b0a5-aa183501448d', -7500000, 1795322687042);
insert into ledger_postings values (8, 'job:3', 'hold', 'held:d9690180-87cf-4cb3-b0a5-aa183501448d', 7500000, 1795322687042);
insert into ledger_postings values (9, 'job:2', 'release', 'held:d9690180-87cf-4cb3-b0a5-aa183501448d', -7500000, 1795322689964);
insert into ledger_postings values (10, 'job:2', 'release', 'organization:d9690180-87cf-4cb3-b0a5-aa183501448d', 7500000, 1795322689964);
insert into ledger_postings values (11, 'job:2', 'charge', 'organization:d9690180-87cf-4cb3-b0a5-aa183501448d', -375000, 1795322689964);
insert into ledger_postings values (12, 'job:2', 'charge', 'revenue', 375000, 1795322689964);
insert into ledger_postings values (13, 'job:3', 'release', 'held:d9690180-87cf-4cb3-b0a5-aa183501448d', -7500000, 1795322689987);
insert into ledger_postings values (14, 'job:3', 'release', 'organization:d9690180-87cf-4cb3-b0a5-aa183501448d', 7500000, 1795322689987);
insert into ledger_postings values (15, 'job:4', 'charge', 'organization:d9690180-87cf-4cb3-b0a5-aa183501448d', -770240, 1795322690013);
insert into ledger_postings values (16, 'job:4', 'charge', 'revenue', 770240, 1795322690013);
insert into ledger_postings values (17, 'job:1', 'release', 'held:d9690180-87cf-4cb3-b0a5-aa183501448d', -7500000, 1795322690137);
insert into ledger_postings values (18, 'job:1', 'release', 'organization:d9690180-87cf-4cb3-b0a5-aa183501448d', 7500000, 1795322690137);
insert into ledger_postings values (19, 'job:1', 'charge', 'organization:d9690180-87cf-4cb3-b0a5-aa183501448d', -375000, 1795322690137);
insert into ledger_postings values (20, 'job:1', 'charge', 'revenue', 375000, 1795322690137);
insert into ledger_holds values (1, 7500000, 'posted');
insert into ledger_holds values (2, 7500000, 'posted');
insert into ledger_holds values (3, 7500000, 'posted');
insert into ledger_holds values (4, 0, 'posted');
insert into quota_usage values (1, 'svc:svc:sim:statevector', 20779, 3);
