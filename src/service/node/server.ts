import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { BlockList, isIP, Server as NetServer, type Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener, RequestError } from "@hono/node-server";
import {
  answerError,
  BASE_PATH,
  badField,
  type Context,
  counter,
  createHealthApp,
  createMetrics,
  createReadiness,
  createRequestHandler,
  type DiskSpace,
  gauge,
  HttpError,
  LEGACY_BASE_PATH,
  type LocalIdentity,
  type Log,
  type Metric,
  peerOf,
  type RequestLimits,
  SECURITY_HEADERS,
  type TrustedProxies,
  unmapAddress,
} from "../index.ts";
import { openPrinter } from "./threads.ts";

const securityHeaders = Object.entries(SECURITY_HEADERS);
/** Room for the names of a thousand jobs in one address. */
const maxHeaderSize = 128 * 1024;
const requestTimeout = 120_000;
const keepAliveTimeout = 60_000;
/** Connections that wait to be accepted: a client whose connection does not fit tries again after a second only. */
const MAX_BACKLOG = 4096;

interface Connection {
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
}

/** Makes a server that bounds what a connection may do, and answers what is not HTTP like every other error. */
export function createHttpServer(
  fetch: (request: Request, env: Connection) => Response | Promise<Response>,
  log: Log,
): Server {
  const listener = getRequestListener((request, env) => fetch(request, env as Connection), {
    overrideGlobalObjects: false,
    errorHandler(error) {
      const requestId = randomBytes(8).toString("hex");
      if (error instanceof RequestError) return answerError(malformed(), requestId);
      log("error", "request", { requestId, error: String((error as Error)?.stack ?? error) });
      return answerError(error, requestId);
    },
  });
  const server = createServer(
    { requireHostHeader: false, maxHeaderSize, requestTimeout, keepAliveTimeout },
    (request, response) => {
      if (request.socket.destroyed) return;
      for (const [name, value] of securityHeaders) response.setHeader(name, value);
      listener(request, response).catch(error => log("error", "response", { error: String(error) }));
    },
  );
  closeFloods(server);
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("error", error => {
    if (server.listening) log("error", "server", { error: String(error) });
  });
  server.on("clientError", (error, socket) => {
    refuseConnection(error, socket as Socket).catch(() => socket.destroy());
  });
  return server;
}

/** Requests of one connection that may wait for their answers; more than any client sends ahead. */
const MAX_PIPELINED = 1000;

/** Closes a connection that sends very many requests ahead of their answers. */
function closeFloods(server: Server): void {
  const unanswered = new WeakMap<Socket, number>();
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const add = (change: number) => unanswered.set(socket, (unanswered.get(socket) ?? 0) + change);
    add(1);
    response.once("close", () => add(-1));
    if (unanswered.get(socket)! > MAX_PIPELINED) socket.destroy();
  });
}

/** Starts to listen, and resolves to the address, such as `http://127.0.0.1:8080`. */
export function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: MAX_BACKLOG }, () => {
      const bound = server.address();
      if (bound === null || typeof bound === "string") return reject(new Error(`${host} is not an address.`));
      resolve(`http://${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`);
    });
  });
}

const malformed = () => badField("request", "is not well-formed HTTP");

