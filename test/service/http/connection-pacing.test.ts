import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTurnQueue, paceConnections } from "../../../src/service/node/connection-pacing.ts";
import { createHttpServer } from "../../../src/service/node/server.ts";

/** Starts a server; returns its port, how many connections it has taken on, and the path of each request that it parsed. */
async function start(answer: (request: Request) => Promise<Response> | Response) {
  const server = createHttpServer(answer, () => {});
  const parsed: string[] = [];
  let taken = 0;
  server.on("connection", () => (taken += 1));
  server.prependListener("request", ({ url }) => parsed.push(url!));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, parsed, connections: () => taken };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** Reads until the connection ends. */
async function readAll(socket: Socket): Promise<string> {
  let all = "";
  socket.on("data", data => (all += data)).on("error", () => {});
  if (!socket.closed) await once(socket, "close");
  return all;
}

const CLOSE = "Connection: close\r\n";
const get = (path: string, rest = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${rest}\r\n`;

test("of very many requests that a connection sends at once, few are parsed before it is closed", async () => {
  const { port, parsed } = await start(() => new Response());
  const socket = await open(port);
  socket.write("GET / HTTP/1.1\r\n\r\n".repeat(3600));
  await readAll(socket);
  expect(parsed.length).toBeLessThan(300);
});

test("requests that a client sends ahead are all answered, in order", async () => {
  const { port } = await start(request => new Response(new URL(request.url).pathname));
  const socket = await open(port);
  const paths = Array.from({ length: 200 }, (_, index) => `/${index}`);
  const requests = paths.map(path => get(path, `X-Padding: ${"x".repeat(600)}\r\n`));
  socket.write(requests.join("") + get("/last", CLOSE));
  expect((await readAll(socket)).match(/^\/(?:\d+|last)/gm)).toEqual([...paths, "/last"]);
});

test("liveness is answered before requests that came earlier and wait", async () => {
  const order: string[] = [];
  const { port, connections } = await start(request => {
    const { pathname } = new URL(request.url);
    order.push(pathname);
    for (const until = performance.now() + 20; pathname !== "/healthz" && performance.now() < until; );
    return new Response();
  });
  const sockets = await Promise.all(Array.from({ length: 21 }, () => open(port)));
  await expect.poll(connections, { timeout: 15_000 }).toBe(21);
  const alive = sockets.pop()!;
  for (const socket of sockets) socket.write(get("/long", CLOSE));
  alive.write(get("/healthz", CLOSE));
  await Promise.all([...sockets, alive].map(readAll));
  expect(order).toHaveLength(21);
  expect(order.indexOf("/healthz")).toBeLessThan(10);
});

test("work that waits again in its turn is taken up by one immediate a time", async () => {
  const turns = createTurnQueue();
  const scheduled = vi.spyOn(globalThis, "setImmediate");
  onTestFinished(() => scheduled.mockRestore());
  let left = 100;
  await new Promise<void>(resolve => {
    const run = () => (left-- > 0 ? turns.wait(run, true) : resolve());
    turns.wait(run, true);
  });
  expect(scheduled.mock.calls.length).toBeLessThan(300);
});

test("a connection whose body is read while it waits for its turn does not wait twice", async () => {
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => void request.resume().on("end", () => response.end()));
  paceConnections(server, { hasTime: () => false, wait: run => waiting.push(run), connected() {} });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = await open((server.address() as AddressInfo).port);
  const answered = readAll(socket).finally(() => server.close());
  socket.write(post("x".repeat(300_000), 2000) + get("/", CLOSE));
  let isAnswered = false;
  const watched = answered.then(() => (isAnswered = true));
  while (!isAnswered) {
    await setImmediate();
    expect(waiting.length).toBeLessThanOrEqual(1);
    waiting.shift()?.();
  }
  await watched;
  expect((await answered).match(/HTTP\/1.1 200/g)).toHaveLength(2);
});

test("bodies arrive whole, however they and the requests around them are cut", async () => {
  const { port } = await start(async request => {
    const body = await request.text();
    return new Response(`<${body.length} ${new Set(body).size}>`);
  });
  const size = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 40_000 }));
  const requests = fc.array(fc.record({ size, chunk: fc.option(fc.integer({ min: 1, max: 9000 })) }), {
    minLength: 1,
    maxLength: 9,
  });
  const cuts = fc.array(fc.integer({ min: 20, max: 70_000 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(requests, cuts, async (sent, lengths) => {
      const text = sent.map(({ size, chunk }) => post("x".repeat(size), chunk)).join("") + get("/", CLOSE);
      const socket = await open(port);
      const answered = readAll(socket);
      for (let at = 0, cut = 0; at < text.length; cut += 1) {
        const end = at + lengths[cut % lengths.length]!;
        await new Promise(resolve => socket.write(text.slice(at, end), resolve));
        at = end;
      }
      const bodies = [...sent.map(({ size }) => size), 0].map(size => `<${size} ${Math.min(size, 1)}>`);
      expect((await answered).match(/<\d+ \d>/g)).toEqual(bodies);
    }),
    { numRuns: 60 },
  );
});

/** A request with a body: in chunks of a size, or of a length that is known. */
function post(body: string, chunk: number | null): string {
  const head = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  if (chunk === null) return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const chunks = body.match(new RegExp(`.{1,${chunk}}`, "g")) ?? [];
  const sent = chunks.map(each => `${each.length.toString(16)}\r\n${each}\r\n`).join("");
  return `${head}Transfer-Encoding: chunked\r\n\r\n${sent}0\r\n\r\n`;
}
