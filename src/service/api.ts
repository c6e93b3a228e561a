import { statfs } from "node:fs/promises";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "./context.ts";
import { BASE_PATH, LEGACY_BASE_PATH, type RequestLimits } from "./http/app.ts";
import { createHealthApp } from "./http/health.ts";
import type { LocalIdentity } from "./http/local.ts";
import { createHttpServer, listen } from "./http/server.ts";
import type { Log } from "./log.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { startProcessMetrics } from "./metrics/process-metrics.ts";
import { createRequestHandler } from "./request-handler.ts";
import { createReadiness, type DiskSpace } from "./store/readiness.ts";
import { openPrinter } from "./workers/print-thread.ts";

/** Options of an API server. */
export interface ApiOptions {
  context: Context;
  host: string;
  /** 0: any free port. */
  port: number;
  /** Names by which requests may call it, besides those of this machine; undefined: any name. */
  allowedHosts: readonly string[] | undefined;
  version: string;
  log: Log;
  limits: RequestLimits | undefined;
  /** The store's file. Default: none. */
  path?: string;
  /** Returns what the service says of itself to notebooks on this machine. Default: nothing. */
  identity?: (() => LocalIdentity) | undefined;
}

/** An interface that takes requests. */
export interface Api {
  server: Server;
  /** Base address of version 2. */
  url: string;
  /** Base address of version 1. */
  legacyUrl: string;
  /** Requests that are not answered yet. */
  readonly requests: number;
  /** Time of the last request, by the monotonic clock. */
  readonly lastRequest: number;
}

/** Starts to take requests. What it opens is closed by what it gives to `onClose`, the last first. */
export async function startApi(
  { context, host, port, allowedHosts, version, log, limits, path, identity }: ApiOptions,
  onClose: (close: () => unknown) => void,
): Promise<Api> {
  const printer = openPrinter();
  onClose(() => printer.close());
  const metrics = startProcessMetrics({ path, version });
  onClose(metrics.stop);
  const handler = createRequestHandler({
    context,
    printer,
    log,
    version,
    limits,
    allowedHosts,
    identity,
    hostMetrics: metrics.read,
    readDiskSpace: path === undefined ? undefined : () => diskSpaceOf(path),
  });
  const server = createHttpServer(handler.answer, log);
  onClose(() => closeServer(server, limits?.isShared ? DRAIN_MS : 0));
  const origin = await listen(server, host, port);
  return {
    server,
    url: `${origin}${BASE_PATH}`,
    legacyUrl: `${origin}${LEGACY_BASE_PATH}`,
    get requests() {
      return handler.requests;
    },
    get lastRequest() {
      return handler.lastRequest;
    },
  };
}

/** Reads the room on the disk of a file; undefined where the system does not tell. */
async function diskSpaceOf(path: string): Promise<DiskSpace | undefined> {
  const disk = await statfs(path).catch(() => undefined);
  return disk && { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize };
}

/** Requests under way are answered within this time when the service stops. */
const ANSWER_GRACE_MS = 2000;

/** Time for a balancer to send requests on connections that it keeps open. Each is answered, as its connection's last. */
const DRAIN_MS = 1000;

async function closeServer(server: Server, drainMs = 0): Promise<void> {
  server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
  // Unlike the close of an HTTP server, this one leaves idle connections open.
  const closed = new Promise(done => NetServer.prototype.close.call(server, done));
  await Promise.race([closed, sleep(drainMs)]);
  server.close();
  const timer = setTimeout(() => server.closeAllConnections(), ANSWER_GRACE_MS);
  await closed;
  clearTimeout(timer);
}

/** Options of the health endpoint of a process that only runs jobs. */
export interface HealthOptions extends Pick<ApiOptions, "host" | "port" | "version" | "log"> {
  context: Pick<Context, "store" | "clock">;
}

/** Starts to answer who asks for the health and the metrics of a process that only runs jobs. Returns the address. */
export async function startHealth(
  { context, host, port, version, log }: HealthOptions,
  onClose: (close: () => unknown) => void,
): Promise<string> {
  const { store, clock } = context;
  const own = startProcessMetrics({ path: undefined, version });
  onClose(own.stop);
  const readiness = createReadiness(store);
  const metrics = createMetrics({ store, clock, readiness, hostMetrics: own.read });
  const app = createHealthApp(context, { readiness, metrics });
  const server = createHttpServer((request, env) => app.fetch(request, env), log);
  onClose(() => closeServer(server));
  return listen(server, host, port);
}