async function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): Promise<void> {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const httpError =
    error.code === "HPE_HEADER_OVERFLOW"
      ? new HttpError("VALIDATION_ERROR", "The headers of the request are too large.", { status: 431 })
      : malformed();
  const body = await answerError(httpError, randomBytes(8).toString("hex")).text();
  const head = [
    `HTTP/1.1 ${httpError.status} Refused`,
    "Content-Type: application/json",
    "Connection: close",
    ...securityHeaders.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Address and limits of a service's interface. */
export interface ApiAddress {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Names by which requests may call it, besides those of this machine; undefined: any name. */
  allowedHosts?: readonly string[] | undefined;
  limits?: RequestLimits | undefined;
}

interface ApiOptions extends ApiAddress {
  context: Context;
  version: string;
  log: Log;
  /** The store's file. Default: none. */
  path?: string;
  /** Returns the service's identity for notebooks on this machine. Default: none. */
  identity?: (() => LocalIdentity) | undefined;
}

/** A server of the interface, with the base addresses of versions 2 and 1. */
export type Api = Awaited<ReturnType<typeof startApi>>;

/** Starts to take requests. What it opens is closed by what it gives to `onClose`, the last first. */
export async function startApi(
  { host, port, path, ...parts }: ApiOptions,
  onClose: (close: () => unknown) => void,
) {
  const printer = openPrinter();
  onClose(() => printer.close());
  const { version, log, limits } = parts;
  const metrics = startProcessMetrics(version, path);
  onClose(metrics.stop);
  const handler = createRequestHandler({
    ...parts,
    printer,
    hostMetrics: metrics.read,
    readDiskSpace: path === undefined ? undefined : () => diskSpaceOf(path),
  });
  const server = createHttpServer(handler.answer, log);
  onClose(() => closeServer(server, limits?.isShared ? DRAIN_MS : 0));
  const origin = await listen(server, host, port);
  return { server, handler, url: `${origin}${BASE_PATH}`, legacyUrl: `${origin}${LEGACY_BASE_PATH}` };
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

interface HealthOptions extends Pick<ApiOptions, "host" | "port" | "version" | "log"> {
  context: Pick<Context, "store" | "clock">;
}

/** Starts to answer who asks for the health and the metrics of a process that only runs jobs. Returns the address. */
export async function startHealth(
  { context, host, port, version, log }: HealthOptions,
  onClose: (close: () => unknown) => void,
): Promise<string> {
  const { store, clock } = context;
  const own = startProcessMetrics(version);
  onClose(own.stop);
  const readiness = createReadiness(store);
  const metrics = createMetrics({ store, clock, readiness, hostMetrics: own.read });
  const app = createHealthApp(context, { readiness, metrics });
  const server = createHttpServer((request, env) => app.fetch(request, env), log);
  onClose(() => closeServer(server));
  return listen(server, host, port);
}

/**
 * Reads proxies: addresses, or networks such as `10.0.0.0/8`. Through them a request comes from the last address of
 * `X-Forwarded-For` that is not a proxy's. Throws a RangeError for anything else.
 */
export function trustProxies(proxies: readonly string[]): TrustedProxies {
  const known = new BlockList();
  for (const proxy of proxies) {
    const [address = "", prefix] = proxy.split("/");
    const family = familyOf(address);
    const bits = family === "ipv4" ? 32 : 128;
    if (!isIP(address) || (prefix !== undefined && !(/^\d+$/.test(prefix) && Number(prefix) <= bits)))
      throw new RangeError(
        `${proxy} is not a proxy address such as 10.0.0.2, or a network such as 10.0.0.0/8.`,
      );
    known.addSubnet(address, prefix === undefined ? bits : Number(prefix), family);
  }
  const isProxy = (address: string) => isIP(address) !== 0 && known.check(address, familyOf(address));
  return {
    isTrusted: call => isProxy(peerOf(call)),
    addressOf(call) {
      const peer = peerOf(call);
      if (!isProxy(peer)) return peer;
      const forwarded = (call.req.header("x-forwarded-for") ?? "")
        .split(",")
        .map(each => unmapAddress(each.trim()));
      const client = forwarded.findLast(address => !isProxy(address));
      return client !== undefined && isIP(client) ? client : peer;
    },
  };
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

const LAG_RESOLUTION_MS = 10;

/** Starts to measure this process, and the store's file; without a `path`, the store is in its own database. */
function startProcessMetrics(version: string, path?: string) {
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();

  /** Delays of a timer beyond its interval, since the figures were last read. */
  function lagMetric(): Metric {
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000);
    const samples = [0.5, 0.9, 0.99, 1].map(quantile => ({
      labels: { quantile },
      value: seconds(quantile === 1 ? lag.max : lag.percentile(quantile * 100)),
    }));
    lag.reset();
    return gauge(
      "ketbook_event_loop_lag_seconds",
      "Delay of the event loop since the last reading, in seconds.",
      samples,
    );
  }

  return {
    read: (): Metric[] => [
      ...(path === undefined ? [] : [fileMetric(path)]),
      lagMetric(),
      ...processMetrics(version),
    ],
    stop: () => lag.disable(),
  };
}

const fileMetric = (path: string) =>
  gauge("ketbook_store_file_bytes", "Size of the store's files.", [
    { labels: { file: "database" }, value: sizeOf(path) },
    { labels: { file: "wal" }, value: sizeOf(`${path}-wal`) },
  ]);

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function processMetrics(version: string): Metric[] {
  const { user, system } = process.cpuUsage();
  const build = { labels: { version, node: process.version }, value: 1 };
  const started = performance.timeOrigin / 1000;
  return [
    gauge("ketbook_build_info", "Version of the service; always 1.", [build]),
    gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", started),
    counter("process_cpu_seconds_total", "Time on processors, in seconds.", (user + system) / 1e6),
    gauge("process_resident_memory_bytes", "Memory of the process.", process.memoryUsage.rss()),
  ];
}
