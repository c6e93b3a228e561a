import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bell, bellJob, type Caller, type Serving, serving } from "./serving.ts";

const MiB = 2 ** 20;

describe("a request is bounded", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const post = (body: string) => service.call("POST", "/jobs", body);
  const filled = (head: string, each: string, tail: string) =>
    head + each.repeat(Math.floor((8 * MiB - head.length - tail.length) / each.length)) + tail;

  test.each([
    ["numbers in place of programs", filled('{"program":[', "0,", "0]}")],
    ["lists in place of programs", filled('{"program":[', "[],", "0]}")],
    ["programs without end", filled('{"program":[', '{"format":"","data":""},', "0]}")],
    ["names", filled("{", '"a":0,', '"b":0}')],
  ])("a body of eight megabytes of %s is refused before it is parsed", async (_, body) => {
    const { status, body: answer } = await post(body);
    expect([status, answer.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.error.details).toEqual([{ path: "body", message: "must not hold more than 50000 values" }]);
  });

  test("a body that holds what a large job needs is taken: quotes, commas and brackets in a program do not count", async () => {
    const data = `${bell.data}\n${'// "[,{\\\n'.repeat(200_000)}`;
    await service.ended((await service.submit({ program: { ...bell, data } })).jobQrn, "COMPLETED");
    const many = Array.from({ length: 2000 }, () => bell);
    const { jobQrn } = await service.submit({ program: many });
    await service.call("POST", `/jobs/${jobQrn}/cancel`);
  });

  test("an error lists fifty bad fields at most, and stays small", async () => {
    const tags = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`${at}-`.padEnd(190, "x"), null]),
    );
    for (const body of [
      { ...bellJob(), tags },
      bellJob({ program: Array(2000).fill({ ...bell, format: "no" }) }),
    ]) {
      const { status, body: answer } = await service.call("POST", "/jobs", body);
      expect(status).toBe(400);
      expect(answer.error.details).toHaveLength(50);
      expect(JSON.stringify(answer).length).toBeLessThan(32_000);
    }
    const { body } = await service.call("POST", "/jobs", bellJob({ tags: { ["k".repeat(1e6)]: null } }));
    expect(JSON.stringify(body).length).toBeLessThan(8000);
  });

  test("members of what holds few are counted before they are checked", async () => {
    const many = Object.fromEntries(Array.from({ length: 24_000 }, (_, at) => [`k${at}`, null]));
    for (const [path, changes] of [
      ["tags", { tags: many }],
      ["runtimeOptions.inputs", { runtimeOptions: { inputs: many } }],
      ["program.files", { program: { ...bell, files: many } }],
    ] as const) {
      const { status, body } = await service.call("POST", "/jobs", bellJob(changes));
      expect(status).toBe(400);
      expect(body.error.details).toContainEqual({
        path,
        message: expect.stringMatching(/^must not be more/),
      });
      expect(body.error.details.length).toBeLessThan(3);
    }
  });

  test.each([
    ["a NUL character", '{"name":"a\\u0000"}', "name"],
    ["half of a surrogate pair", '{"tags":{"a":"\\ud800"}}', "tags.a"],
    ["half of a surrogate pair in a name", '{"runtimeOptions":{"\\udc00":1}}', "runtimeOptions.\ufffd"],
    ["a member __proto__", '{"tags":{"__proto__":"x"}}', "tags.__proto__"],
  ])("%s, which would not be kept as it is, is refused", async (_, changes, path) => {
    const body = `${JSON.stringify(bellJob()).slice(0, -1)},${changes.slice(1)}`;
    const { status, body: answer } = await post(body);
    expect([status, answer.error.details?.[0]?.path]).toEqual([400, path]);
  });

  test("a list is not asked for by a tag that none can have", async () => {
    const { status, body } = await service.call(
      "GET",
      `/jobs?tags=${encodeURIComponent('{"__proto__":"x"}')}`,
    );
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: "tags", message: "must not have a member __proto__" }],
    ]);
  });

  test("a body in crumbs is refused, of which each would take more memory than it brings", async () => {
    const crumbs = "1\r\n \r\n".repeat(100_000);
    const { apiKey } = service.service;
    const head = `POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-KEY: ${apiKey}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await exchange(head + crumbs);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("must be sent in larger pieces");
  });

  test("a connection that sends requests far ahead of their answers is closed, and no other", async () => {
    const ahead = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    expect((await exchange(ahead.repeat(5000))).match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThan(50);
    const last = ahead.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    expect((await exchange(ahead.repeat(5) + last)).match(/HTTP\/1\.1 200/g)).toHaveLength(6);
  });

  /** Sends text over a connection of its own; resolves to what came back until the connection ended. */
  const exchange = (text: string) =>
    new Promise<string>(resolve => {
      const { hostname, port } = new URL(service.service.url);
      const socket = connect(Number(port), hostname, () => socket.write(text));
      let answer = "";
      socket.on("data", data => {
        answer += data;
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve(answer));
    });

  test("bodies in flight are limited, and let others in again once they have ended", async () => {
    const open = () =>
      new Promise<{ status: Promise<number>; end(): void }>(resolve => {
        const { promise, resolve: answer } = Promise.withResolvers<number>();
        const sent = request(`${service.service.url}/jobs`, {
          method: "POST",
          headers: { "x-api-key": service.service.apiKey, "content-length": 8 * MiB },
        });
        sent.on("response", response => answer(response.statusCode!));
        sent.on("error", () => answer(0));
        sent.write(" ".repeat(8 * MiB - 1), () => resolve({ status: promise, end: () => sent.end(" ") }));
      });
    const requests = await Promise.all(Array.from({ length: 12 }, open));
    expect(await Promise.any(requests.map(({ status }) => status))).toBe(429);
    const other = await service.user();
    expect((await other.call("POST", "/jobs", bellJob({ name: "x".repeat(200) }))).status).toBe(201);
    const long = { format: "qasm3", data: `${bell.data}//${"x".repeat(2 * MiB)}` };
    expect((await other.call("POST", "/jobs", bellJob({ program: long }))).status).toBe(201);
    for (const { end } of requests) end();
    const statuses = await Promise.all(requests.map(({ status }) => status));
    expect(statuses.filter(status => status === 400).length).toBeGreaterThanOrEqual(4);
    expect((await post(JSON.stringify(bellJob({ program: long })))).status).toBe(201);
  });

  test("drawings wait in turns, so many of a user's at most, and others' do not wait for them", async () => {
    const data = `OPENQASM 3.0;\nqubit[8] q;\nbit c;\nfor int i in [0:600] { U(i, 0, 0) q; }\nc = measure q[0];`;
    const { jobQrn } = await service.submit({ program: { format: "qasm3", data } });
    const other = await service.user();
    const small = await other.submit();
    const draw = (user: Caller, qrn: string) => user.call("GET", `/jobs/${qrn}/program/ascii`);
    const order: string[] = [];
    const many = Array.from({ length: 60 }, async () => {
      const answer = await draw(service, jobQrn);
      if (answer.status === 200) order.push("large");
      return answer;
    });
    await Promise.any(many);
    expect((await draw(other, small.jobQrn)).status).toBe(200);
    order.push("small");
    const answers = await Promise.all(many);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.body.error.code).toBe("RATE_LIMITED");
    expect(refused[0]!.headers.get("retry-after")).toBe("1");
    expect(order.at(-1)).toBe("large");
  });

  test("the limit of a body can be set at the start", async () => {
    await using small = await serving({ limits: { bodyBytes: 1000 } });
    expect((await small.call("POST", "/jobs", bellJob())).status).toBe(201);
    const { status, body } = await small.call("POST", "/jobs", bellJob({ name: "x".repeat(1000) }));
    expect([status, body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test("a long result is streamed, whole and in order", async () => {
    const wide =
      "OPENQASM 3.0;\nqubit[40] q;\nbit[40] c;\noutput bit[40] Größe𝒳;\nc = measure q;\nGröße𝒳 = c;";
    const program = [bell, { format: "qasm3", data: wide }];
    const job = await service.submit({
      deviceQrn: "svc:svc:sim:stabilizer",
      shots: 8000,
      program,
      runtimeOptions: { memory: true },
    });
    await service.ended(job.jobQrn, "COMPLETED");
    const { headers, body } = await service.call("GET", `/jobs/${job.jobQrn}/result`);
    expect(headers.get("content-length")).toBeNull();
    const [first, second] = body.data;
    expect(first.resultData.measurements).toHaveLength(8000);
    expect(second.resultData.measurements).toHaveLength(8000);
    expect(new Set(second.resultData.outputs.map((each: object) => Object.keys(each).join()))).toEqual(
      new Set(["Größe𝒳"]),
    );
  });

  test("all jobs of a large group are listed, the newest first", async () => {
    const { groupJobQrn } = (await service.call("POST", "/jobs/group")).body.data;
    const jobs = await Promise.all(Array.from({ length: 10 }, () => service.submit({ groupJobQrn })));
    const made = jobs.map(job => job.jobQrn);
    for (const qrn of made) await service.ended(qrn);
    const { seq: _, ...row } = await service.store
      .selectFrom("jobs")
      .selectAll()
      .where("qrn", "=", made[0]!)
      .executeTakeFirstOrThrow();
    const now = Date.now();
    // Names of jobs end with hexadecimal digits: none of these is that of a job.
    for (let at = 0; at < 440; at += 1) made.push(`${made[0]!.slice(0, -4)}x${String(at).padStart(3, "0")}`);
    const copies = made.slice(10).map((qrn, at) => ({ ...row, qrn, created_at: now + Math.floor(at / 3) }));
    await service.store.insertInto("jobs").values(copies).execute();
    const { data } = (await service.call("GET", `/jobs/group/${groupJobQrn}/jobs`)).body;
    const listed: string[] = data.map((job: { jobQrn: string }) => job.jobQrn);
    expect(listed).toHaveLength(450);
    expect(listed.toSorted()).toEqual(made.toSorted());
    const times = data.map((job: { createdAt: string }) => job.createdAt);
    expect(times).toEqual(times.toSorted().reverse());
    const empty = (await service.call("POST", "/jobs/group")).body.data.groupJobQrn;
    expect((await service.call("GET", `/jobs/group/${empty}/jobs`)).body.data).toEqual([]);
  });
});
