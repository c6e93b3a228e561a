import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { NotebookError } from "../../ipynb/errors.ts";
import type { Message } from "../../ipynb/message.ts";
import type { Connection, ZeroMq } from "./kernel-process.ts";

/** Signs what goes to a kernel and checks what comes from it. */
export interface Wire {
  encode(type: string, content: object): { id: string; frames: (string | Buffer)[] };
  /** Returns undefined for anything that is not a message signed with the connection's key. */
  decode(frames: Buffer[]): Message | undefined;
}

const DELIMITER = "<IDS|MSG>";
const MAX_CONTENT_BYTES = 64_000_000;

/** Opens one session of signed messages. */
export function openWire(key: string): Wire {
  const session = randomUUID();

  function sign(parts: (string | Buffer)[]): string {
    const hmac = createHmac("sha256", key);
    for (const part of parts) hmac.update(part);
    return hmac.digest("hex");
  }

  return {
    encode(type, content) {
      const id = randomUUID();
      const date = new Date().toISOString();
      const header = { msg_id: id, session, username: "ketbook", date, msg_type: type, version: "5.3" };
      const parts = [JSON.stringify(header), "{}", "{}", JSON.stringify(content)];
      return { id, frames: [DELIMITER, sign(parts), ...parts] };
    },
    decode(frames) {
      const start = frames.findIndex(frame => frame.toString("latin1") === DELIMITER);
      const signature = frames[start + 1];
      const parts = frames.slice(start + 2);
      const [header, parent, , content] = parts;
      if (start < 0 || !signature || !header || !parent || !content) return undefined;
      const expected = Buffer.from(sign(parts));
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
      return {
        type: String(parse(header).msg_type),
        parent: parse(parent).msg_id as string | undefined,
        content: content.length > MAX_CONTENT_BYTES ? undefined : parse(content),
      };
    },
  };
}

function parse(frame: Buffer): Record<string, unknown> {
  return JSON.parse(frame.toString("utf8"));
}

/** Reply of a kernel on its shell channel. */
export type Reply = Record<string, unknown>;

/** A client of a running kernel. */
export interface KernelClient {
  /** Waits until the kernel answers on all channels, and returns what it says about itself. */
  ready(): Promise<Reply>;
  /** Has a piece of program executed; resolves when the kernel has answered and is idle again. */
  execute(code: string): { id: string; done: Promise<Reply> };
  /** Asks the kernel something else, such as a `complete_request`. */
  ask(type: string, content: object): Promise<Reply>;
  /** Asks the kernel to stop what it is executing. */
  interrupt(): void;
  /** Asks the kernel to end. */
  shutdown(): void;
  /** Closes the connection. */
  close(): void;
}

interface Request {
  reply?: Reply;
  idle: boolean;
  finish(reply: Reply): void;
}

const READY_POLL_INTERVAL_MS = 100;

/**
 * Connects to a kernel. `onOutput` gets every message that the kernel publishes besides its status, in order.
 */
export function connectKernel(
  zeromq: ZeroMq,
  connection: Connection,
  onOutput: (message: Message) => void,
): KernelClient {
  const wire = openWire(connection.key);
  const options = { linger: 0, receiveHighWaterMark: 0 };
  const shell = new zeromq.Dealer(options);
  const control = new zeromq.Dealer(options);
  const published = new zeromq.Subscriber(options);
  const requests = new Map<string, Request>();
  const address = (port: number) => `tcp://${connection.ip}:${port}`;
  shell.connect(address(connection.shell_port));
  control.connect(address(connection.control_port));
  published.connect(address(connection.iopub_port));
  published.subscribe();
  let closed = false;
  let sending = Promise.resolve();

  function send(channel: typeof shell, type: string, content: object): string {
    const { id, frames } = wire.encode(type, content);
    sending = sending.then(() => channel.send(frames)).catch(() => undefined);
    return id;
  }

  function request(type: string, content: object): { id: string; done: Promise<Reply> } {
    const id = send(shell, type, content);
    return { id, done: new Promise(finish => requests.set(id, { idle: false, finish })) };
  }

  function settle(id: string, request: Request): void {
    if (!request.idle || request.reply === undefined) return;
    requests.delete(id);
    request.finish(request.reply);
  }

  async function read(
    channel: typeof shell | typeof published,
    take: (message: Message) => void,
  ): Promise<void> {
    try {
      for await (const frames of channel) {
        const message = wire.decode(frames);
        if (message) take(message);
      }
    } catch (error) {
      if (!closed) throw error;
    }
  }

  void read(shell, ({ parent = "", content = {} }) => {
    const request = requests.get(parent);
    if (!request) return;
    request.reply = content;
    settle(parent, request);
  });
  void read(published, message => {
    if (message.type !== "status") return onOutput(message);
    const { parent = "", content } = message;
    const request = requests.get(parent);
    if (!request || content?.execution_state !== "idle") return;
    request.idle = true;
    settle(parent, request);
  });

  return {
    async ready() {
      const answers: Promise<Reply>[] = [];
      while (!closed) {
        answers.push(request("kernel_info_request", {}).done);
        const reply = await Promise.race([...answers, sleep(READY_POLL_INTERVAL_MS)]);
        if (reply) return reply;
      }
      throw new NotebookError("The connection to the kernel was closed before it answered.");
    },
    execute: code =>
      request("execute_request", {
        code,
        silent: false,
        store_history: true,
        user_expressions: {},
        allow_stdin: false,
        stop_on_error: false,
      }),
    ask: (type, content) => request(type, content).done,
    interrupt: () => void send(control, "interrupt_request", {}),
    shutdown: () => void send(control, "shutdown_request", { restart: false }),
    close() {
      closed = true;
      for (const socket of [shell, control, published]) socket.close();
    },
  };
}
