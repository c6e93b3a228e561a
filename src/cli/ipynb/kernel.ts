import { setTimeout as sleep } from "node:timers/promises";
import { type Message, NotebookError } from "../../ipynb/index.ts";
import { within } from "../../kernels/index.ts";
import { type Connection, openWire as openSide } from "../../kernels/jupyter/index.ts";
import {
  type KernelName,
  type KernelProcess,
  loadZeroMq,
  startKernelProcess,
  type ZeroMq,
} from "./kernel-process.ts";

export type Kernel = Awaited<ReturnType<typeof startKernel>>;

interface KernelOptions {
  /** Default Ketbook's own. */
  kernel?: KernelName | undefined;
  /** The folder that the cells work in, and near which other kernels are looked for. */
  folder: string;
  javascript?: boolean;
  /** Gives up starting when it aborts; its reason says why. */
  signal?: AbortSignal | undefined;
  /** Gets everything that the kernel publishes besides its status. */
  onOutput(message: Message): void;
}

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 1_000;
const MAX_ATTEMPTS = 3;
const PORTS_TAKEN = /EADDRINUSE|address already in use/i;

/** Starts a kernel. Throws a {@link NotebookError} when it can't be had or doesn't answer. */
export async function startKernel(options: KernelOptions) {
  const { kernel: name = "ketbook" } = options;
  const zeromq = loadZeroMq();
  for (let attempt = 1; ; attempt += 1) {
    const kernel = await startKernelProcess(name, {
      folder: options.folder,
      javascript: options.javascript ?? false,
    });
    const client = connectKernel(zeromq, kernel.connection, options.onOutput);
    try {
      const info = await whenReady(name, kernel, client, options.signal);
      kernel.forgetFiles();
      return {
        info,
        pid: kernel.pid,
        execute: client.execute,
        kill: kernel.kill,
        /** Resolves when the kernel has ended by itself, with how it ended and its last words. */
        ended: kernel.ended.then(how => [how, kernel.lastWords()].filter(Boolean).join("\n")),
        /** Ends the kernel and everything that it started; resolves when it has gone. */
        async stop() {
          client.shutdown();
          await within(kernel.ended, STOP_TIMEOUT_MS);
          kernel.kill();
          client.close();
          await kernel.ended;
        },
      };
    } catch (error) {
      client.close();
      kernel.kill();
      if (!PORTS_TAKEN.test(kernel.lastWords()) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function whenReady(
  name: KernelName,
  kernel: KernelProcess,
  client: KernelClient,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  const deadline = new AbortController();
  const failure = await Promise.race([
    client.ready(),
    kernel.ended.then(how => `The ${name} kernel ended at its start (${how}).`),
    watchPorts(kernel, deadline.signal),
    new Promise<string>(resolve => {
      signal?.addEventListener("abort", () => resolve(String(signal.reason)), { signal: deadline.signal });
    }),
    sleep(START_TIMEOUT_MS, `The ${name} kernel didn't answer within ${START_TIMEOUT_MS / 1000} s.`, {
      signal: deadline.signal,
    }),
  ]).finally(() => deadline.abort());
  if (typeof failure !== "string") return failure;
  throw new NotebookError([failure, kernel.lastWords()].filter(Boolean).join("\n"));
}

async function watchPorts(kernel: KernelProcess, signal: AbortSignal): Promise<string> {
  while (!PORTS_TAKEN.test(kernel.lastWords())) await sleep(200, undefined, { signal });
  return "The kernel found its ports taken.";
}

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

export type KernelClient = ReturnType<typeof connectKernel>;

interface Request {
  reply?: Reply;
  idle: boolean;
  finish(reply: Reply): void;
}

const READY_POLL_INTERVAL_MS = 100;

/** Connects to a kernel. `onOutput` gets every message that the kernel publishes besides its status, in order. */
export function connectKernel(zeromq: ZeroMq, connection: Connection, onOutput: (message: Message) => void) {
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
    /** Waits until the kernel answers on all channels, and returns what it says about itself. */
    async ready(): Promise<Reply> {
      const answers: Promise<Reply>[] = [];
      while (!closed) {
        answers.push(request("kernel_info_request", {}).done);
        const reply = await Promise.race([...answers, sleep(READY_POLL_INTERVAL_MS)]);
        if (reply) return reply;
      }
      throw new NotebookError("The connection to the kernel was closed before it answered.");
    },
    /** Has a piece of program executed; resolves when the kernel has answered and is idle again. */
    execute: (code: string) =>
      request("execute_request", {
        code,
        silent: false,
        store_history: true,
        user_expressions: {},
        allow_stdin: false,
        stop_on_error: false,
      }),
    ask: (type: string, content: object) => request(type, content).done,
    interrupt: () => void send(control, "interrupt_request", {}),
    shutdown: () => void send(control, "shutdown_request", { restart: false }),
    close() {
      closed = true;
      for (const socket of [shell, control, published]) socket.close();
    },
  };
}
