import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createTurnQueue, type TurnQueue } from "./turn-queue.ts";

/** Bytes that are parsed at a time, but for bodies of a known length: of tiny requests, about a millisecond's worth. */
const SLICE_BYTES = 4096;
/** Requests of one connection that may wait for their answers; more than any client sends ahead. */
const MAX_PIPELINED = 10;
/** Such a request is let in first, so that the service is not taken for dead while others wait. */
const LIVENESS = Buffer.from("GET /healthz ");
const MAX_LIVENESS_BYTES = 1024;

/** State of a connection. */
interface Connection {
  readonly socket: Socket;
  readonly parse: (bytes: Buffer) => void;
  /** The request that came last. */
  latest?: IncomingMessage;
  unanswered: number;
  /** Bytes that are certain to belong to the body of the latest request. */
  bodyLeft: number;
  /** Whether it waits for the answers of its requests. */
  isBlocked: boolean;
  /** Whether it waits for its turn. A reader of a body may have it read before. */
  isQueued: boolean;
  /** Whether it waited, and its turn has come. */
  hasTurn: boolean;
}

/**
 * Keeps connections from holding up each other. What came in is parsed piece by piece: the requests of one piece are
 * answered before the next is parsed, and when a turn of the event loop has taken long, the others wait for another. A
 * connection that sends very many requests ahead of their answers is closed.
 */
export function paceConnections(server: Server, turns = createTurnQueue()): void {
  const connections = new WeakMap<Socket, Connection>();

  server.on("connection", (socket: Socket) => {
    turns.connected();
    const [parse] = socket.listeners("data") as ((bytes: Buffer) => void)[];
    const connection = {
      socket,
      parse: parse!,
      unanswered: 0,
      bodyLeft: 0,
      isBlocked: false,
      isQueued: false,
      hasTurn: false,
    };
    connections.set(socket, connection);
    // A listener makes the parser leave the reading of the socket to JavaScript.
    socket.on("data", (chunk: Buffer) => receive(connection, chunk, turns)).off("data", parse!);
  });

  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket)!;
    connection.latest = request;
    connection.unanswered += 1;
    if (connection.unanswered > MAX_PIPELINED) request.socket.destroy();
    response.once("close", () => {
      connection.unanswered -= 1;
      if (connection.isBlocked && connection.unanswered === 0) queueUp(connection, turns);
    });
  });
}

/** Parses what may be parsed now; the rest goes back to the socket, which is paused. */
function receive(connection: Connection, chunk: Buffer, turns: TurnQueue): void {
  const { socket } = connection;
  const isFirst = chunk.length <= MAX_LIVENESS_BYTES && chunk.indexOf(LIVENESS) === 0;
  let at = 0;
  for (
    let mayParse = connection.hasTurn || isFirst || turns.hasTime();
    mayParse && at < chunk.length && !isWaiting(connection);
    mayParse = turns.hasTime()
  ) {
    connection.hasTurn = false;
    at += parseSlice(connection, at === 0 ? chunk : chunk.subarray(at));
    if (socket.destroyed || socket.writableEnded) return;
    if (socket.isPaused()) break;
  }
  if (at === chunk.length) return;
  const isPaused = socket.isPaused();
  socket.pause();
  socket.unshift(chunk.subarray(at));
  if (isWaiting(connection)) connection.isBlocked = true;
  else if (!isPaused) queueUp(connection, turns);
}

/** Whether all requests so far have come to their end, and one is not answered. */
const isWaiting = ({ unanswered, latest }: Connection): boolean => unanswered > 0 && latest!.complete;

/** Parses the beginning of some bytes, and returns how many. */
function parseSlice(connection: Connection, bytes: Buffer): number {
  const { latest, bodyLeft } = connection;
  const size = Math.min(bytes.length, Math.max(bodyLeft, SLICE_BYTES));
  connection.parse(size === bytes.length ? bytes : bytes.subarray(0, size));
  const now = connection.latest;
  if (!now || now.complete) connection.bodyLeft = 0;
  else connection.bodyLeft = (now === latest ? bodyLeft : Number(now.headers["content-length"] ?? 0)) - size;
  return size;
}

function queueUp(connection: Connection, turns: TurnQueue): void {
  connection.isBlocked = false;
  if (connection.isQueued) return;
  connection.isQueued = true;
  turns.wait(() => {
    connection.isQueued = false;
    connection.hasTurn = true;
    connection.socket.resume();
  }, connection.latest !== undefined);
}
