import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { isNginxMissing, NGINX_CONF, startBalancer } from "./balancer.ts";
import { freePort } from "./store/postgres/server.ts";

const UNSURE = /may have been carried out/;

describe.skipIf(isNginxMissing)("nginx, as documented", { timeout: 60_000 }, () => {
  /** Starts a stand-in of an interface, which counts what it gets. */
  async function standIn(answer: RequestListener) {
    const got: string[] = [];
    const server = createServer((request, response) => {
      if (request.url !== "/") got.push(request.method!);
      answer(request, response);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const close = () => {
      server.closeAllConnections();
      server.close();
    };
    return { got, port: (server.address() as AddressInfo).port, [Symbol.dispose]: close };
  }
  const ok: RequestListener = (_, response) => void response.end('{"success":true}');
  async function ask(url: string, method: string) {
    const answer = await fetch(`${url}/api/v1/jobs`, { method });
    const body = (await answer.json()) as { message?: string };
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), message: body.message };
  }

  test("passes nginx's own check as it is", () => {
    expect(spawnSync("nginx", ["-t", "-c", NGINX_CONF], { encoding: "utf8" }).stderr).toMatch(
      /test is successful/,
    );
  });

  test("sends a submission that an interface breaks to no other, and says in JSON that it may have been carried out", async () => {
    using breaking = await standIn(({ socket }) => void socket.destroy());
    using other = await standIn(ok);
    await using balancer = await startBalancer([breaking.port, other.port]);
    const answers = [await ask(balancer.url, "POST"), await ask(balancer.url, "POST")];
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 502]);
    expect(answers.find(({ status }) => status === 502)).toMatchObject({
      retryAfter: "2",
      message: expect.stringMatching(UNSURE),
    });
    expect([breaking.got, other.got]).toEqual([["POST"], ["POST"]]);
    expect((await ask(balancer.url, "GET")).status).toBe(200);
  });

  test("passes on refusals of interfaces, and is not stopped by them or by a restart", async () => {
    using busy = await standIn((_, response) =>
      response.writeHead(503, { "retry-after": "5" }).end('{"message":"Nothing was changed."}'),
    );
    const port = await freePort();
    await using balancer = await startBalancer([busy.port, port]);
    const refusal = { status: 503, retryAfter: "5", message: "Nothing was changed." };
    for (let at = 0; at < 6; at += 1) expect(await ask(balancer.url, "POST")).toEqual(refusal);
    busy[Symbol.dispose]();
    expect(await ask(balancer.url, "POST")).toMatchObject({
      status: 503,
      retryAfter: "2",
      message: expect.stringMatching(/Nothing was changed/),
    });
    const restarted = createServer(ok);
    await once(restarted.listen(port, "127.0.0.1"), "listening");
    for (let at = 0; at < 6; at += 1) expect((await ask(balancer.url, "POST")).status).toBe(200);
    restarted.closeAllConnections();
    restarted.close();
  });

  test("sends what is new past an interface that is stopped, which it gives up after 15 s, here 5", async () => {
    expect(readFileSync(NGINX_CONF, "utf8")).toMatch(/^\s*proxy_read_timeout 15s;$/m);
    using stopped = await standIn(() => {});
    using other = await standIn(ok);
    await using balancer = await startBalancer([stopped.port, other.port], 5);
    const began = performance.now();
    const stuck = ["GET", "GET"].map(method => ask(balancer.url, method));
    await expect.poll(() => stopped.got.length).toBe(1);
    for (let at = 0; at < 10; at += 1) expect((await ask(balancer.url, "POST")).status).toBe(200);
    expect([stopped.got, performance.now() - began < 5000]).toEqual([["GET"], true]);
    const asked = await Promise.all(["POST", "POST", "GET", "GET"].map(method => ask(balancer.url, method)));
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(asked.slice(2).map(({ status }) => status)).toEqual([200, 200]);
    expect((await Promise.all(stuck)).map(({ status }) => status)).toEqual([200, 200]);
    for (const { status, message } of asked.slice(0, 2))
      if (status !== 200) expect([status, message]).toEqual([502, expect.stringMatching(UNSURE)]);
    expect([...stopped.got, ...other.got].filter(method => method === "POST")).toHaveLength(12);
  });
});
