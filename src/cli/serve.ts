import { Command, Option } from "commander";
import manifest from "../../package.json" with { type: "json" };
import {
  explainStorageError,
  isLoopback,
  type KeyRecord,
  type Log,
  OWNER_NAME,
  StoreError,
} from "../service/index.ts";
import {
  FolderInUseError,
  logToErrorOutput,
  logToFile,
  openStoreOf,
  type RunningService,
  startService,
  trustProxies,
} from "../service/node/index.ts";
import { fail } from "./explained.ts";
import { origins, type ServiceOptions, wholeNumber, withServiceOptions } from "./options.ts";
import { atPlace, notEmpty, print, withPlace } from "./place.ts";
import { explainListenError, prepareForNetwork, runShared, stopOnSignals } from "./shared.ts";

interface ServeOptions extends ServiceOptions {
  host: string;
  port: number;
  allowHost: string[];
  allowOrigin?: string[];
  idleExit?: number;
  maxBody?: number;
  rate?: number;
  anonymousRate?: number;
  trustedProxy?: string[];
}

const IN_USE_CODE = 3;
const IDLE_CHECK_MS = 500;

export function serveCommand(): Command {
  const command = withPlace(new Command("serve"));
  return withServiceOptions(command, "vendor code of the service's own devices and credits")
    .description("run the service on this machine; with a database, which other processes may share")
    .option("--host <address>", "address to listen on", notEmpty, "127.0.0.1")
    .option("--port <number>", "port to listen on; 0: any that is free", wholeNumber(65_535), 8080)
    .option("--allow-host <name...>", "names that requests may be for, as behind a proxy", [])
    .option(
      "--allow-origin <origin...>",
      "origins whose pages may call the service from a browser (CORS), such as https://lab.example",
      origins,
    )
    .option(
      "--workers <number>",
      "jobs to run at a time; 0, with --database: leave all to `ketbook worker` (default: one a processor)",
      wholeNumber(1024),
    )
    .option(
      "--trusted-proxy <address...>",
      "addresses or networks of proxies whose X-Forwarded-For and X-Request-Id are believed",
    )
    .option("--json", "print the addresses and the key as one line of JSON")
    .option("--max-body <bytes>", "bytes of one request body (default: 8 MiB)", wholeNumber(2 ** 30, 1))
    .option("--rate <number>", "requests per second per key (default: 1000)", wholeNumber(1e9, 1))
    .option(
      "--anonymous-rate <number>",
      "requests per second per address without a valid key (default: 100)",
      wholeNumber(1e9, 1),
    )
    .addOption(
      new Option("--idle-exit <seconds>", "end after so long without a request or a job")
        .argParser(wholeNumber(1e9))
        .conflicts("database"),
    )
    .action((options: ServeOptions) =>
      atPlace("serve", options, {
        async folder(folder) {
          if (options.workers === 0)
            throw new StoreError("--workers 0 leaves jobs to others, which takes a database.");
          await serve(folder, options);
        },
        database: url => serveShared(url, options),
      }),
    );
}

const limitsOf = ({ maxBody, rate, anonymousRate, allowOrigin, trustedProxy }: ServeOptions) => ({
  bodyBytes: maxBody,
  perKey: rate,
  perAddress: anonymousRate,
  origins: allowOrigin,
  proxies: trustProxies(trustedProxy ?? []),
});

const allowedHostsOf = ({ host, allowHost }: ServeOptions) =>
  isLoopback(host) ? allowHost.map(name => name.toLowerCase()) : undefined;

async function serveShared(database: string, options: ServeOptions): Promise<void> {
  const { host, port } = options;
  const api = {
    host,
    port,
    allowedHosts: allowedHostsOf(options),
    limits: { ...limitsOf(options), isShared: true },
  };
  await runShared("serve", { ...options, database }, api, ({ api }) => {
    const { url, legacyUrl } = api!;
    print(
      options,
      { url, legacyUrl },
      `Ketbook serves ${url} (version 1: ${legacyUrl}).\nKeys are made by: ketbook keys create --database URL`,
    );
  });
}

async function serve(folder: string, options: ServeOptions): Promise<void> {
  const { host, port, logFile, idleExit } = options;
  const log = logFile ? logToFile(logFile) : logToErrorOutput();
  process.stdout.on("error", () => {});
  const isLocal = isLoopback(host);
  let stop = () => {};
  try {
    if (!isLocal) {
      await using store = await openStoreOf(folder);
      const isForOthers = ({ organization }: KeyRecord) => organization !== OWNER_NAME;
      await prepareForNetwork("serve", host, store, `--data ${folder}`, isForOthers);
    }
    const service = await startService({
      ...options,
      folder,
      allowedHosts: allowedHostsOf(options),
      vendor: options.vendorCode,
      version: manifest.version,
      log,
      limits: limitsOf(options),
      onStepAside: idleExit === undefined ? undefined : () => stop(),
    });
    const { url, legacyUrl, apiKey } = service;
    stop = stopOnSignals(service, log);
    if (idleExit !== undefined) stopWhenIdle(service, idleExit * 1000, stop, log);
    print(
      options,
      { url, legacyUrl, apiKey },
      `Ketbook serves ${url} (version 1: ${legacyUrl}).\nThe key of this data folder's user is in ${folder}/owner.key.`,
    );
  } catch (error) {
    if (error instanceof FolderInUseError) return fail("serve", error.message, IN_USE_CODE);
    const reason = explainListenError(error, { host, port }) ?? explainStorageError(error, folder);
    fail("serve", reason ?? (error as Error).message);
  }
}

/** Stops a service that is idle at two checks in a row: one that was suspended first sees the requests that came in meanwhile. */
function stopWhenIdle(service: RunningService, limit: number, stop: () => void, log: Log): void {
  let wasIdle = false;
  const check = async () => {
    try {
      const [isIdle, isSecond] = [(await service.idleTime()) >= limit, wasIdle];
      wasIdle = isIdle;
      if (!isIdle || !isSecond) return;
      clearInterval(timer);
      stop();
    } catch (error) {
      log("error", "idle", { error: String(error) });
    }
  };
  const timer = setInterval(() => void check(), IDLE_CHECK_MS).unref();
}
