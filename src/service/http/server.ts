import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { badField, HttpError } from "../http-error.ts";
import type { Log } from "../log.ts";
import { paceConnections } from "./connection-pacing.ts";
import { answerError } from "./error-response.ts";
import { SECURITY_HEADERS } from "./security.ts";

const securityHeaders = Object.entries(SECURITY_HEADERS);
/** Room for the names of a thousand jobs in one address. */
const maxHeaderSize = 128 * 1024;
const requestTimeout = 120_000;
const keepAliveTimeout = 60_000;
/** Connections that wait to be accepted: a client whose connection does not fit tries again after a second only. */
const MAX_BACKLOG = 4096;

/** The two sides of a request's connection. */
interface Connection {
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
}

/**
 * Makes a server that bounds what a connection may do, and answers what is not HTTP like every other
 * error.
 */
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
  paceConnections(server);
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("error", error => {
    if (server.listening) log("error", "server", { error: String(error) });
  });
  server.on("clientError", (error, socket) => {
    refuseConnection(error, socket as Socket).catch(() => socket.destroy());
  });
  return server;
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
