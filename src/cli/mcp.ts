import { Command } from "commander";
import { Ketbook } from "../index.ts";
import { credits as amount, wholeNumber } from "./options.ts";

interface McpOptions {
  maxCredits?: number;
  maxJobs: number;
  url?: string;
  http?: number;
}

/** Credits of this computer's own service that may be spent where nothing is said. */
const LOCAL_CREDITS = 10_000;

/** `ketbook mcp`: a server of tools for assistants, by the Model Context Protocol. */
export function mcpCommand(): Command {
  return new Command("mcp")
    .description("serve tools to assistants, by the Model Context Protocol over stdio or HTTP")
    .option(
      "--max-credits <credits>",
      `most that all runs may cost (default: ${LOCAL_CREDITS} on this computer's service, none on others)`,
      amount,
    )
    .option("--max-jobs <count>", "most runs", wholeNumber(1_000_000), 100)
    .option("--url <address>", "service (default: as in notebooks); its key is KETBOOK_API_KEY")
    .option("--http <port>", "serve HTTP on this port of this computer, at /mcp", wholeNumber(65_535))
    .action(async (options: McpOptions) => {
      const [{ createServer }, { Budget }, { readGuide }] = await Promise.all([
        import("./mcp/server.ts"),
        import("./mcp/budget.ts"),
        import("./mcp/guide.ts"),
      ]);
      const apiKey = process.env.KETBOOK_API_KEY;
      const ketbook = new Ketbook(
        options.url === undefined ? {} : { url: options.url, ...(apiKey !== undefined && { apiKey }) },
      );
      const { url, problem } = ketbook.toJSON();
      const isLocal = url === null && problem === undefined;
      const credits = options.maxCredits ?? (isLocal ? LOCAL_CREDITS : undefined);
      const caps = { credits: credits ?? 0, jobs: credits === undefined ? 0 : options.maxJobs };
      const context = { ketbook, budget: new Budget(caps), pages: readGuide() };
      if (options.http !== undefined) await serveHttp(() => createServer(context), options.http);
      else {
        const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
        serveStdio(() => createServer(context));
      }
    });
}

/** Serves HTTP to this computer only; other hosts and pages of other origins are refused. */
async function serveHttp(
  make: () => import("@modelcontextprotocol/server").McpServer,
  at: number,
): Promise<void> {
  const [mcp, { serve }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("@hono/node-server"),
  ]);
  const handler = mcp.createMcpHandler(make);
  const fetch = (request: Request) =>
    mcp.hostHeaderValidationResponse(request, mcp.localhostAllowedHostnames()) ??
    mcp.originValidationResponse(request, mcp.localhostAllowedOrigins()) ??
    (new URL(request.url).pathname === "/mcp"
      ? handler.fetch(request)
      : new Response("Not found\n", { status: 404 }));
  serve({ fetch, port: at, hostname: "127.0.0.1" }, ({ port: actual }) => {
    process.stderr.write(`http://127.0.0.1:${actual}/mcp\n`);
  });
}
