import { serve } from "@hono/node-server";
import * as mcp from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Ketbook } from "../../index.ts";
import { fail } from "../explained.ts";
import { type Amount, Budget } from "./budget.ts";
import { readGuide } from "./guide.ts";
import { createServer } from "./server.ts";

/** Serves tools over stdio, or over HTTP to this computer only: other hosts and pages of other origins are refused. */
export function serveTools(ketbook: Ketbook, caps: Amount, port?: number): void {
  const context = { ketbook, budget: new Budget(caps), pages: readGuide() };
  const make = () => createServer(context);
  if (port === undefined) {
    serveStdio(make);
    return;
  }
  const handler = mcp.createMcpHandler(make);
  const fetch = (request: Request) =>
    mcp.hostHeaderValidationResponse(request, mcp.localhostAllowedHostnames()) ??
    mcp.originValidationResponse(request, mcp.localhostAllowedOrigins()) ??
    (new URL(request.url).pathname === "/mcp"
      ? handler.fetch(request)
      : new Response("Not found\n", { status: 404 }));
  const server = serve({ fetch, port, hostname: "127.0.0.1" }, ({ port: actual }) => {
    process.stderr.write(`http://127.0.0.1:${actual}/mcp\n`);
  });
  server.once("error", ({ message }) =>
    fail("mcp", `port ${port} can't be served (${message}). Choose another with --http.`),
  );
}
