import { Command } from "commander";
import { Ketbook } from "../index.ts";
import { explained } from "./explained.ts";
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
      `most that all runs may cost, counted from each start (default: ${LOCAL_CREDITS} on this computer's service, none on others)`,
      amount,
    )
    .option("--max-jobs <count>", "most runs, counted from each start", wholeNumber(1_000_000), 100)
    .option("--url <address>", "service (default: as in notebooks); its key is KETBOOK_API_KEY")
    .option("--http <port>", "serve HTTP on this port of this computer, at /mcp", wholeNumber(65_535))
    .action(({ url: given, maxCredits, maxJobs, http }: McpOptions) =>
      explained("mcp", async () => {
        const { serveTools } = await import("./mcp/serve.ts");
        const apiKey = process.env.KETBOOK_API_KEY;
        const ketbook = new Ketbook(given === undefined ? {} : { url: given, apiKey });
        const { url, problem } = ketbook.toJSON();
        const isLocal = url === null && problem === undefined;
        const credits = maxCredits ?? (isLocal ? LOCAL_CREDITS : undefined);
        serveTools(ketbook, { credits: credits ?? 0, jobs: credits === undefined ? 0 : maxJobs }, http);
      }),
    );
}
