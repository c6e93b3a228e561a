import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { ServerType } from "@hono/node-server";
import { badField, Refusal } from "../refusal.ts";
import { answerError } from "./respond.ts";

const maxHeaders = 100;
const requestTimeout = 120_000;

/** Bounds what a connection may do, and answers what is not HTTP at all in the form of every other error. */
export function harden(started: ServerType): Server {
  const server = started as Server;
  server.maxHeadersCount = maxHeaders;
  server.requestTimeout = requestTimeout;
  server.keepAliveTimeout = 60_000;
  server.on("clientError", async (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal =
      error.code === "HPE_HEADER_OVERFLOW"
        ? new Refusal("VALIDATION_ERROR", "The headers of the request are too large.", { status: 431 })
        : badField("request", "is not well-formed HTTP");
    const answer = answerError(refusal, randomBytes(8).toString("hex"));
    const body = await answer.text();
    socket.end(
      `HTTP/1.1 ${answer.status} Refused\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
  return server;
}
