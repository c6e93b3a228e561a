import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { Connection } from "../jupyter/channel.ts";
import { type Frames, openWire } from "../jupyter/wire.ts";

type Send = (frames: Frames) => void;
type Receive = (frames: Buffer[], send: Send) => void;

const MORE = 1;
const LONG = 2;
const COMMAND = 4;
const GREETING_LENGTH = 64;

/**
 * Runs a kernel that answers every cell with the reason why the real one can't run. It speaks ZeroMQ's protocol itself,
 * as the binding may be what is missing, and uses nothing that an old Node lacks.
 */
export function explain(connectionFile: string, reason: string): void {
  process.stderr.write(`${reason}\n`);
  const connection: Connection = JSON.parse(readFileSync(connectionFile, "utf8"));
  const wire = openWire(connection.key);
  const subscribers = new Set<Send>();
  let count = 0;

  const answer: Receive = (received, send) => {
    const request = wire.read(received);
    if (!request) return;
    const { type, content, identities } = request;
    const publish = (name: string, said: object) => {
      for (const each of subscribers) each(wire.write(name, said, request, [name]));
    };
    const reply = (said: object) =>
      send(wire.write(type.replace("_request", "_reply"), said, request, identities));
    publish("status", { execution_state: "busy" });
    const failure = { ename: "KetbookNotStarted", evalue: reason, traceback: [reason] };
    if (type === "kernel_info_request") reply(kernelInfo(reason));
    else if (type === "execute_request") {
      count += 1;
      publish("error", failure);
      reply({ status: "error", execution_count: count, ...failure });
    } else if (type === "shutdown_request") reply({ status: "ok", restart: content.restart === true });
    else reply({ status: "error", ...failure });
    publish("status", { execution_state: "idle" });
    if (type === "shutdown_request") setTimeout(() => process.exit(0), 100);
  };

  const { shell_port, control_port, stdin_port, iopub_port, hb_port, ip } = connection;
  for (const port of [shell_port, control_port, stdin_port]) listen(ip, port, "ROUTER", answer);
  listen(ip, hb_port, "REP", (received, send) => send(received));
  listen(ip, iopub_port, "PUB", () => undefined, subscribers);
}

const kernelInfo = (banner: string) => ({
  status: "ok",
  protocol_version: "5.3",
  implementation: "ketbook",
  implementation_version: "0",
  language_info: { name: "typescript", version: "", mimetype: "text/x-typescript", file_extension: ".ts" },
  banner,
  help_links: [],
});

/** Listens as a socket of ZeroMQ (ZMTP 3.0, without security, as in Jupyter). */
function listen(ip: string, port: number, type: string, receive: Receive, subscribers?: Set<Send>): void {
  const server = createServer((socket: Socket) => {
    let buffer = Buffer.alloc(0);
    let greeted = false;
    let parts: Buffer[] = [];
    const send: Send = frames =>
      frames.forEach(
        (frame, at) => void socket.write(framed(Buffer.from(frame), at < frames.length - 1 ? MORE : 0)),
      );
    socket.on("error", () => undefined);
    socket.on("close", () => subscribers?.delete(send));
    socket.write(greeting());
    socket.on("data", data => {
      buffer = Buffer.concat([buffer, data as Buffer]);
      if (!greeted && buffer.length >= GREETING_LENGTH) {
        greeted = true;
        buffer = buffer.slice(GREETING_LENGTH);
        socket.write(framed(ready(type), COMMAND));
        subscribers?.add(send);
      }
      while (greeted && buffer.length > 1) {
        const flags = buffer[0]!;
        const head = flags & LONG ? 9 : 2;
        if (buffer.length < head) return;
        const length = flags & LONG ? buffer.readUInt32BE(5) : buffer[1]!;
        if (buffer.length < head + length) return;
        if (!(flags & COMMAND)) parts.push(buffer.slice(head, head + length));
        buffer = buffer.slice(head + length);
        if (flags & (MORE | COMMAND)) continue;
        const whole = parts;
        parts = [];
        receive(whole, send);
      }
    });
  });
  server.listen(port, ip);
}

function greeting(): Buffer {
  const bytes = Buffer.alloc(GREETING_LENGTH);
  bytes[0] = 0xff;
  bytes[9] = 0x7f;
  bytes[10] = 3;
  bytes.write("NULL", 12, "latin1");
  return bytes;
}

function ready(type: string): Buffer {
  const [command, name, value] = [
    Buffer.from("\x05READY"),
    Buffer.from("\x0bSocket-Type"),
    Buffer.from(type),
  ];
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length, 0);
  return Buffer.concat([command, name, length, value]);
}

function framed(body: Buffer, flags: number): Buffer {
  if (body.length < 256) return Buffer.concat([Buffer.from([flags, body.length]), body]);
  const head = Buffer.alloc(9);
  head[0] = flags | LONG;
  head.writeUInt32BE(body.length, 5);
  return Buffer.concat([head, body]);
}
