import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createKey } from "../../../../src/service/accounts/members.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { openPostgresStore } from "../../../../src/service-cluster/postgres/dialect.ts";
import { type SharedService, startSharedService } from "../../../../src/service-cluster/shared-service.ts";
import { bellJob, type Caller, caller, statevector } from "../../serving.ts";
import { writeJobs } from "./rows.ts";
import { isPostgresMissing, type PostgresServer, sharedPostgres } from "./server.ts";

/** Tables whose rows grow with the jobs. */
const LARGE = ["jobs", "job_documents", "job_tags", "job_words", "ledger_holds", "ledger_postings"];

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe.skipIf(isPostgresMissing())("a service on a database with 30,000 jobs", () => {
  let server: PostgresServer;
  let database: string;
  let store: Store;
  let service: SharedService;
  let user: Caller;
  const statements = new Map<string, unknown[]>();
  const query = pg.Client.prototype.query;
  beforeAll(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    store = await openPostgresStore(database, { isPatient: true });
    const now = Date.now();
    const members = [];
    for (let at = 0; at < 5; at += 1) {
      const key = { organization: `org${at}`, user: "user", grant: 1e12, tier: "local", allow: undefined };
      members.push(await createKey(store, key, now));
    }
    await writeJobs(store, { count: 30_000, waiting: 20, now });
    service = await startSharedService({
      database,
      api: { host: "127.0.0.1", port: 0, allowedHosts: [], limits: undefined },
      workers: 1,
      catalogue: undefined,
      timing: "instant",
      version: "0.0.0",
      log: () => {},
    });
    user = caller(service.api!.url, members[0]!.apiKey);
  }, 180_000);
  afterAll(async () => {
    vi.restoreAllMocks();
    await service?.stop();
    await store?.destroy();
    await server?.stop();
  });

  test("reads no table from end to end that grows with its jobs, whatever it is asked", async () => {
    vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
      this: pg.Client,
      ...args: Parameters<typeof query>
    ) {
      const [first, second] = args as unknown as [string | pg.QueryConfig, unknown[] | undefined];
      if (typeof first === "string") statements.set(first, second ?? []);
      else if (first && typeof first.text === "string") statements.set(first.text, first.values ?? []);
      return Reflect.apply(query, this, args);
    } as never);
    const { call, submit } = user;
    const { groupJobQrn } = (await call("POST", "/jobs/group", {})).body.data;
    const { jobQrn } = await submit({ groupJobQrn, name: "one", tags: { lab: "l1" } });
    await call("POST", "/jobs", bellJob(), { "idempotency-key": "once" });
    await call("POST", "/jobs", bellJob({ deviceQrn: "ibm:emulated:qpu:perth" }));
    await expect
      .poll(async () => (await call("GET", `/jobs/${jobQrn}`)).body.data.status, { timeout: 100_000 })
      .toBe("COMPLETED");
    for (const path of [
      "",
      "?page=200",
      "?status=FAILED",
      "?statusGroup=pending",
      "?vendor=ibm",
      "?search=qjob",
      `?tags=${encodeURIComponent('{"lab":"l1"}')}`,
      "/summary",
      "/statuses",
      "/group",
      `/group/${groupJobQrn}`,
      `/group/${groupJobQrn}/jobs`,
      `/cost-estimate?deviceQrn=${statevector}`,
      `/${jobQrn}`,
      `/${jobQrn}/result`,
      `/${jobQrn}/program`,
    ])
      expect([path, (await call("GET", `/jobs${path}`)).status]).toEqual([path, 200]);
    for (const path of ["/devices", "/usage/simulator", `/usage/simulator/series?deviceQrn=${statevector}`])
      expect((await call("GET", path)).status).toBe(200);
    const long = await submit();
    await call("POST", `/jobs/${long.jobQrn}/cancel`);
    await call("DELETE", `/jobs/${jobQrn}`);
    vi.restoreAllMocks();

    const client = new pg.Client({ connectionString: database });
    await client.connect();
    const scans: string[] = [];
    let explained = 0;
    for (const [text, values] of statements) {
      if (!/^\s*(select|update|insert|delete|with)/i.test(text) || /pg_notify|advisory/.test(text)) continue;
      /** A search for a part of a word reads all words of its user, who has half of them. */
      if (/ like /.test(text)) continue;
      explained += 1;
      const { rows } = await client.query(`explain (format json) ${text}`, values);
      const [{ Plan: plan }] = rows[0]["QUERY PLAN"];
      for (const node of nodesOf(plan))
        if (node["Node Type"] === "Seq Scan" && LARGE.includes(node["Relation Name"]!)) scans.push(text);
    }
    await client.end();
    expect(scans).toEqual([]);
    expect(explained).toBeGreaterThan(30);
  }, 180_000);
});
