import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../src/service/store/store.ts";
import { openPostgresStore } from "../../src/service-cluster/postgres/dialect.ts";
import { startProxy, type Proxy as TcpProxy } from "../reliability/shared/proxy.ts";
import { type Answer, bellJob, type Caller, caller } from "./serving.ts";
import { createSharedKey, type SharedProcess, sharedProcess } from "./shared.ts";
import { isPostgresMissing, type PostgresServer, sharedPostgres } from "./store/postgres/server.ts";

describe.skipIf(isPostgresMissing())("an interface whose database is lost", { timeout: 180_000 }, () => {
  let server: PostgresServer;
  let store: Store;
  let proxy: TcpProxy;
  let service: SharedProcess;
  let user: Caller;
  let key: string;
  /** When all connections are lost: as one commits, or once that is answered. */
  let lostAt: "commit" | "answer" | undefined;
  beforeAll(async () => {
    server = await sharedPostgres();
    const database = await server.createDatabase();
    store = await openPostgresStore(database);
    key = await createSharedKey(database, "first", "--tier", "local");
    proxy = await startProxy(database, answer => {
      if (!lostAt || !answer.includes("COMMIT\0")) return undefined;
      queueMicrotask(proxy.refuse);
      return lostAt === "answer" ? "last" : "lost";
    });
    const options = ["--workers", "0", "--rate", "1000000000"];
    service = await sharedProcess("serve", proxy.through(database), ...options);
    user = caller(service.url, key);
  }, 180_000);
  afterAll(async () => {
    await service?.end();
    await proxy?.[Symbol.asyncDispose]();
    await store?.destroy();
    await server?.stop();
  });

  const submit = () => user.call("POST", "/jobs", bellJob());
  const makeGroup = () => user.call("POST", "/jobs/group", {});
  /** Calls while the database is lost, and once it is back. */
  async function calling(at: typeof lostAt, call: () => Promise<Answer>): Promise<Answer> {
    lostAt = at;
    const answer = await call();
    lostAt = undefined;
    proxy.restore();
    await expect.poll(async () => (await user.call("GET", "/jobs")).status, { timeout: 20_000 }).toBe(200);
    return answer;
  }
  const legacyJob = { svcDeviceId: "svc_svc_sim_statevector", openQasm: bellJob().program.data };
  const requests: [what: string, status: number, request: () => Promise<() => Promise<Answer>>][] = [
    ["submission", 201, async () => submit],
    [
      "submission of version 1",
      201,
      async () => () =>
        caller(service.legacyUrl, key).call("POST", "/quantum-jobs", legacyJob, { "api-key": key }),
    ],
    ["new group", 201, async () => makeGroup],
    [
      "cancelled job",
      202,
      async () => {
        const { jobQrn } = (await submit()).body.data;
        return () => user.call("POST", `/jobs/${jobQrn}/cancel`);
      },
    ],
    [
      "cancelled group",
      200,
      async () => {
        const { groupJobQrn } = (await makeGroup()).body.data;
        return () => user.call("POST", `/jobs/group/${groupJobQrn}/cancel`);
      },
    ],
  ];

  test.each(requests)("a %s that is committed is answered with %i", async (_, status, prepare) => {
    const request = await prepare();
    expect((await calling("answer", request)).status).toBe(status);
  });

  test.each(requests)(
    "a %s whose commit is not answered may be carried out, and the answer says so",
    async (_, __, prepare) => {
      const request = await prepare();
      const { status, headers, body } = await calling("commit", request);
      expect([status, headers.get("retry-after"), body.message]).toEqual([
        503,
        null,
        expect.stringMatching(/may have been carried out.* GET \/jobs/),
      ]);
    },
  );

  test("connections that are lost at any time make no job of which an answer says that nothing was changed", async () => {
    const answers = new Map<string, Answer>();
    const numMade = () => [...answers.values()].filter(({ status }) => status === 201).length;
    let isOver = false;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let at = 0; !isOver; at += 1) {
        const name = `cut ${client} ${at}`;
        answers.set(name, await user.call("POST", "/jobs", bellJob({ name })));
        await sleep(40);
      }
    });
    for (let cuts = 0; cuts < 21; cuts += 1) {
      const before = numMade();
      await expect.poll(numMade).toBeGreaterThan(before);
      await sleep(Math.random() * 200);
      proxy.refuse();
      proxy.restore();
    }
    isOver = true;
    await Promise.all(clients);
    const made = new Set(
      (await store.selectFrom("jobs").select("name").where("name", "like", "cut %").execute()).map(
        ({ name }) => name,
      ),
    );
    const told = (words: RegExp) => [...answers].filter(([, { body }]) => words.test(body.message));
    expect(
      told(/Nothing was changed/)
        .filter(([name]) => made.has(name))
        .map(([name]) => name),
    ).toEqual([]);
    expect([...answers].filter(([name, { status }]) => status === 201 && !made.has(name))).toEqual([]);
    expect(told(/Nothing was changed|may have been/).length).toBeGreaterThan(0);
    expect(made.size).toBeGreaterThan(20);
  });

  test("a process that stops answers on connections that are open, and says of each answer that it is the last", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async () => {
      const request = get(`${service.url}/devices`, { agent, headers: { "x-api-key": key } });
      const [answer] = (await once(request, "response")) as [IncomingMessage];
      answer.resume();
      await once(answer, "end");
      return [answer.statusCode, answer.headers.connection];
    };
    expect(await ask()).toEqual([200, "keep-alive"]);
    const ended = service.end();
    let last = await ask();
    while (last[1] !== "close") last = await ask();
    expect(last).toEqual([200, "close"]);
    await ended;
    expect(service.child.exitCode).toBe(0);
  });
});
