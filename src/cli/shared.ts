import manifest from "../../package.json" with { type: "json" };
import type { Timing } from "../contract/timing.ts";
import { isValid, listKeys } from "../service/accounts/members.ts";
import { isLoopback } from "../service/http/security.ts";
import type { Log } from "../service/log.ts";
import { logToErrorOutput, logToFile } from "../service/log-output.ts";
import {
  type SharedService,
  type SharedServiceOptions,
  startSharedService,
} from "../service/shared-service.ts";
import { ConnectionError, StoreError } from "../service/storage-errors.ts";
import { openPostgresStore } from "../service/store/postgres/open.ts";
import { parseAddress } from "../service/store/postgres/pool.ts";
import type { Store } from "../service/store/store.ts";
import { explainListenError } from "./listen-error.ts";
import { stopper } from "./stopper.ts";

/** Options of both `ketbook serve --database` and `ketbook worker`. */
export interface SharedOptions {
  database: string;
  catalogue?: string;
  timing?: Timing;
  vendorCode?: string;
  logFile?: string;
  retention: number;
  workers?: number;
  lease?: number;
  memory?: number;
  devices?: string[];
  methods?: string[];
  healthPort?: number;
  healthHost?: string;
}

/** Opens the store in a PostgreSQL database for a command, and closes it after the work. */
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
    if (api && !isLoopback(api.host)) await prepareForNetwork(command, database, api.host);
    const { version } = manifest;
    const service = await startSharedService({
      database,
      api,
      health:
        options.healthPort === undefined
          ? undefined
          : { host: options.healthHost ?? "127.0.0.1", port: options.healthPort },
      workers: options.workers,
      lease: options.lease,
      offers: {
        memoryBytes: options.memory ?? Math.floor(process.availableMemory() / 2),
        devices: options.devices,
        methods: options.methods,
      },
      catalogue: options.catalogue,
      timing: options.timing,
      vendor: options.vendorCode,
      retention: options.retention,
      version,
      log,
    });
    const stop = stopper(service, log);
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
    onReady(service);
  } catch (error) {
    const address = api ?? { host: options.healthHost ?? "127.0.0.1", port: options.healthPort ?? 0 };
    const reason = explainListenError(error, address) ?? explainDatabaseError(error);
    process.stderr.write(`ketbook ${command}: ${reason}\n`);
    process.exitCode = 1;
  }
}

/** Warns of a way to the database that others may listen to, unless that was chosen. */
function warnOfPlainText(command: string, database: string): void {
  const { hostname, searchParams } = parseAddress(database);
  const isChosen = searchParams.has("sslmode") || process.env.PGSSLMODE;
  if (isChosen || hostname === "" || isLoopback(hostname)) return;
  process.stderr.write(
    `ketbook ${command}: Traffic to the database at ${hostname} is not encrypted. Add sslmode=verify-full to its address, or sslmode=disable on a private network.\n`,
  );
}

async function prepareForNetwork(command: string, database: string, host: string): Promise<void> {
  const keys = await withDatabase(database, listKeys);
  if (!keys.some(key => isValid(key, Date.now()))) {
    throw new StoreError(
      `Others can reach ${host}, and no key has been made for them. Make one for each: ketbook keys create --org ORG --user USER --database URL`,
    );
  }
  process.stderr.write(
    `ketbook ${command}: Others can reach ${host}, and keys travel there unencrypted. Put a proxy with TLS before it.\n`,
  );
}

/** Returns a sentence on what is wrong with a database, and what to do. */
export function explainDatabaseError(error: unknown): string {
  const { message, severity } = error as Error & { severity?: string };
  if (error instanceof ConnectionError) return `${message} Check its address, and whether it runs.`;
  if (severity !== undefined)
    return `The database says: ${message}. Check --database, and what its user may do.`;
  return message;
}
