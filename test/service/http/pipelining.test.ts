import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer } from "../../../src/service/node/server.ts";

/** Starts a server, and returns its port. */
async function start(answer: (request: Request) => Promise<Response> | Response) {
  const server = createHttpServer(answer, () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port };
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

test("of very many requests that a connection sends at once, a part is looked at before it is closed", async () => {
  let seen = 0;
  const { port } = await start(() => {
    seen += 1;
    return new Response();
  });
  const socket = await open(port);
  socket.write("GET / HTTP/1.1\r\n\r\n".repeat(3600));
  await readAll(socket);
  expect(seen).toBeLessThanOrEqual(1000);
});

test("requests that a client sends ahead are all answered, in order", async () => {
  const { port } = await start(request => new Response(new URL(request.url).pathname));
  const socket = await open(port);
  const paths = Array.from({ length: 200 }, (_, index) => `/${index}`);
  const requests = paths.map(path => get(path, `X-Padding: ${"x".repeat(600)}\r\n`));
  socket.write(requests.join("") + get("/last", CLOSE));
  expect((await readAll(socket)).match(/^\/(?:\d+|last)/gm)).toEqual([...paths, "/last"]);
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
