import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Client, openClient } from "../../src/client/client.ts";
import type { ClientOptions } from "../../src/client/options.ts";
import { systemTiming, type Timing } from "../../src/client/timing.ts";

/** What a test's service answers: a status, a body (an object is sent as JSON), and headers. */
export interface Reply {
  status?: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Header of a service that says that it keeps idempotency keys. */
export const keepsKeys = { "idempotency-keys": "kept" };

/** A clock that runs so many times as fast as the real one, so that pauses are short. */
export const timesFaster = (factor: number): Timing => ({
  now: () => systemTiming.now() * factor,
  random: systemTiming.random,
  sleep: (ms, signal) => systemTiming.sleep(ms / factor, signal),
});

/** A clock for tests whose pauses are without interest. */
export const fastTiming = timesFaster(100);

/** What a client of a test's service is opened with. */
export interface AnsweringOptions extends ClientOptions {
  timing?: Timing;
}

/** Listens on the loopback address, and ends all connections with the test. */
export async function listening(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  port = 0,
): Promise<{
  origin: string;
  server: ReturnType<typeof createServer>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const server = createServer(handle);
  await new Promise<void>(ready => server.listen(port, "127.0.0.1", ready));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(closed => server.close(closed));
    },
  };
}

/** Sends a reply. */
export function send(response: ServerResponse, { status = 200, body, headers }: Reply): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Serves replies over HTTP on the loopback address, and opens a client of it. */
export async function answering(
  reply: (request: IncomingMessage, call: number) => Reply | "hang up" | "say nothing",
  { timing = fastTiming, ...options }: AnsweringOptions = {},
): Promise<{ client: Client; url: string; calls: () => number; [Symbol.asyncDispose](): Promise<void> }> {
  let calls = 0;
  const { origin, [Symbol.asyncDispose]: dispose } = await listening((request, response) => {
    calls += 1;
    const answer = reply(request, calls);
    if (answer === "hang up") request.socket.destroy();
    else if (answer !== "say nothing") send(response, answer);
  });
  const url = `${origin}/api/v1`;
  const client = openClient({ url, apiKey: "secret-key" }, options, timing);
  return { url, client, calls: () => calls, [Symbol.asyncDispose]: dispose };
}
