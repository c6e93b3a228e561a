import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type Client, openClient } from "../../src/client/client.ts";

/** What a test's service answers: a status, a body (an object is sent as JSON), and headers. */
export interface Reply {
  status?: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Serves replies over HTTP on the loopback address, and opens a client of it. */
export async function answering(
  reply: (request: IncomingMessage, call: number) => Reply | "hang up" | "say nothing",
): Promise<{ client: Client; url: string; calls: () => number; [Symbol.asyncDispose](): Promise<void> }> {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    const answer = reply(request, calls);
    if (answer === "hang up") request.socket.destroy();
    else if (answer !== "say nothing") {
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    }
  });
  await new Promise<void>(listening => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  return {
    url,
    client: openClient(async () => ({ url, apiKey: "secret-key" })),
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(closed => server.close(closed));
    },
  };
}
