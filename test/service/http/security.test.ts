import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proveService } from "../../../src/contract/local.ts";
import { newFolder } from "../../folder.ts";
import { ketbookHere } from "../command-line.ts";
import { ketbook, servingProcess } from "../process.ts";
import { caller, type Serving, serving } from "../serving.ts";

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service[Symbol.asyncDispose]());

const at = (path: string) => new URL(path, service.service.url);

/** Asks as a browser does for a page whose name resolves to this machine. */
const askAs = (host: string, url: URL, key = service.service.apiKey) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = request(url, { headers: { host, "x-api-key": key } }, async response =>
      resolve({ status: response.statusCode, body: await text(response) }),
    );
    sent.on("error", reject).end();
  });

describe("every answer has security headers", () => {
  test.each([
    ["a success", "/api/v1/devices"],
    ["a refusal", "/api/v1/jobs/none"],
    ["an unknown path", "/none"],
    ["the health check", "/healthz"],
    ["the page of operations", "/api/v1/docs"],
    ["version 1", "/api/quantum-devices"],
  ])("%s", async (_, path) => {
    const { headers } = await fetch(at(path), { headers: { "x-api-key": service.service.apiKey } });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
  });

  test.each([
    ["what is not HTTP", "no request\r\n\r\n", 400],
    [
      "an expectation",
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: a\r\nConnection: close\r\n\r\n",
      200,
    ],
  ])("%s", async (_, sent, status) => {
    const socket = connect(Number(at("/").port), "127.0.0.1");
    socket.end(sent);
    const answer = await text(socket);
    expect(answer.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(answer).toMatch(/^X-Content-Type-Options: nosniff\r\n/im);
  });
});

describe("a page of another origin", () => {
  const page = "https://lab.example";
  let open: Serving;
  beforeAll(async () => {
    open = await serving({ limits: { origins: [page] } });
  });
  afterAll(() => open[Symbol.asyncDispose]());

  const ask = (path: string, origin: string, init: RequestInit = {}) =>
    fetch(new URL(path, open.service.url), {
      ...init,
      headers: { origin, "api-key": open.service.apiKey, "x-api-key": open.service.apiKey, ...init.headers },
    });

  test.each([
    ["a success", "/api/v1/devices", 200],
    ["a refusal", "/api/v1/jobs/a:b:c-1-qjob-1", 404],
    ["version 1", "/api/quantum-devices", 200],
  ])("that is allowed reads %s, and what its headers say", async (_, path, status) => {
    const answer = await ask(path, page);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([status, page]);
    expect(answer.headers.get("access-control-expose-headers")).toContain("Retry-After");
  });

  test("that is allowed may send a job with a key and an idempotency key", async () => {
    const asked = {
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,idempotency-key,x-api-key",
    };
    const answer = await ask("/api/v1/jobs", page, { method: "OPTIONS", headers: asked });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe(page);
    expect(answer.headers.get("access-control-allow-methods")).toContain("POST");
    expect(answer.headers.get("access-control-allow-headers")).toContain("idempotency-key");
  });

  test.each([
    ["another one", "/api/v1/devices", "https://evil.example"],
    ["a subdomain", "/api/v1/devices", "https://x.lab.example"],
    ["the same host without TLS", "/api/v1/devices", "http://lab.example"],
    ["no origin", "/api/v1/devices", "null"],
    ["an allowed one that asks who the service is", `/local/identity?nonce=${"0".repeat(32)}`, page],
  ])("%s reads nothing", async (_, path, origin) => {
    for (const method of ["GET", "OPTIONS"])
      expect((await ask(path, origin, { method })).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("none is allowed unless the service is told so, by its origin", async () => {
    const { headers } = await fetch(at("/api/v1/devices"), { headers: { origin: page } });
    expect(headers.get("access-control-allow-origin")).toBeNull();
    for (const wrong of ["lab.example", "https://lab.example/page", "*", "file:///x"]) {
      const { code, stderr } = await ketbookHere("serve", "--allow-origin", wrong);
      expect([code, stderr]).toEqual([1, expect.stringContaining("an origin without a path")]);
    }
  });
});

describe("a request for another host", () => {
  test.each([
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "192.168.0.1",
    "[::2]",
  ])("%s is refused", async host => {
    for (const path of ["/api/v1/jobs", "/healthz", `/local/identity?nonce=${"0".repeat(32)}`]) {
      const { status, body } = await askAs(host, at(path));
      expect([status, JSON.parse(body).error.details[0].path]).toEqual([400, "Host"]);
    }
  });

  test.each(["localhost", "localhost:1", "LOCALHOST", "127.0.0.1", "127.1.2.3:8080", "[::1]:99"])(
    "%s is this machine",
    async host => expect((await askAs(host, at("/api/v1/jobs"))).status).toBe(200),
  );

  test("is answered where the name was allowed", async () => {
    await using own = await servingProcess(newFolder(), "--allow-host", "Quantum.Example");
    expect((await askAs("quantum.example", new URL("/healthz", own.url))).status).toBe(200);
    expect((await askAs("evil.example", new URL("/healthz", own.url))).status).toBe(400);
  });
});

describe("an address that others can reach", () => {
  test("is listened on only when keys have been made, with a warning, under any name", async () => {
    const folder = newFolder();
    const serve = ["serve", "--host", "0.0.0.0", "--port", "0", "--data", folder];
    const refused = await ketbook(...serve);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/no key has been made for them\. Make one for each: ketbook keys create/);
    const made = await ketbook("keys", "create", "--org", "lab", "--user", "ada", "--data", folder, "--json");
    await using own = await servingProcess(folder, "--host", "0.0.0.0");
    const { apiKey } = JSON.parse(made.stdout);
    const { port } = new URL(own.url);
    expect((await caller(`http://127.0.0.1:${port}/api/v1`, apiKey).call("GET", "/jobs")).status).toBe(200);
    const host = "quantum.example";
    expect((await askAs(host, new URL(`http://127.0.0.1:${port}/api/v1/jobs`), apiKey)).status).toBe(200);
  });
});

describe("a service proves itself", () => {
  const prove = async (nonce: string) => {
    const answer = await fetch(at(`/local/identity?nonce=${nonce}`));
    return { status: answer.status, body: (await answer.json()) as { proof: string; version: string } };
  };

  test("by what only who knows the folder's key can compute, for its own address, anew for each nonce", async () => {
    const { url, apiKey } = service.service;
    const [one, two] = ["0".repeat(32), "1".repeat(32)];
    const { body } = await prove(one);
    expect(body).toEqual({ version: "0.0.0", proof: proveService({ url, apiKey, version: "0.0.0" }, one) });
    expect((await prove(two)).body.proof).not.toBe(body.proof);
    expect(proveService({ url: "http://127.0.0.1:1/api/v1", apiKey, version: "0.0.0" }, one)).not.toBe(
      body.proof,
    );
    expect(JSON.stringify(body)).not.toContain(apiKey);
  });

  test.each(["", "0", "x".repeat(32), "0".repeat(129)])("and refuses %j for a nonce", async nonce => {
    expect((await prove(nonce)).status).toBe(400);
  });

  test("and steps aside for the folder's own user alone", async () => {
    const answer = await fetch(at("/local/step-aside?version=99.0.0"), {
      method: "POST",
      headers: { "x-api-key": "kb_0" },
    });
    expect(answer.status).toBe(401);
  });
});
