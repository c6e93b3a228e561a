import { Command, Option } from "commander";
import manifest from "../../package.json" with { type: "json" };
import {
  isLoopback,
  isValid,
  type KeyRecord,
  type Log,
  listKeys,
  type Store,
  StoreConnectionError,
  StoreError,
} from "../service/index.ts";
import { logToErrorOutput, logToFile } from "../service/node/index.ts";
import { METHOD_NAMES } from "../service/workers/messages.ts";
import {
  openPostgresStore,
  parseAddress,
  type SharedService,
  type SharedServiceOptions,
  startSharedService,
} from "../service-cluster/index.ts";
import { fail, say } from "./explained.ts";
import { parseDuration, type ServiceOptions, wholeNumber, withServiceOptions } from "./options.ts";
import { atPlace, print, withDatabaseOptions } from "./place.ts";

/** Options of both `ketbook serve --database` and `ketbook worker`. */
interface SharedOptions extends ServiceOptions {
  database: string;
  lease?: number;
  memory?: number;
  devices?: string[];
  methods?: string[];
  healthPort?: number;
  healthHost?: string;
}

export async function withDatabase<T>(database: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openPostgresStore(database, { isPatient: true });
  return await work(store).finally(() => store.destroy());
}

/** Runs a process of a shared service in the foreground, until a signal ends it. */
export async function runShared(
  command: string,
  { database, logFile, ...options }: SharedOptions,
  api: SharedServiceOptions["api"],
  onReady: (service: SharedService) => void,
): Promise<void> {
  process.umask(0o077);
  process.stdout.on("error", () => {});
  const log: Log = logFile ? logToFile(logFile) : logToErrorOutput();
  try {
    warnOfPlainText(command, database);
    if (api && !isLoopback(api.host))
      await withDatabase(database, store => prepareForNetwork(command, api.host, store, "--database URL"));
    const service = await startSharedService({
      ...options,
      database,
      api,
      health:
        options.healthPort === undefined
          ? undefined
          : { host: options.healthHost ?? "127.0.0.1", port: options.healthPort },
      offers: {
        memoryBytes: options.memory ?? Math.floor(process.availableMemory() / 2),
        devices: options.devices,
        methods: options.methods,
      },
      vendor: options.vendorCode,
      version: manifest.version,
      log,
    });
    stopOnSignals(service, log);
    onReady(service);
  } catch (error) {
    const address = api ?? { host: options.healthHost ?? "127.0.0.1", port: options.healthPort ?? 0 };
    fail(command, explainListenError(error, address) ?? explainDatabaseError(error));
  }
}

/** Warns of a way to the database that others may listen to, unless that was chosen. */
function warnOfPlainText(command: string, database: string): void {
  const { hostname, searchParams } = parseAddress(database);
  const isChosen = searchParams.has("sslmode") || process.env.PGSSLMODE;
  if (isChosen || hostname === "" || isLoopback(hostname)) return;
  say(
    command,
    `Traffic to the database at ${hostname} is not encrypted. Add sslmode=verify-full to its address, or sslmode=disable on a private network.`,
  );
}

/** Warns of an address that others can reach. Throws when no keys have been made for them. */
export async function prepareForNetwork(
  command: string,
  host: string,
  store: Store,
  place: string,
  isForOthers: (key: KeyRecord) => boolean = () => true,
): Promise<void> {
  const keys = await listKeys(store);
  if (!keys.some(key => isForOthers(key) && isValid(key, Date.now()))) {
    throw new StoreError(
      `Others can reach ${host}, and no key has been made for them. Make one for each: ketbook keys create --org ORG --user USER ${place}`,
    );
  }
  say(
    command,
    `Others can reach ${host}, and keys travel there unencrypted. Put a proxy with TLS before it.`,
  );
}

export function explainDatabaseError(error: unknown): string {
  const { message, severity } = error as Error & { severity?: string };
  if (error instanceof StoreConnectionError) return `${message} Check its address, and whether it runs.`;
  if (severity !== undefined)
    return `The database says: ${message}. Check --database, and what its user may do.`;
  return message;
}

/** Returns a sentence on why an address can't be listened on, and what to do; undefined for every other error. */
export function explainListenError(
  error: unknown,
  { host, port }: { host: string; port: number },
): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return `Port ${port} of ${host} is taken. Choose another with --port, or 0 for any that is free.`;
  if (syscall !== "listen" && syscall !== "getaddrinfo") return undefined;
  if (code === "EACCES")
    return `Port ${port} of ${host} may not be used. Choose one from 1024 on with --port, or 0 for any that is free.`;
  return `${host} is not an address of this machine (${code}). Choose one with --host, such as 127.0.0.1.`;
}

/** Lets a signal stop a service and end the process, and a second one end it at once. Returns the handler of the signals. */
export function stopOnSignals(service: { stop(): Promise<void> }, log: Log): () => void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    service.stop().then(
      () => process.exit(0),
      error => {
        log("error", "stop", { error: String(error) });
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, stop);
  return stop;
}

export function workerCommand(): Command {
  const command = withDatabaseOptions(new Command("worker"));
  return withServiceOptions(command, "vendor code that `ketbook serve` was given")
    .description("run jobs of the services on a PostgreSQL database")
    .option("--workers <number>", "jobs to run at a time (default: one a processor)", wholeNumber(1024, 1))
    .option("--lease <time>", "silence after which other workers take its jobs (default: 30s)", parseDuration)
    .option(
      "--memory <bytes>",
      "limit for a job's state; other workers run larger jobs (default: half of free memory)",
      wholeNumber(Number.MAX_SAFE_INTEGER, 1),
    )
    .option("--devices <pattern...>", "devices whose jobs it runs, such as svc:* (default: all)")
    .addOption(
      new Option("--methods <name...>", "methods of simulation that it offers (default: all)").choices(
        METHOD_NAMES,
      ),
    )
    .option(
      "--health-port <number>",
      "answer /healthz, /readyz and /metrics on this port; 0: any that is free (default: none)",
      wholeNumber(65_535),
    )
    .option("--health-host <address>", "address for --health-port", "127.0.0.1")
    .option("--json", "print a line of JSON once it runs")
    .action((options: Omit<SharedOptions, "database">) =>
      atPlace("worker", options, {
        async folder() {
          throw new StoreError(
            "A worker runs jobs of a service on a PostgreSQL database: give --database, --database-file or KETBOOK_DATABASE.",
          );
        },
        async database(database) {
          await runShared("worker", { ...options, database }, undefined, ({ healthUrl }) => {
            print(options, { pid: process.pid, healthUrl }, "Ketbook runs jobs.");
          });
        },
      }),
    );
}
