import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";

/** Bytes that are parsed at a time, but for bodies of a known length: of tiny requests, about a millisecond's worth. */
const SLICE_BYTES = 4096;
/** Requests of one connection that may wait for their answers; more than any client sends ahead. */
const MAX_PIPELINED = 10;
/** Such a request is let in first, so the service is not taken for dead while others wait. */
const LIVENESS = Buffer.from("GET /healthz ");
const MAX_LIVENESS_BYTES = 1024;

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

/** Milliseconds of one turn of the event loop for incoming requests. */
const TURN_MS = 20;
/** Waiting work that is taken up in one turn, if there is time. */
const MAX_TAKEN = 64;
/** The event loop takes on one connection a turn: after so many in turns on end, more are likely to wait. */
const CROWD = 16;
/** While more connections wait, work is taken up in one of the given number of turns, so about half of the time is theirs. */
const CROWDED_TURNS = 4;
/** Of work that waits, so much is taken up of known clients for one of others. */
const KNOWN_SHARE = 4;

/** Divides what came in among the turns of the event loop. */
interface TurnQueue {
  /** Whether this turn has time for more, and nothing waits. */
  hasTime(): boolean;
  /** Runs a function in a later turn, after those that wait already; of known clients mostly before those of others. */
  wait(run: () => void, isKnown: boolean): void;
  /** Notes that a client has connected. */
  connected(): void;
}

export function createTurnQueue(): TurnQueue {
  const known: (() => void)[] = [];
  const others: (() => void)[] = [];
  const size = () => known.length + others.length;
  let turn = -1;
  let started = Number.NEGATIVE_INFINITY;
  let taken = 0;
  let isTakingUp = false;
  /** The last turn in which a client connected, and in how many on end. */
  let crowd = { turn: -1, turns: 0 };

  const loopCount = () => performance.nodeTiming.uvMetricsInfo.loopCount;
  const isCrowded = () => crowd.turns >= CROWD && loopCount() - crowd.turn <= 1;

  function isOver(): boolean {
    const now = performance.now();
    if (now - started < TURN_MS) return false;
    const current = loopCount();
    if (current === turn) return true;
    turn = current;
    started = now;
    return false;
  }

  /** Takes up each in its own immediate, after which all that it has brought about is done. */
  function takeUp(): void {
    isTakingUp = true;
    const count = isCrowded() ? Number(loopCount() % CROWDED_TURNS === 0) : Math.min(size(), MAX_TAKEN);
    for (let left = count; left > 0; left -= 1) setImmediate(takeNext);
    setImmediate(() => {
      isTakingUp = false;
      if (size() > 0) takeUp();
    });
  }

  function takeNext(): void {
    if (isOver()) return;
    taken += 1;
    const [first, second] = taken % (KNOWN_SHARE + 1) === 0 ? [others, known] : [known, others];
    (first.shift() ?? second.shift())?.();
  }

  return {
    hasTime: () => size() === 0 && !isCrowded() && !isOver(),
    wait(run, isKnown) {
      (isKnown ? known : others).push(run);
      if (!isTakingUp) takeUp();
    },
    connected() {
      const current = loopCount();
      if (current !== crowd.turn)
        crowd = { turn: current, turns: current === crowd.turn + 1 ? crowd.turns + 1 : 1 };
    },
  };
}
