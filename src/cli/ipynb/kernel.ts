import { setTimeout as sleep } from "node:timers/promises";
import { type Message, NotebookError } from "../../ipynb/index.ts";
import { connectKernel, type KernelClient, type Reply } from "./kernel-client.ts";
import { type KernelName, type KernelProcess, loadZeroMq, startKernelProcess } from "./kernel-process.ts";

export interface Kernel {
  info: Reply;
  pid: number;
  execute: KernelClient["execute"];
  /** Resolves when the kernel has ended by itself, with how it ended and its last words. */
  ended: Promise<string>;
  /** Ends the kernel and everything that it started at once. */
  kill(): void;
  /** Ends the kernel and everything that it started; resolves when it has gone. */
  stop(): Promise<void>;
}

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
export async function startKernel(options: KernelOptions): Promise<Kernel> {
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
      return kernelOf(kernel, client, info);
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

function kernelOf(kernel: KernelProcess, client: KernelClient, info: Reply): Kernel {
  return {
    info,
    pid: kernel.pid,
    execute: client.execute,
    kill: kernel.kill,
    ended: kernel.ended.then(how => [how, kernel.lastWords()].filter(Boolean).join("\n")),
    async stop() {
      const done = new AbortController();
      client.shutdown();
      await Promise.race([
        kernel.ended,
        sleep(STOP_TIMEOUT_MS, undefined, { signal: done.signal }).catch(() => undefined),
      ]);
      done.abort();
      kernel.kill();
      client.close();
      await kernel.ended;
    },
  };
}
