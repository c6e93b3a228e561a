import { Command, InvalidArgumentError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { dataFolder } from "../contract/local.ts";
import { findAnnounced } from "../service/local/discovery.ts";
import { logToErrorOutput } from "../service/log.ts";
import { FolderInUseError, type RunningService, startService } from "../service/service.ts";

interface ServeOptions {
  host: string;
  port: number;
  data: string;
  database?: string;
  catalogue?: string;
  json?: boolean;
  idleExit?: number;
}

const inUseCode = 3;

/** `ketbook serve`: runs the embedded service in the foreground. */
export function serveCommand(): Command {
  return new Command("serve")
    .description("run the service on this machine")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on; 0: any that is free", wholeNumber(65_535), 8080)
    .option("--data <folder>", "where jobs, results and keys are kept", dataFolder())
    .option("--database <url>", "a PostgreSQL database to keep them in instead")
    .option("--catalogue <file>", "a JSON file of devices in place of the standard ones")
    .option("--json", "print the addresses and the key as one line of JSON")
    .option("--idle-exit <seconds>", "end after so long without a request or a job", wholeNumber(1e9))
    .action(async (options: ServeOptions) => {
      if (options.database) {
        fail("--database is not supported yet: the service keeps its data in the folder of --data.", 1);
      } else {
        await serve(options);
      }
    });
}

async function serve(options: ServeOptions): Promise<void> {
  const { host, port, data: folder, catalogue } = options;
  const log = logToErrorOutput();
  process.stdout.on("error", () => {});
  try {
    const service = await startService({ folder, host, port, catalogue, version: manifest.version, log });
    const { url, legacyUrl, apiKey } = service;
    stopOnSignals(service, options.idleExit);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ url, legacyUrl, apiKey })}\n`
        : `Ketbook serves ${url} (version 1: ${legacyUrl}).\nThe key of this data folder's user is in ${folder}/owner.key.\n`,
    );
  } catch (error) {
    if (error instanceof FolderInUseError) fail(`${error.message} ${whereItIs(folder)}`, inUseCode);
    else if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
      fail(`Port ${port} of ${host} is taken. Choose another with --port, or 0 for any that is free.`, 1);
    } else fail((error as Error).message, 1);
  }
}

function stopOnSignals(service: RunningService, idleExit: number | undefined): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    await service.stop();
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (idleExit === undefined) return;
  setInterval(async () => {
    if (!stopping && (await service.idleTime()) >= idleExit * 1000) await stop();
  }, 500).unref();
}

function whereItIs(folder: string): string {
  const running = findAnnounced(folder);
  return running ? `It is at ${running.url} (process ${running.pid}).` : "It is just starting or ending.";
}

function fail(message: string, code: number): void {
  process.stderr.write(`ketbook serve: ${message}\n`);
  process.exitCode = code;
}

function wholeNumber(max: number) {
  return (text: string) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > max)
      throw new InvalidArgumentError(`It must be a whole number up to ${max}.`);
    return value;
  };
}
