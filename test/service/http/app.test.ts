import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorBodySchema } from "../../../src/contract/schemas/records.ts";
import { bellJob, type Serving, serving } from "../serving.ts";

const errorBody = errorBodySchema;

describe("the HTTP side", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function refused(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    const answer = await service.call(method, path, body, headers);
    expect(errorBody.parse(answer.body).requestId).toBe(answer.headers.get("x-request-id"));
    return [answer.status, answer.body.error.code, answer.body.error.details?.[0]?.path];
  }

  test.each([
    ["", "NO_VALID_AUTHENTICATION"],
    ["secret", "INVALID_API_KEY_FORMAT"],
    [`kb_${"0".repeat(48)}`, "INVALID_API_KEY"],
  ])("the key %j is refused with 401", async (key, code) => {
    for (const path of ["/jobs", "/devices", "/jobs/x/result"]) {
      expect(await refused("GET", path, undefined, { "x-api-key": key })).toEqual([401, code, undefined]);
    }
  });

  test("health needs no key", async () => {
    const answer = await fetch(new URL("/healthz", service.service.url));
    expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
  });

  test.each([
    ["GET", "/nothing", undefined, [404, "NOT_FOUND", undefined]],
    ["PATCH", "/jobs", undefined, [405, "METHOD_NOT_ALLOWED", undefined]],
    ["POST", "/jobs", "{", [400, "VALIDATION_ERROR", "body"]],
    ["POST", "/jobs", undefined, [400, "VALIDATION_ERROR", ""]],
    ["POST", "/jobs", '{"a":"\\u0000"}', [400, "VALIDATION_ERROR", "a"]],
    ["GET", "/jobs/%E0%A4%A", undefined, [400, "VALIDATION_ERROR", "url"]],
    ["GET", "/jobs/%00", undefined, [400, "VALIDATION_ERROR", "url"]],
    ["GET", "/jobs?search=%ff", undefined, [400, "VALIDATION_ERROR", "url"]],
    ["GET", "/jobs?page=0", undefined, [400, "VALIDATION_ERROR", "page"]],
    ["GET", "/jobs?limit=101", undefined, [400, "VALIDATION_ERROR", "limit"]],
    ["GET", "/jobs?limit=ten", undefined, [400, "VALIDATION_ERROR", "limit"]],
    ["GET", "/jobs?limit=1&limit=2", undefined, [400, "VALIDATION_ERROR", "limit"]],
    ["GET", "/jobs?tags=%7B", undefined, [400, "VALIDATION_ERROR", "tags"]],
    ["GET", "/jobs?tags=[]", undefined, [400, "VALIDATION_ERROR", "tags"]],
    ["GET", "/jobs?search=", undefined, [400, "VALIDATION_ERROR", "search"]],
    ["GET", "/jobs?status=DONE", undefined, [400, "VALIDATION_ERROR", "status"]],
    ["GET", "/jobs/nothing", undefined, [404, "NOT_FOUND", undefined]],
    ["GET", "/devices/nothing", undefined, [404, "NOT_FOUND", undefined]],
    ["GET", "/jobs/cost-estimate", undefined, [400, "VALIDATION_ERROR", "deviceQrn"]],
    ["GET", "/jobs/cost-estimate?deviceQrn=a&shots=0", undefined, [400, "VALIDATION_ERROR", "shots"]],
    ["GET", "/jobs/cost-estimate?deviceQrn=a", undefined, [404, "NOT_FOUND", undefined]],
    [
      "GET",
      "/jobs/cost-estimate?deviceQrn=svc:svc:sim:statevector-v1",
      undefined,
      [410, "DEVICE_RETIRED", undefined],
    ],
  ])("%s %s with the body %j is refused", async (method, path, body, expected) => {
    expect(await refused(method, path, body)).toEqual(expected);
  });

  test("a body that is not said to be JSON is refused with 400", async () => {
    const headers = { "content-type": "text/plain" };
    expect(await refused("POST", "/jobs", bellJob(), headers)).toEqual([
      400,
      "VALIDATION_ERROR",
      "Content-Type",
    ]);
  });

  test("a wrong method is refused with 405, and Allow names the right ones", async () => {
    const { headers } = await service.call("PATCH", "/jobs");
    expect(headers.get("allow")).toContain("POST");
  });

  test("every bad field of a body is named", async () => {
    const { body } = await service.call("POST", "/jobs", {
      shots: -1,
      program: [{ format: "qasm3", data: 1 }, { data: "" }],
      tags: { ok: 1, bad: 1.5 },
      name: 7,
    });
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toEqual([
      "deviceQrn",
      "shots",
      "program.0.data",
      "program.1.format",
      "name",
      "tags.bad",
    ]);
  });

  test("errors of validation are in plain English", async () => {
    const { body } = await service.call("POST", "/jobs", {
      deviceQrn: "",
      shots: 1.5,
      program: { format: "x".repeat(65), data: 1 },
      runtimeOptions: { memory: "yes", optimizationLevel: 4 },
    });
    const { details } = body.error as { details: { path: string; message: string }[] };
    expect(details.map(({ path, message }) => `${path} ${message}`)).toEqual([
      "deviceQrn must have at least 1 character",
      "shots must be a whole number",
      "program.format must have at most 64 characters",
      "program.data must be a string",
      "runtimeOptions.memory must be true or false",
      "runtimeOptions.optimizationLevel must be at most 3",
    ]);
  });

  test("a body deeper than 64 levels is refused", async () => {
    const body = `{"runtimeOptions":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
    expect((await refused("POST", "/jobs", body)).slice(0, 2)).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("a body over the limit is refused with 413, by its announced length and by its real one", async () => {
    const post = (headers: Record<string, string | number>, body: Iterable<Buffer>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const url = new URL(`${service.service.url}/jobs`);
        const key = { "x-api-key": service.service.apiKey, "content-type": "application/json" };
        const sent = request(url, { method: "POST", headers: { ...key, ...headers } }, answer => {
          answer.resume();
          resolve(answer.statusCode);
        });
        sent.on("error", reject);
        for (const chunk of body) sent.write(chunk);
        sent.end();
      });
    const chunk = Buffer.alloc(1024 * 1024, " ");
    expect(await post({ "content-length": 40 * 1024 * 1024 }, [])).toBe(413);
    expect(await post({ "transfer-encoding": "chunked" }, Array(33).fill(chunk))).toBe(413);
  });

  test.each([
    ["NOT HTTP\r\n\r\n", 400],
    ["GET /api/v1/jobs HTTP/1.1\r\nHost: no host\r\n\r\n", 400],
    ["GET /api/v1/jobs HTTP/1.1\r\n\r\n", 400],
    ["OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["GET /api\\v1 HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["POST /api/v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(200_000)}\r\n\r\n`, 431],
    ["GET /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: a\r\nX-API-KEY: b\r\n\r\n", 401],
  ])("what is hardly HTTP, %j, is answered in the form of every other error", async (text, status) => {
    const { hostname, port } = new URL(service.service.url);
    const answer = await new Promise<string>(resolve => {
      const socket = connect(Number(port), hostname, () => socket.write(text));
      let got = "";
      socket.on("data", data => {
        got += data;
        if (got.includes("}")) socket.destroy();
      });
      socket.on("close", () => resolve(got));
    });
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const body = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
    expect(errorBody.parse(JSON.parse(body)).success).toBe(false);
  });

  test("every request is one line in the log, without its key", async () => {
    service.logged.length = 0;
    const { headers } = await service.call("GET", "/jobs?search=secret");
    expect(service.logged).toHaveLength(1);
    const [line] = service.logged;
    expect(line?.fields).toMatchObject({
      requestId: headers.get("x-request-id"),
      method: "GET",
      path: "/api/v1/jobs",
      status: 200,
    });
    expect(JSON.stringify(line)).not.toContain(service.service.apiKey);
  });
});
