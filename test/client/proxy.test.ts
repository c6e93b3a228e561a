import { expect, test } from "vitest";
import { openClient } from "../../src/client/client.ts";
import { ConnectionError, KetbookError } from "../../src/client/errors/index.ts";
import { answering, listening, send } from "./answering.ts";

const job = { jobQrn: "q", deviceQrn: "d", status: "QUEUED" };
const ok = { success: true, data: job };

/** A proxy for plain requests and for tunnels, which sends everything to one place. */
async function proxying(target: string) {
  const asked: string[] = [];
  const proxy = await listening(async ({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    const answer = await fetch(new URL(new URL(url ?? "").pathname, target));
    send(response, { status: answer.status, body: await answer.text() });
  });
  proxy.server.on("connect", ({ url }, socket) => {
    asked.push(`CONNECT ${url}`);
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.once("data", () => socket.end("This is no TLS."));
  });
  return { ...proxy, asked };
}

const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

/** Runs with these variables of the environment, and no other ones for proxies. */
async function withEnvironment<T>(variables: Record<string, string>, run: () => Promise<T>): Promise<T> {
  const before = proxyVariables.map(name => [name, process.env[name]] as const);
  for (const name of proxyVariables) delete process.env[name];
  Object.assign(process.env, variables);
  try {
    return await run();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

const getJob = (url: string, options = {}) =>
  openClient({ url, apiKey: "k" }, { maxRetries: 0, ...options }).jobs.get("q");

test.each(["HTTP_PROXY", "http_proxy"])("%s is honoured", async name => {
  await using service = await answering(() => ({ body: ok }));
  await using proxy = await proxying(service.url);
  for (const address of [proxy.origin, proxy.origin.replace("http://", "")]) {
    await withEnvironment({ [name]: address }, async () => {
      expect(await getJob("http://quantum.test/api/v1")).toMatchObject(job);
    });
  }
  const absolute = "GET http://quantum.test/api/v1/jobs/q";
  expect(proxy.asked).toEqual([absolute, absolute]);
});

test.each(["HTTPS_PROXY", "https_proxy"])("%s is honoured, by a tunnel", async name => {
  await using proxy = await proxying("http://127.0.0.1:1");
  await withEnvironment({ [name]: proxy.origin }, async () => {
    await expect(getJob("https://quantum.test/api/v1")).rejects.toThrow(ConnectionError);
  });
  expect(proxy.asked).toEqual(["CONNECT quantum.test:443"]);
});

test.each(["NO_PROXY", "no_proxy"])("%s keeps a host from the proxy", async name => {
  await using proxy = await proxying("http://127.0.0.1:1");
  await withEnvironment({ HTTP_PROXY: proxy.origin, [name]: "other.test,.invalid" }, async () => {
    await expect(getJob("http://quantum.invalid/api/v1", { timeout: 6000 })).rejects.toThrow();
  });
  expect(proxy.asked).toEqual([]);
});

test("addresses of this computer go through no proxy of the environment", async () => {
  await using service = await answering(() => ({ body: ok }));
  await using proxy = await proxying(service.url);
  await withEnvironment({ HTTP_PROXY: proxy.origin }, async () => {
    expect(await getJob(service.url)).toMatchObject(job);
    expect(await getJob(service.url.replace("127.0.0.1", "localhost"))).toMatchObject(job);
  });
  expect(proxy.asked).toEqual([]);
});

test("the proxy option is used even for this computer, and false means no proxy", async () => {
  await using service = await answering(() => ({ body: ok }));
  await using proxy = await proxying(service.url);
  expect(await getJob(service.url, { proxy: proxy.origin })).toMatchObject(job);
  expect(proxy.asked).toEqual([`GET ${service.url}/jobs/q`]);
  await withEnvironment({ HTTP_PROXY: proxy.origin }, async () => {
    await expect(getJob("http://quantum.invalid/api/v1", { proxy: false, timeout: 6000 })).rejects.toThrow();
  });
  expect(proxy.asked).toHaveLength(1);
});

test("a proxy that does not answer, or refuses, is named in the error, without its password", async () => {
  const options = { proxy: "http://user:password@127.0.0.1:1" };
  for (const url of ["http://quantum.test/api/v1", "https://quantum.test/api/v1"]) {
    const error = await getJob(url, options).catch(reason => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toContain("the proxy http://127.0.0.1:1 does not answer (ECONNREFUSED)");
    expect(error.message).not.toContain("password@");
  }
  await using refusing = await listening((_, response) => void response.writeHead(407).end());
  refusing.server.on("connect", (_, socket) => {
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  const variables = { HTTP_PROXY: refusing.origin, HTTPS_PROXY: refusing.origin };
  await withEnvironment(variables, async () => {
    for (const url of ["http://quantum.test/api/v1", "https://quantum.test/api/v1"])
      await expect(getJob(url)).rejects.toThrow(new RegExp(`the proxy ${refusing.origin} refused .*407`));
  });
});

test("what fails without a proxy names none", async () => {
  await withEnvironment({ HTTP_PROXY: "http://proxy.invalid:1" }, async () => {
    const error = await getJob("http://127.0.0.1:1/api/v1").catch(reason => reason);
    expect(error.message).toContain("nothing answers there (ECONNREFUSED)");
  });
  await withEnvironment({ HTTP_PROXY: "http://127.0.0.1:3128", NO_PROXY: ".invalid" }, async () => {
    const error = await getJob("http://quantum.invalid/api/v1", { timeout: 6000 }).catch(reason => reason);
    expect(error.message).not.toContain("proxy");
  });
});

test("what is no address of a proxy is refused, and its password not repeated", async () => {
  const error = await getJob("http://quantum.test/api/v1", {
    proxy: "gopher://user:password@proxy.test",
  }).catch(reason => reason);
  expect(error).toBeInstanceOf(KetbookError);
  expect(error.message).toMatch(/^proxy is not the address of a proxy/);
  expect(error.message).not.toContain("password");
});
