import { setTimeout as sleep } from "node:timers/promises";
import { type Message, NotebookError } from "../../ipynb/index.ts";
import { openWire as openSide } from "../../kernels/jupyter/wire.ts";
import type { Connection, ZeroMq } from "./kernel-process.ts";

const MAX_CONTENT_BYTES = 64_000_000;

/** Opens a client's session of signed messages: `decode` returns undefined for anything else. */
export function openWire(key: string) {
  const wire = openSide(key, "username", MAX_CONTENT_BYTES);
  return {
    encode(type: string, content: object) {
      const frames = wire.write(type, content, undefined, []);
      const { msg_id: id } = JSON.parse(String(frames[2])) as { msg_id: string };
      return { id, frames };
    },
    decode(frames: Buffer[]): Message | undefined {
      const read = wire.read(frames);
      if (!read) return undefined;
      const { type, parent, content, isTooLong } = read;
      return { type, parent: parent.msg_id as string | undefined, content: isTooLong ? undefined : content };
    },
  };
}

export type Reply = Record<string, unknown>;

export interface KernelClient {
  /** Waits until the kernel answers on all channels, and returns what it says about itself. */
  ready(): Promise<Reply>;
  /** Has a piece of program executed; resolves when the kernel has answered and is idle again. */
  execute(code: string): { id: string; done: Promise<Reply> };
  /** Asks the kernel something else, such as a `complete_request`. */
  ask(type: string, content: object): Promise<Reply>;
  interrupt(): void;
  shutdown(): void;
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
