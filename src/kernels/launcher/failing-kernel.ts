import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";

/** A kernel's connection file, as far as it matters here. */
interface Connection {
  ip: string;
  key: string;
  shell_port: number;
  control_port: number;
  iopub_port: number;
  stdin_port: number;
  hb_port: number;
}

interface Message {
  header: { msg_type?: string };
  content: { restart?: boolean };
}

type Receive = (frames: Buffer[], send: (frames: Buffer[]) => void) => void;

const DELIMITER = "<IDS|MSG>";
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
  const subscribers = new Set<(frames: Buffer[]) => void>();
  const session = randomBytes(8).toString("hex");
  let count = 0;

  function frames(type: string, content: object, parent: object): Buffer[] {
    const id = randomBytes(16).toString("hex");
    const date = new Date().toISOString();
    const header = { msg_id: id, session, username: "kernel", date, msg_type: type, version: "5.3" };
    const parts = [header, parent, {}, content].map(part => Buffer.from(JSON.stringify(part)));
    const hmac = createHmac("sha256", connection.key);
    for (const part of parts) hmac.update(part);
    return [Buffer.from(DELIMITER), Buffer.from(connection.key === "" ? "" : hmac.digest("hex")), ...parts];
  }

  const answer: Receive = (received, send) => {
    const start = received.findIndex(frame => String(frame) === DELIMITER);
    const message = readMessage(received.slice(start + 1));
    if (start < 0 || !message) return;
    const { header, content } = message;
    const type = String(header.msg_type);
    const publish = (name: string, said: object) => {
      for (const each of subscribers) each([Buffer.from(name), ...frames(name, said, header)]);
    };
    const reply = (said: object) =>
      send([...received.slice(0, start), ...frames(type.replace("_request", "_reply"), said, header)]);
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

function readMessage([, header, , , content]: Buffer[]): Message | undefined {
  try {
    return { header: JSON.parse(String(header)), content: JSON.parse(String(content)) };
  } catch {
    return undefined;
  }
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
function listen(
  ip: string,
  port: number,
  type: string,
  receive: Receive,
  subscribers?: Set<(frames: Buffer[]) => void>,
): void {
  const server = createServer((socket: Socket) => {
    let buffer = Buffer.alloc(0);
    let greeted = false;
    let parts: Buffer[] = [];
    const send = (frames: Buffer[]) =>
      frames.forEach((frame, at) => void socket.write(framed(frame, at < frames.length - 1 ? MORE : 0)));
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
