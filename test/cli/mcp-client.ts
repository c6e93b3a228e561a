import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Amount, Budget } from "../../src/cli/mcp/budget.ts";
import { createServer } from "../../src/cli/mcp/server.ts";
import { Ketbook } from "../../src/index.ts";
import { afterFile } from "../after-file.ts";
import { command } from "../service/process.ts";

export const BELL = `OPENQASM 3.0; include "stdgates.inc"; qubit[2] q; bit[2] c; h q[0]; cx q[0], q[1]; c = measure q;`;

/** Starts `ketbook mcp` on the test's own data folder, and connects a client to it. */
export async function connected(...args: string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const key = process.env.KETBOOK_API_KEY;
  const { PATH = "", NODE_COMPILE_CACHE = "", KETBOOK_DATA = "" } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, KETBOOK_DATA, ...(key && { KETBOOK_API_KEY: key }) };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...command, "mcp", ...args],
      env,
      stderr: "inherit",
    }),
  );
  afterFile(() => client.close());
  return client;
}

/** Connects a client to the tools of `ketbook mcp` in this process, with caps of their own. */
export async function connectedHere(caps: Amount): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const server = createServer({ ketbook: new Ketbook(), budget: new Budget(caps), pages: [] });
  await Promise.all([server.connect(there), client.connect(here)]);
  afterFile(() => client.close());
  return client;
}

/** Starts `ketbook mcp` over HTTP. */
export async function serveHttp(...args: string[]): Promise<AsyncDisposable & { url: string }> {
  const child = spawn(process.execPath, [...command, "mcp", "--http", "0", ...args], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [line] = await once(child.stderr, "data");
  return {
    url: String(line).trim(),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}

/** The answer to a call of a tool. */
export interface Answered {
  isError?: boolean;
  content: { type: string; text: string; data?: string; mimeType?: string }[];
  structuredContent?: Record<string, never>;
}

export const call = (client: Client, name: string, args: object = {}) =>
  client.callTool({ name, arguments: args as Record<string, unknown> }) as unknown as Promise<Answered>;

export const textOf = (answered: Answered) => answered.content[0]!.text;
